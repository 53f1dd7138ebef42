import { execFileSync, spawn } from 'node:child_process'
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { run } from '../../../generator/commands/run.js'
import { commandLine } from '../../../generator/features/commands.js'
import { whenOver } from '../../support/when-over.js'

export const checkout = fileURLToPath(new URL('../../..', import.meta.url))
export const compiled = join(checkout, 'dist/cli.js')

export interface Ran {
  readonly code: number
  readonly out: string
  readonly errors: string
}

/** An empty folder that goes with the test, or with the file where no test runs. */
export function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-cli-'))
  whenOver(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const starters = new Map<string, string>()
process.once('exit', () =>
  starters.forEach((folder) => rmSync(folder, { recursive: true, force: true })),
)

/** `svc new` with these options; its policies deny until a test opens them, unless an option says otherwise. */
const newWith = (options: readonly string[]): readonly string[] => {
  const hasPolicies = options.some((each) => /^--(example|policies)/.test(each))
  return ['new', '.', ...options, ...(hasPolicies ? [] : ['--policies', 'nobody'])]
}

/** A copy of what `svc new` makes with these options, which is made once per process. */
export const newProject = (...options: readonly string[]): Promise<string> =>
  copyOf(newWith(options))

/** A project whose lists have no further options. */
export async function plainProject(): Promise<string> {
  const root = await newProject()
  const index = join(root, 'manifest/index.ts')
  writeFileSync(
    index,
    readFileSync(index, 'utf8').replace('defineManifest({', 'defineManifest({\n  reads: [],'),
  )
  const { code, out, errors } = await svc(root, 'generate')
  if (code !== 0) throw new Error(out + errors)
  return root
}

/** A project with its first migration saved. */
export const savedProject = (...options: readonly string[]): Promise<string> =>
  copyOf(newWith(options), ['migrate', 'save', 'init'])

async function copyOf(...commands: readonly (readonly string[])[]): Promise<string> {
  // Where the client of Prisma is not asked for, a project has none.
  const key = [process.env['SVC_SKIP_PRISMA_CLIENT'], ...commands].join('; ')
  const known = starters.get(key)
  const starter = known ?? mkdtempSync(join(tmpdir(), 'svc-starter-'))
  if (known === undefined) {
    for (const command of commands) {
      const { code, out, errors } = await svc(starter, ...command)
      if (code !== 0) throw new Error(out + errors)
    }
    starters.set(key, starter)
  }
  const root = emptyFolder()
  cpSync(starter, root, { recursive: true })
  return root
}

/** Runs a command line of svc's in a folder, in this process and as in a pipe. */
export async function svc(cwd: string, ...line: readonly string[]): Promise<Ran> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  const code = await run(line, commandLine, { cwd, stdin, stdout, stderr, env: {}, colorDepth: 1 })
  stdout.end()
  stderr.end()
  return { code, out: await text(stdout), errors: await text(stderr) }
}

/** Runs the compiled command as a shell does. */
export async function spawnSvc(cwd: string, ...line: readonly string[]): Promise<Ran> {
  build()
  const child = spawn(process.execPath, [compiled, ...line], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const code = new Promise<number>((resolve) => child.on('exit', (status) => resolve(status ?? -1)))
  const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { code: await code, out, errors }
}

/** `npm test` has built already; after an edit, a test on its own builds again. */
export function build(): void {
  const entries = readdirSync(join(checkout, 'generator'), { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  const newest = Math.max(...files.map((file) => statSync(file).mtimeMs))
  const built = statSync(compiled, { throwIfNoEntry: false })?.mtimeMs ?? 0
  if (built > newest) return
  execFileSync('npm', ['run', 'build'], { cwd: checkout, shell: process.platform === 'win32' })
}

/** Lets a project use the checkout's own dependencies. */
export function linkDependencies(folder: string): void {
  symlinkSync(join(checkout, 'node_modules'), join(folder, 'node_modules'), 'junction')
}
