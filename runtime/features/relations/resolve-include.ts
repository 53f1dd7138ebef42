import type { Access, StrictQueries } from '../../model/entity.js'
import {
  badParameter,
  type IncludeNode,
  type IncludeTexts,
  type IncludeTree,
  type ShowQuery,
} from '../../query/query.js'
import { accessBehind, type Entry, isLink, isMorph, maySeeEntry, relatedOf } from './entries.js'
import { parseInclude } from './parse-include.js'

/** A related entry that was asked for, that exists, and that this user may ask for. */
export interface ResolvedEntry extends Pick<IncludeNode, 'columns'> {
  readonly key: string
  readonly part: IncludeNode['part'] | undefined
  readonly isCount: boolean
  readonly isList: boolean
  readonly entry: Entry
  readonly children: readonly ResolvedEntry[]
  /** A morph: the same of each repository, by its URI key. */
  readonly parts?: ReadonlyMap<string, ResolvedEntry>
}

interface Rules {
  readonly maxIncludeDepth: number
  readonly strict: StrictQueries | null
}

/** Generous: repositories hold the depth that `config/svc.ts` sets. */
const grammarLimits = { maxDepth: 32, maxPaths: 100 }

/**
 * Reads what a query includes against what the repositories declare. Undeclared keys are ignored,
 * or 400 with the keys that exist; a key the user may not see is like one that is not declared.
 */
export function resolveInclude(access: Access, query: ShowQuery): readonly ResolvedEntry[] {
  const { include, withoutMeta = false } = query
  const tree = treeOf(include)
  const rules = withoutMeta ? { maxIncludeDepth: Infinity, strict: null } : access.entity.settings
  return resolveLevel(access, tree, rules, 1)
}

/** Returns the tree of `include`, read where it is text; throws 400 where it cannot be read. */
export const treeOf = (include: ShowQuery['include'] = []): IncludeTree =>
  isTexts(include) ? parseInclude(include, grammarLimits) : include

function isTexts(include: IncludeTexts | IncludeTree): include is IncludeTexts {
  return Array.isArray(include[0])
}

function resolveLevel(
  access: Access,
  tree: IncludeTree,
  rules: Rules,
  depth: number,
): ResolvedEntry[] {
  if (depth > rules.maxIncludeDepth && tree.length > 0) throw tooDeep(rules.maxIncludeDepth)
  return tree.flatMap((node) => {
    const entry = entryFor(access, node.key)
    if (entry !== null) return [resolveNode(access, node, entry, rules, depth)]
    if (rules.strict !== null) {
      throw rules.strict.key(access, 'include', node.key, keysOf(access))
    }
    return []
  })
}

function resolveNode(
  access: Access,
  node: IncludeNode,
  entry: Entry,
  rules: Rules,
  depth: number,
): ResolvedEntry {
  const { key: name, as: key = name, columns, part, isCount = false } = node
  if (isMorph(entry)) {
    // A name that one of the repositories lacks is allowed: another one may have it.
    const each = Object.assign({}, rules, { strict: null })
    const parts = new Map<string, ResolvedEntry>()
    for (const [type, link] of entry.links) {
      const asked = Object.assign({}, node, node.ofType?.get(type))
      parts.set(type, resolveNode(access, asked, link, each, depth))
    }
    return { key, entry, columns, part, isCount, children: [], isList: false, parts }
  }
  if (!isLink(entry) || isCount) {
    return { key, entry, columns, part, isCount, children: [], isList: false }
  }
  const behind = accessBehind(access, entry)
  checkColumns(behind, columns, rules)
  const children = resolveLevel(behind, node.children, rules, depth + 1)
  return { key, entry, columns, part, isCount, children, isList: !entry.toOne }
}

/** `comments[body|bdoy]`: columns that are not there, or not for this user, as relations are. */
function checkColumns(access: Access, columns: IncludeNode['columns'], { strict }: Rules): void {
  if (strict === null || columns === null) return
  const known = ['id', ...access.shown]
  const unknown = columns.find((name) => !known.includes(name))
  if (unknown !== undefined) throw strict.key(access, 'include', unknown, known)
}

/** The entry behind a key that this user may ask for; a member that forwards to a relation is that relation. */
export function entryFor(access: Access, key: string): Entry | null {
  const related = relatedOf(access.entity)
  const entry = related?.entries.get(key)
  if (entry === undefined || !maySeeEntry(access, entry)) return null
  if (entry.relation.kind !== 'member') return entry
  if (entry.relation.relation === null) return access.shown.includes(key) ? entry : null
  const link = related?.links.get(entry.relation.relation)
  return link !== undefined && maySeeEntry(access, link) ? link : null
}

/** Lists the keys that this user may ask for. */
function keysOf(access: Access): readonly string[] {
  const declared = [...(relatedOf(access.entity)?.entries.keys() ?? [])]
  return declared.filter((name) => entryFor(access, name) !== null)
}

export const tooDeep = (most: number) => badParameter('include', `is nested deeper than ${most}`)

/** Columns that entries read from their records, besides those shown. */
export function needsOf({ entity }: Access, resolved: readonly ResolvedEntry[]): readonly string[] {
  const needs = resolved.flatMap(({ entry: { key, relation } }) => {
    if (relation.kind === 'computed') return [...entity.columns.keys()]
    if (relation.kind === 'member') return [key]
    if (relation.kind === 'morphTo') return [relation.foreignKey, relation.morphType]
    return relation.kind === 'belongsTo' ? [relation.foreignKey] : []
  })
  return [...new Set(needs)].toSorted()
}
