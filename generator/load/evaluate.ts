import { SourceMap } from 'node:module'
import { join } from 'node:path'
import { compileFunction } from 'node:vm'
import * as entries from '../manifest/entries.js'
import * as kinds from '../manifest/kinds.js'
import { defineManifest } from '../manifest/manifest.js'
import * as relations from '../manifest/relations.js'
import { repository, type Repository } from '../manifest/repository.js'
import type { Bundle } from './bundle.js'
import type { LoadProblem, Position } from './position.js'
import { ForeignImport, thrown } from './thrown.js'

export interface Evaluated {
  readonly exported: unknown
  /** Where `repository` was called for each of them. */
  readonly places: ReadonlyMap<Repository, Position>
}

/** What `generator/index.ts` gives; a test compares the two. */
export const vocabulary = { ...kinds, ...relations, ...entries, repository, defineManifest }

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
    const stack = error instanceof Error ? error.stack : onlyThrow(bundle.code, filename)
    const place = trace(stack ?? '') ?? { file: bundle.entry, line: 1, column: 1 }
    return thrown(error, place, vocabulary)
  }
}

/** What is thrown without a stack comes from here, when only one place of the manifest throws. */
function onlyThrow(code: string, filename: string): string | undefined {
  const places = code
    .split('\n')
    .flatMap((line, row) => [...line.matchAll(/\bthrow\b/g)].map(({ index }) => [row, index]))
  const [row = 0, column = 0] = places[0] ?? []
  return places.length === 1 ? `${filename}:${row + 1}:${column + 1}` : undefined
}

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
    const place = trace(new Error().stack ?? '')
    if (place !== undefined) places.set(made, place)
    return made
  }
  return { ...vocabulary, repository: recorded }
}

function required(svckit: typeof vocabulary) {
  return (specifier: string) => {
    if (specifier === 'svckit') return svckit
    throw new ForeignImport(specifier)
  }
}
