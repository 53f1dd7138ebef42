import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
// By its path: the tests have another `typescript`, which is a library for those who need one.
import {
  API,
  type Diagnostic,
  type Snapshot,
} from '../../node_modules/typescript/dist/api/sync/api.js'

/**
 * TypeScript 7, started once in a process of tests. It reads the libraries once: what is read of them is kept as long as a
 * project is open that imports them, so the last project stays open until the next one is.
 */
let compiler: API | undefined
let last: { readonly config: string; readonly snapshot: Snapshot } | undefined

export interface Problem {
  /** Of a file, below the folder of the project; empty where none is to blame. */
  readonly path: string
  /** `line:column` in it. */
  readonly at: string
  readonly code: number
  readonly text: string
}

/** What the compiler says of the project, whose files may be others than they were before. */
export function problemsOf(config: string): readonly Problem[] {
  compiler ??= new API({ cwd: fileURLToPath(new URL('../..', import.meta.url)) })
  const before = last
  const snapshot = compiler.updateSnapshot({
    openProjects: [config],
    closeProjects: before === undefined || before.config === config ? [] : [before.config],
    fileChanges: { invalidateAll: true },
  })
  last = { config, snapshot }
  before?.snapshot.dispose()
  const program = snapshot.getProject(config)?.program
  if (program === undefined) throw new Error(`There is no project ${config}.`)
  const ofText = [
    ...program.getConfigFileParsingDiagnostics(),
    ...program.getProgramDiagnostics(),
    ...program.getSyntacticDiagnostics(),
  ]
  const ofTypes = () => [...program.getGlobalDiagnostics(), ...program.getSemanticDiagnostics()]
  const folder = dirname(config)
  // As `tsc` does: what cannot be read has no types.
  return (ofText.length > 0 ? ofText : ofTypes()).map((found) => problemOf(found, folder))
}

const tsc = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))

/**
 * How many types are made on the way, which the same files make on every machine; throws what is wrong with them.
 * With one checker: several check the same libraries once each.
 */
export function instantiationsOf(config: string): number {
  const words = [tsc, '-p', config, '--pretty', 'false', '--checkers', '1', '--extendedDiagnostics']
  const { stdout } = spawnSync(process.execPath, words, { encoding: 'utf8' })
  const count = /^Instantiations:\s*(\d+)$/m.exec(stdout)?.[1]
  if (count === undefined || stdout.includes(': error ')) throw new Error(stdout)
  return Number(count)
}

/** As `tsc` prints it without colours. */
export const printed = (problems: readonly Problem[]): string =>
  problems
    .map(({ path, at, code, text }) => {
      const place = path === '' ? '' : `${path}(${at.replace(':', ',')}): `
      return `${place}error TS${code}: ${text}\n`
    })
    .join('')

function problemOf(found: Diagnostic, folder: string): Problem {
  const { fileName, pos, code } = found
  const text = messages(found).join('\n')
  if (fileName === undefined) return { path: '', at: '', code, text }
  const lines = readFileSync(fileName, 'utf8').slice(0, pos).split('\n')
  const at = `${lines.length}:${(lines.at(-1) ?? '').length + 1}`
  return { path: relative(folder, fileName), at, code, text }
}

const messages = ({ text, messageChain = [] }: Diagnostic): readonly string[] => [
  text,
  ...messageChain.flatMap(messages).map((line) => `  ${line}`),
]
