import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLError,
  Kind,
  type SelectionSetNode,
  visit,
} from 'graphql'
import { documentError } from './errors.js'

export interface DocumentLimits {
  readonly depth: number
  readonly aliases: number
  readonly fields: number
  /** Levels of a value that is written out in the query. */
  readonly values: number
}

/**
 * Holds a parsed document against the limits before anything else looks at it. Each fragment is
 * measured once, so this takes time in proportion to the document, whatever it spreads where.
 */
export function documentProblem(
  document: DocumentNode,
  limits: DocumentLimits,
): GraphQLError | null {
  if (depthOfValues(document) > limits.values) {
    return limitError(`A value is nested deeper than ${limits.values} levels.`, 'depth')
  }
  const measure = measurer(fragmentsOf(document))
  for (const definition of document.definitions) {
    if (!('selectionSet' in definition)) continue
    const size = measure(definition.selectionSet)
    if (size === null) return limitError('A fragment contains itself.', 'circular')
    // The depth of a fragment counts where it is used.
    if (size.depth > limits.depth && definition.kind === Kind.OPERATION_DEFINITION) {
      return limitError(`The query is nested deeper than ${limits.depth}.`, 'depth')
    }
    for (const name of ['aliases', 'fields'] as const) {
      if (size[name] <= limits[name]) continue
      return limitError(`The query has more than ${limits[name]} ${name}.`, name)
    }
  }
  return null
}

/** A query that is not executed, or not any further. */
export function limitError(message: string, limit: string): GraphQLError {
  return documentError(message, 'QUERY_REFUSED', { limit })
}

export type Fragments = Readonly<Record<string, FragmentDefinitionNode>>

export function fragmentsOf({ definitions }: DocumentNode): Fragments {
  const fragments: Record<string, FragmentDefinitionNode> = Object.create(null)
  for (const definition of definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments[definition.name.value] = definition
  }
  return fragments
}

const repeats = new WeakMap<DocumentNode, number>()

/**
 * Counts how often a value that was read once may be answered: under its name, and under each
 * alias.
 */
export function mostRepeats(document: DocumentNode): number {
  const known = repeats.get(document)
  if (known !== undefined) return known
  let most = 1
  visit(document, { Field: ({ alias }) => void (most += alias === undefined ? 0 : 1) })
  repeats.set(document, most)
  return most
}

/** JSON in a body is held to the same depth. */
function depthOfValues(document: DocumentNode): number {
  let depth = 0
  let deepest = 0
  const nested = {
    enter: () => void (deepest = Math.max(deepest, ++depth)),
    leave: () => void depth--,
  }
  visit(document, { ListValue: nested, ObjectValue: nested })
  return deepest
}

type Size = Record<'depth' | 'aliases' | 'fields', number>

/** Measures selections; null: a fragment contains itself. */
function measurer(fragments: Fragments): (set: SelectionSetNode | undefined) => Size | null {
  const known = new Map<string, Size | null>()

  const measureFragment = (name: string): Size | null => {
    const size = known.get(name)
    if (size !== undefined) return size
    // While it is measured: whoever comes by again is inside it.
    known.set(name, null)
    const measured = measure(fragments[name]?.selectionSet)
    known.set(name, measured)
    return measured
  }

  const measure = (set: SelectionSetNode | undefined): Size | null => {
    const total = { depth: 0, aliases: 0, fields: 0 }
    for (const node of set?.selections ?? []) {
      const isSpread = node.kind === Kind.FRAGMENT_SPREAD
      const below = isSpread ? measureFragment(node.name.value) : measure(node.selectionSet)
      if (below === null) return null
      total.aliases += below.aliases
      total.fields += below.fields
      if (node.kind !== Kind.FIELD) {
        total.depth = Math.max(total.depth, below.depth)
        continue
      }
      // A validation rule of its own bounds questions about the schema.
      const depth = node.name.value.startsWith('__') ? 1 : below.depth + 1
      total.depth = Math.max(total.depth, depth)
      total.aliases += node.alias === undefined ? 0 : 1
      total.fields += 1
    }
    return total
  }
  return measure
}
