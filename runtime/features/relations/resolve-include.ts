import { badRequest } from '../../errors.js'
import {
  type Access,
  accessTo,
  maySee,
  maySeeEntry,
  newRequest,
  type Shown,
} from '../../policy/access.js'
import type { Settings } from '../../model/definition.js'
import { type Entry, entityOf, isLink, type Link, targetOf } from '../../model/entity.js'
import type { IncludeNode, IncludeTree, RelatedPart } from './parse-include.js'
import type { ShowQuery } from '../../query/parse-query.js'
import type { AnyRepository } from '../../operations/repository.js'
import type { Placeholder } from '../../operations/row-decoder.js'

/** A related entry that was asked for, that exists, and that this user may ask for. */
export interface Wanted extends Placeholder {
  readonly entry: Entry
  /** Columns of the column list, null for all. */
  readonly columns: readonly string[] | null
  readonly children: readonly Wanted[]
  readonly part: RelatedPart | null
  readonly isCount: boolean
}

/**
 * Holds a tree against what the repositories declare. Undeclared keys are ignored, or refused with
 * the keys that exist; a key the user may not see is like one that is not declared.
 */
export function resolveTree(
  access: Access,
  { include = [], withoutMeta = false }: ShowQuery,
  { maxIncludeDepth, strictQueries }: Settings,
): Wanted[] {
  const rules = withoutMeta ? checkedBefore : { maxIncludeDepth, strictQueries }
  return resolveLevel(access, include, rules, 1)
}

type Rules = Pick<Settings, 'maxIncludeDepth' | 'strictQueries'>

const checkedBefore: Rules = { maxIncludeDepth: Infinity, strictQueries: false }

function resolveLevel(access: Access, tree: IncludeTree, rules: Rules, depth: number): Wanted[] {
  if (depth > rules.maxIncludeDepth && tree.length > 0) {
    throw refuse(`The include parameter is nested deeper than ${rules.maxIncludeDepth}.`)
  }
  return tree.flatMap((node) => {
    const entry = entryFor(access, node.key)
    if (entry !== null) return [resolveNode(access, node, entry, rules, depth)]
    if (rules.strictQueries) throw unknownKey(access, node.key)
    return []
  })
}

function resolveNode(
  access: Access,
  node: IncludeNode,
  entry: Entry,
  rules: Rules,
  depth: number,
): Wanted {
  const { columns, part = null, isCount = false } = node
  const wanted = { key: node.as ?? node.key, entry, columns, part, isCount }
  if (!isLink(entry) || isCount) return { ...wanted, children: [], isList: false }
  const target = accessTo(access.request, targetOf(entry))
  const children = resolveLevel(target, node.children, rules, depth + 1)
  return { ...wanted, children, isList: !entry.toOne }
}

/** The entry behind a key; a member that forwards to a relation is that relation. */
function entryFor(access: Access, key: string): Entry | null {
  const { entries, links } = access.entity
  const entry = entries.get(key)
  if (entry === undefined || !maySeeEntry(access, entry)) return null
  if (entry.relation.kind !== 'member') return entry
  if (entry.relation.relation === null) return access.shown.names.includes(key) ? entry : null
  const link = links.get(entry.relation.relation)
  return link !== undefined && maySeeEntry(access, link) ? link : null
}

function unknownKey(access: Access, key: string): Error {
  const known = [...access.entity.entries.keys()].filter((name) => entryFor(access, name) !== null)
  const list = known.length === 0 ? 'nothing' : known.join(', ')
  return refuse(`There is no '${key}' to include with ${access.entity.key}: it has ${list}.`)
}

function refuse(message: string): Error {
  return badRequest(message, { include: [message] })
}

/** Columns that entries of a level read from their records, besides those shown. */
export function needsOf({ entity }: Access, wanted: readonly Wanted[]): string[] {
  const needs = wanted.flatMap(({ entry: { key, relation } }) => {
    if (relation.kind === 'computed') return [...entity.columns.keys()]
    if (relation.kind === 'member') return [key]
    return relation.kind === 'belongsTo' ? [relation.foreignKey] : []
  })
  return [...new Set(needs)]
}

/** What is shown of a related record: a column list limits the attributes, and adds none. */
export function shownOf(access: Access, columns: readonly string[] | null): Shown {
  if (columns === null) return access.shown
  const names = access.shown.names.filter((name) => columns.includes(name))
  return { key: names.join(), names }
}

/** Whether a column may be sorted by through a relation. */
export function maySeeThrough(access: Access, link: Link, column: string): boolean {
  return maySeeEntry(access, link) && maySee(accessTo(access.request, targetOf(link)), column)
}

/** Whether a user may ask for a related entry of the records of a repository. */
export function mayInclude({ definition }: AnyRepository, user: unknown, key: string): boolean {
  const access = accessTo(newRequest(user), entityOf(definition))
  const entry = access.entity.entries.get(key)
  return entry !== undefined && maySeeEntry(access, entry)
}
