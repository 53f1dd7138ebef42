import { Console } from 'node:console'
import { SourceMap } from 'node:module'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { setFlagsFromString } from 'node:v8'
import { Script } from 'node:vm'
import * as fields from '../kinds/words.js'
import * as entries from '../manifest/entries.js'
import { defineManifest } from '../manifest/manifest.js'
import * as relations from '../manifest/relations.js'
import { repository, type Repository } from '../manifest/repository.js'
import { typeArgumentAt } from './answer-type.js'
import type { Bundle } from './bundle.js'
import type { LoadProblem, Position } from './position.js'
import { ForeignImport, thrown, timeoutOf } from './thrown.js'

export interface Evaluated {
  readonly exported: unknown
  /** The place of the call of `repository` for each of them. */
  readonly places: ReadonlyMap<Repository, Position>
}

/** Exports of `generator/index.ts`, with the functions of features; a test compares the two. */
export const vocabularyWith = (features: readonly Worded[]) => ({
  ...{ ...fields, ...relations, ...entries },
  ...(Object.assign({}, ...features.map(({ vocabulary }) => vocabulary)) as Functions),
  repository,
  defineManifest,
})

type Functions = Readonly<Record<string, unknown>>

/** A feature, as far as it has functions that manifests are written with. */
export interface Worded {
  readonly vocabulary?: Functions
  /** Those of its functions whose type argument is an answer, as that of `computed<number>()`: only getters are answered. */
  readonly answered?: readonly string[]
}
type Vocabulary = ReturnType<typeof vocabularyWith>

export interface Evaluating {
  readonly root: string
  readonly print: Print
  readonly features: readonly Worded[]
}

/** Runs a bundled manifest against the vocabulary of this very generator. */
export function evaluate(
  bundle: Bundle,
  { root, print, features }: Evaluating,
): Evaluated | LoadProblem {
  const vocabulary = vocabularyWith(features)
  const filename = join(root, 'manifest.cjs')
  const map = new SourceMap(JSON.parse(bundle.map))
  const places = new Map<Repository, Position>()
  const module: { exports: { readonly default?: unknown } } = { exports: {} }
  const given = [
    required({ ...vocabulary, ...recording(places, { filename, map, root, features }) }),
    module,
    module.exports,
    consoleOf(print),
  ]
  try {
    onlyData(print, () => runWithin(bundle.code, filename, given))
    return { exported: module.exports.default, places }
  } catch (error) {
    const stack = error instanceof Error ? error.stack : onlyThrow(bundle.code, filename)
    const place = innermost(stack ?? '', filename, map) ?? {
      file: bundle.entry,
      line: 1,
      column: 1,
    }
    return thrown(error, place, vocabulary, { root, code: bundle.code })
  }
}

/** Takes what a manifest prints: it is for people, and stdout may be read by a machine. */
export type Print = (text: string) => void

function consoleOf(print: Print): Console {
  const write = (chunk: unknown, _: unknown, done: () => void) => {
    print(String(chunk))
    done()
  }
  const sink = new Writable({ write })
  return new Console(sink, sink)
}

/** While a manifest runs, it cannot end svc, go on after it was read, or print where a machine reads. */
function onlyData(print: Print, run: () => void): void {
  const refuse = (what: string) => () => {
    throw new Error(`it calls ${what}, and a manifest is data`)
  }
  const { stackTraceLimit, prepareStackTrace } = Error
  const stdout = { write: (text: unknown) => (print(String(text)), true) }
  const guards: readonly (readonly [object, Readonly<Record<string, unknown>>])[] = [
    [process, { exit: refuse('process.exit'), abort: refuse('process.abort') }],
    [process.stdout, stdout],
    // `callers` changes them for a moment, in which a manifest that takes too long may be stopped.
    [Error, { stackTraceLimit, prepareStackTrace }],
    ...['setTimeout', 'setInterval', 'setImmediate'].map(
      (name) => [globalThis, { [name]: refuse(name) }] as const,
    ),
  ]
  const undo = guards.map(([target, names]) => replace(target, names))
  try {
    run()
  } finally {
    for (const each of undo) each()
  }
}

function replace(target: object, values: Readonly<Record<string, unknown>>): () => void {
  const before = Object.keys(values).map(
    (name) => [name, Object.getOwnPropertyDescriptor(target, name)] as const,
  )
  Object.assign(target, values)
  return () => {
    for (const [name, descriptor] of before) {
      if (descriptor === undefined) Reflect.deleteProperty(target, name)
      else Object.defineProperty(target, name, descriptor)
    }
  }
}

