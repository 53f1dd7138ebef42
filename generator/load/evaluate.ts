import { Console } from 'node:console'
import { SourceMap } from 'node:module'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { Script } from 'node:vm'
import * as entries from '../manifest/entries.js'
import * as kinds from '../manifest/kinds.js'
import { defineManifest } from '../manifest/manifest.js'
import * as relations from '../manifest/relations.js'
import { repository, type Repository } from '../manifest/repository.js'
import type { Bundle } from './bundle.js'
import type { LoadProblem, Position } from './position.js'

export interface Evaluated {
  readonly exported: unknown
  /** Where `repository` was called for each of them. */
  readonly places: ReadonlyMap<Repository, Position>
}

/** What `generator/index.ts` gives; a test compares the two. */
export const vocabulary = { ...kinds, ...relations, ...entries, repository, defineManifest }

/** A manifest asked for something else than the vocabulary and its own files. */
class ForeignImport extends Error {
  constructor(readonly specifier: string) {
    super(`the manifest imports '${specifier}', and it may import only 'svckit' and its own files`)
  }
}

/** Runs a bundled manifest against the vocabulary of this very generator. */
export function evaluate(bundle: Bundle, root: string, print: Print): Evaluated | LoadProblem {
  const filename = join(root, 'manifest.cjs')
  const trace = tracer(filename, new SourceMap(JSON.parse(bundle.map)))
  const places = new Map<Repository, Position>()
  const module: { exports: { readonly default?: unknown } } = { exports: {} }
  try {
    runWithin(bundle.code, filename, [
      required(recording(places, trace)),
      module,
      module.exports,
      consoleOf(print),
    ])
    return { exported: module.exports.default, places }
  } catch (error) {
    return thrown(error, trace(stackOf(error)) ?? { file: bundle.entry, line: 1, column: 1 })
  }
}

/** Milliseconds; a manifest is data, and a thousand repositories take fifty. */
const patience = 3000

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

/** Only a script can be stopped, not a call: so the call is part of the script. */
function runWithin(code: string, filename: string, parameters: readonly unknown[]): void {
  const key = '__svc_manifest'
  // On the line of the bundle's own "use strict": lines stay what the map says.
  const text = `${key}(function (require, module, exports, console) { ${code}\n})`
  const script = new Script(text, { filename })
  const call = (run: (...given: unknown[]) => void) => run(...parameters)
  Object.assign(globalThis, { [key]: call })
  try {
    script.runInThisContext({ timeout: patience, displayErrors: false })
  } finally {
    Reflect.deleteProperty(globalThis, key)
  }
}

const isTimeout = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'

type Trace = (stack: string) => Position | undefined

/** The innermost place in the manifest that a stack speaks of. */
function tracer(filename: string, map: SourceMap): Trace {
  return (stack) => {
    for (const line of stack.split('\n')) {
      const at = line.lastIndexOf(`${filename}:`)
      if (at === -1) continue
      const [row = 1, column = 1] = line
        .slice(at + filename.length + 1)
        .split(':')
        .map(Number.parseFloat)
      const found = map.findEntry(row - 1, column - 1)
      if (!('originalSource' in found)) continue
      const { originalSource, originalLine, originalColumn } = found
      return { file: originalSource, line: originalLine + 1, column: originalColumn + 1 }
    }
    return undefined
  }
}

/** The vocabulary, remembering where each repository was made. */
function recording(places: Map<Repository, Position>, trace: Trace): typeof vocabulary {
  const recorded: typeof repository = (definition) => {
    const made = repository(definition)
    const place = trace(shortStack())
    if (place !== undefined) places.set(made, place)
    return made
  }
  return { ...vocabulary, repository: recorded }
}

/** Who called the vocabulary: a whole stack per repository takes longer than the repository. */
function shortStack(): string {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 4
  const { stack = '' } = new Error()
  Error.stackTraceLimit = limit
  return stack
}

function required(svckit: typeof vocabulary) {
  return (specifier: string) => {
    if (specifier === 'svckit') return svckit
    throw new ForeignImport(specifier)
  }
}

/** `(0 , import_svckit.text)(...)` is how the bundle says `text(...)`. */
const plain = (text: string) =>
  text.replace(/\(0 ?, ?\w+\.(\w+)\)/g, '$1').replace(/\bimport_\w+\./g, '')

const stackOf = (error: unknown) => (error instanceof Error ? (error.stack ?? '') : '')

function thrown(error: unknown, position: Position): LoadProblem {
  if (error instanceof ForeignImport) {
    return {
      ...position,
      rule: 'foreign-import',
      message: error.message,
      fix: 'what needs a package belongs into app/Hooks or app/Policies',
    }
  }
  if (isTimeout(error)) {
    return {
      ...position,
      rule: 'manifest-hangs',
      message: `the manifest was not read within ${patience / 1000} s, so svc stopped it`,
      fix: 'a manifest is data: leave out what waits, counts or searches',
    }
  }
  const text = plain(error instanceof Error ? error.message : String(error))
  return { ...position, rule: 'manifest-throws', message: `the manifest cannot be read: ${text}` }
}
