import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { ts } from '../../source/ts-morph.js'
import type { Message } from './compile.js'
import { hostOf } from './compiler-host.js'
import { excessKeys } from './excess-keys.js'
import { keyOf, messageOf, newIn, type Compilation, type Found } from './found-errors.js'
import { isAnswering } from './silent-keys.js'

// Made by `compile` and by nothing else.
const { root, paths, before, stillBroken, isPatient = false } = workerData as Compilation
const say = (message: Message) => parentPort?.postMessage(message)

function compileAll(): void {
  const read = ts.readConfigFile(`${root}/tsconfig.json`, ts.sys.readFile)
  const parsed = ts.parseJsonConfigFileContent(read.config ?? {}, ts.sys, root)
  const options = { ...parsed.options, noEmit: true, skipLibCheck: true, incremental: false }
  const cache = new Map<string, ts.SourceFile>()
  const program = (names: readonly string[], texts: Compilation['before']) => {
    const host = hostOf(root, options, new Map(texts), cache)
    return ts.createProgram(
      names.map((path) => `${root}/${path}`),
      options,
      host,
    )
  }
  const after = program(
    paths.map((path) => path.now),
    [],
  )
  let old: ts.Program | null = null
  for (const path of paths) {
    const found = errorsIn(after, path.now)
    if (found.length === 0) continue
    old ??= program(
      paths.map((each) => each.before),
      before,
    )
    say({ broken: newIn(found, errorsIn(old, path.before), stillBroken) })
  }
}

function errorsIn(program: ts.Program, path: string): readonly Found[] {
  const file = program.getSourceFile(`${root}/${path}`)
  if (file === undefined) return []
  const lines = file.text.split('\n')
  const found = (start: number, message: string): Found => {
    const place = file.getLineAndCharacterOfPosition(start)
    const key = keyOf(lines[place.line] ?? '', message)
    return { path, line: place.line + 1, column: place.character + 1, message, key }
  }
  const said = [
    ...program.getSyntacticDiagnostics(file),
    ...program.getSemanticDiagnostics(file),
  ].map(({ start = 0, messageText }) => {
    return found(start, messageOf(ts.flattenDiagnosticMessageText(messageText, '\n').split('\n')))
  })
  const silent = isAnswering.test(path) ? excessKeys(program, file) : []
  const isSaid = (line: number) => said.some((each) => each.line === line)
  return [
    ...said,
    ...silent
      .map(({ start, message }) => found(start, message))
      .filter(({ line }) => !isSaid(line)),
  ]
}

// Linux has priorities of threads, and there it is that of this one; elsewhere it would be that of all of svc.
if (isPatient && process.platform === 'linux') setPriority(10)

try {
  compileAll()
  say('done')
} catch {
  // A broken tsconfig, a file that went away: the report says that not all was compiled.
  say('failed')
}
