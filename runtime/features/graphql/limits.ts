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

interface Size {
  readonly depth: number
  readonly aliases: number
  readonly fields: number
}

/**
 * Holds a parsed document against the limits before anything else looks at it. Each fragment is
 * measured once, so this takes time in proportion to the document, whatever it spreads where.
 */
export function documentProblem(
  document: DocumentNode,
  limits: DocumentLimits,
): GraphQLError | null {
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) {
      fragments.set(definition.name.value, definition)
    }
  }
  if (isDeep(document, limits.values)) {
    return refused(`A value is nested deeper than ${limits.values} levels.`, 'depth')
  }
  const measure = measurer(fragments)
  for (const definition of document.definitions) {
    if (!('selectionSet' in definition)) continue
    const size = measure(definition.selectionSet)
    if (size === null) return refused('A fragment contains itself.', 'circular')
    for (const name of ['depth', 'aliases', 'fields'] as const) {
      // How deep a fragment is counts where it is used.
      if (name === 'depth' && definition.kind === Kind.FRAGMENT_DEFINITION) continue
      if (size[name] > limits[name]) return tooMuch(name, limits[name])
    }
  }
  return null
}

/** JSON in a body is held to the same depth. */
function isDeep(document: DocumentNode, limit: number): boolean {
  let depth = 0
  let deepest = 0
  const enter = () => {
    depth += 1
    deepest = Math.max(deepest, depth)
  }
  const leave = () => {
    depth -= 1
  }
  const nested = { enter, leave }
  visit(document, { ListValue: nested, ObjectValue: nested })
  return deepest > limit
}

function tooMuch(name: keyof Size, limit: number): GraphQLError {
  if (name === 'depth') return refused(`The query is nested deeper than ${limit}.`, name)
  return refused(`The query has more than ${limit} ${name}.`, name)
}

/** A document that was not looked at any further. */
export function refused(message: string, limit: string): GraphQLError {
  const error = documentError(message, 'QUERY_REFUSED')
  error.extensions['limit'] = limit
  return error
}

/** Null: a fragment contains itself. */
function measurer(fragments: ReadonlyMap<string, FragmentDefinitionNode>) {
  const known = new Map<string, Size | null>()
  const ofFragment = (name: string): Size | null => {
    const size = known.get(name)
    if (size !== undefined) return size
    known.set(name, null)
    const fragment = fragments.get(name)
    const measured = fragment === undefined ? nothing : measure(fragment.selectionSet)
    known.set(name, measured)
    return measured
  }
  const measure = ({ selections }: SelectionSetNode): Size | null => {
    const total = { depth: 0, aliases: 0, fields: 0 }
    for (const selection of selections) {
      const isField = selection.kind === Kind.FIELD
      const inner =
        selection.kind === Kind.FRAGMENT_SPREAD
          ? ofFragment(selection.name.value)
          : below(selection.selectionSet)
      if (inner === null) return null
      // What is asked about the schema is bounded by a validation rule of its own.
      const isAboutSchema = isField && selection.name.value.startsWith('__')
      total.depth = Math.max(total.depth, isAboutSchema ? 1 : inner.depth + (isField ? 1 : 0))
      total.aliases += inner.aliases + (isField && selection.alias !== undefined ? 1 : 0)
      total.fields += inner.fields + (isField ? 1 : 0)
    }
    return total
  }
  const below = (set: SelectionSetNode | undefined) => (set === undefined ? nothing : measure(set))
  return measure
}

const nothing: Size = { depth: 0, aliases: 0, fields: 0 }