/** Only a script can be stopped, not a call: so the call is part of the script. */
function runWithin(code: string, filename: string, parameters: readonly unknown[]): void {
  const key = '__svc_manifest'
  // On the line of the bundle's own "use strict": lines stay what the map says.
  const text = `${key}(function (require, module, exports, console) { ${code}\n})`
  // Each repository asks from which line it was made: without this V8 parses its function a second time for the answer.
  setFlagsFromString('--no-enable-lazy-source-positions')
  const script = new Script(text, { filename })
  const call = (run: (...given: unknown[]) => void) => run(...parameters)
  Object.assign(globalThis, { [key]: call })
  try {
    script.runInThisContext({ timeout: timeoutOf(code), displayErrors: false })
  } finally {
    Reflect.deleteProperty(globalThis, key)
  }
}

/** An error without a stack comes from here, when only one place of the manifest throws. */
function onlyThrow(code: string, filename: string): string | undefined {
  const places = code
    .split('\n')
    .flatMap((line, row) => [...line.matchAll(/\bthrow\b/g)].map(({ index }) => [row, index]))
  const [row = 0, column = 0] = places[0] ?? []
  return places.length === 1 ? `${filename}:${row + 1}:${column + 1}` : undefined
}

/** The innermost place in the manifest that a stack speaks of. */
function innermost(stack: string, filename: string, map: SourceMap): Position | undefined {
  for (const line of stack.split('\n')) {
    const at = line.lastIndexOf(`${filename}:`)
    if (at === -1) continue
    const [row = 1, column = 1] = line
      .slice(at + filename.length + 1)
      .split(':')
      .map(Number.parseFloat)
    const place = original(map, row, column)
    if (place !== undefined) return place
  }
  return undefined
}

function original(map: SourceMap, line: number, column: number): Position | undefined {
  const found = map.findEntry(line - 1, column - 1)
  if (!('originalSource' in found)) return undefined
  const { originalSource, originalLine, originalColumn } = found
  return { file: originalSource, line: originalLine + 1, column: originalColumn + 1 }
}

interface Recording {
  readonly filename: string
  readonly map: SourceMap
  readonly root: string
  readonly features: readonly Worded[]
}

/** Parts of the vocabulary, remembering where each repository was made, and what others say they are answered. */
function recording(
  places: Map<Repository, Position>,
  { filename, map, root, features }: Recording,
): Pick<Vocabulary, 'repository' | 'computed'> {
  const calledAt = () => {
    const call = callers().find((site) => site.getFileName() === filename)
    if (call === undefined) return undefined
    return original(map, call.getLineNumber() ?? 1, call.getColumnNumber() ?? 1)
  }
  const recorded: typeof repository = (definition) => {
    const made = repository(definition)
    const place = calledAt()
    if (place !== undefined) places.set(made, place)
    return made
  }
  const withAnswer = <Made extends object>(made: Made): Made => {
    const place = calledAt()
    const answer = place === undefined ? null : typeArgumentAt(root, place)
    return answer === null ? made : Object.freeze({ ...made, answer })
  }
  const answering: typeof entries.computed = (options) => withAnswer(entries.computed(options))
  const others = features.flatMap(({ vocabulary = {}, answered = [] }) =>
    answered.map((name) => {
      const make = vocabulary[name] as (...given: unknown[]) => object
      return [name, (...given: unknown[]) => withAnswer(make(...given))] as const
    }),
  )
  return { ...Object.fromEntries(others), repository: recorded, computed: answering }
}

/**
 * Returns the callers of the vocabulary. Making a stack's text takes longer than making the
 * repository.
 */
function callers(): readonly NodeJS.CallSite[] {
  const { stackTraceLimit, prepareStackTrace } = Error
  Error.stackTraceLimit = 5
  Error.prepareStackTrace = (_, sites) => sites
  const sites: unknown = new Error().stack
  Object.assign(Error, { stackTraceLimit, prepareStackTrace })
  return sites as readonly NodeJS.CallSite[] // made two lines above
}

function required(svckit: Vocabulary) {
  return (specifier: string) => {
    if (specifier === 'svckit') return svckit
    throw new ForeignImport(specifier)
  }
}
