import { SourceMap } from 'node:module'
import { join } from 'node:path'
import { compileFunction } from 'node:vm'
import * as vocabulary from '../index.js'
import type { Repository } from '../manifest/repository.js'
import type { Bundle } from './bundle.js'
import type { LoadProblem, Position } from './position.js'

export interface Evaluated {
  readonly exported: unknown
  /** Where `repository` was called for each of them. */
  readonly places: ReadonlyMap<Repository, Position>
}

/** A manifest asked for something else than the vocabulary and its own files. */
class ForeignImport extends Error {
  constructor(readonly specifier: string) {
    super(`the manifest imports '${specifier}', and it may import only 'svckit' and its own files`)
  }
}

/** Runs a bundled manifest against the vocabulary of this very generator. */
export function evaluate(bundle: Bundle, root: string): Evaluated | LoadProblem {
  const filename = join(root, 'manifest.cjs')
  const trace = tracer(filename, new SourceMap(JSON.parse(bundle.map)))
  const places = new Map<Repository, Position>()
  const module: { exports: { readonly default?: unknown } } = { exports: {} }
  try {
    const run = compileFunction(bundle.code, ['require', 'module', 'exports'], { filename })
    run(required(recording(places, trace)), module, module.exports)
    return { exported: module.exports.default, places }
  } catch (error) {
    return thrown(error, trace(stackOf(error)) ?? { file: bundle.entry, line: 1, column: 1 })
  }
}

type Trace = (stack: string) => Position | undefined

/** The innermost place in the manifest that a stack speaks of. */
function tracer(filename: string, map: SourceMap): Trace {
  return (stack) => {
    for (const line of stack.split('\n')) {
      const at = line.lastIndexOf(`${filename}:`)
      if (at === -1) continue
      const [row = 1, column = 1] = line.slice(at + filename.length + 1).split(':').map(Number.parseFloat)
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
  const make = vocabulary.repository
  const repository: typeof make = (definition) => {
    const made = make(definition)
    const place = trace(new Error().stack ?? '')
    if (place !== undefined) places.set(made, place)
    return made
  }
  return { ...vocabulary, repository }
}

function required(svckit: typeof vocabulary) {
  return (specifier: string) => {
    if (specifier === 'svckit') return svckit
    throw new ForeignImport(specifier)
  }
}

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
  const text = error instanceof Error ? error.message : String(error)
  return { ...position, rule: 'manifest-throws', message: `the manifest cannot be read: ${text}` }
}
