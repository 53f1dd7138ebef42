import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const contestantsFolder = fileURLToPath(new URL('../contestants', import.meta.url))

/**
 * Installs the packages of a contestant into a temporary folder, which the next run finds by the hash of the package.json,
 * and copies its sources there. Returns the folder of its server.
 */
export function installContestant(name: string): string {
  const source = join(contestantsFolder, name)
  const packageText = readFileSync(join(source, 'package.json'), 'utf8')
  const root = join(tmpdir(), 'svc-contestants', `${name}-${hashOf([packageText])}`)
  const folder = join(root, name)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(root, 'package.json'), packageText)
  // Sources lie beside each other as they do here, above them the packages of this one.
  cpSync(source, folder, { recursive: true })
  cpSync(join(contestantsFolder, 'shared'), join(root, 'shared'), { recursive: true })
  once(join(root, '.installed'), packageText, () =>
    run(root, 'npm', ['install', '--no-audit', '--no-fund', '--no-package-lock']),
  )
  const scripts: unknown = JSON.parse(packageText).scripts
  if (scripts !== undefined) {
    once(
      join(root, '.prepared'),
      textsOf(source) + textsOf(join(contestantsFolder, 'shared')),
      () => run(folder, 'npm', ['run', 'prepare-server']),
    )
  }
  return folder
}

const textsOf = (folder: string): string =>
  readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n')

const hashOf = (texts: readonly string[]) =>
  createHash('sha256').update(texts.join('\n')).digest('hex').slice(0, 12)

/** Leaves a mark with what was done; does nothing where the mark says the same. */
function once(mark: string, text: string, work: () => void): void {
  const hash = hashOf([text])
  if (existsSync(mark) && readFileSync(mark, 'utf8') === hash) return
  work()
  writeFileSync(mark, hash)
}

function run(cwd: string, command: string, args: readonly string[]): void {
  const { status, stderr, stdout } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  if (status === 0) return
  const said = `${stderr}\n${stdout}`.split('\n').filter((line) => /error/i.test(line))
  throw new Error(`${command} ${args[0]} exited with ${status}: ${said.slice(0, 2).join(' ')}`)
}
