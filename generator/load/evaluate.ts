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
  const text = plain(error instanceof Error ? error.message : String(error))
  return { ...position, rule: 'manifest-throws', message: `the manifest cannot be read: ${text}` }
}
