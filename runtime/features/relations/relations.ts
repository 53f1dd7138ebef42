import { type Column, columnOf } from '../../model/columns.js'
import { columnNamed } from '../../model/entity-columns.js'
import type { Access, Entity } from '../../model/entity.js'
import type { SortTerm } from '../../model/sql-test.js'
import { reachableRows } from '../../policy/access.js'
import { answerTest } from '../../policy/condition-sql.js'
import { combine } from '../../policy/condition.js'
import { maySeeSome, seenValue } from '../../policy/gates.js'
import { asSql } from '../../policy/predicate.js'
import { searchTests } from '../../query/filter.js'
import { identifier, raw, type Sql, sql } from '../../sql/sql.js'
import {
  accessBehind,
  type BelongsTo,
  type Computed,
  type Entry,
  type HasRelated,
  isLink,
  isMorph,
  type Link,
  maySeeEntry,
  type Member,
  type Pivot,
  type Related,
  type Relation,
  type RelationEntry,
  type Target,
  targetOf,
  type ThroughPivot,
} from './entries.js'
import { foreignErrors } from './foreign-keys.js'
import { includeRelated } from './load.js'
import { relationTest } from './relation-condition.js'
import { joinTo } from './relation-sql.js'

/**
 * The entries that clients may include, with all that comes of them: conditions on relations,
 * search and sort through them, foreign keys. `references` are foreign columns that no entry speaks
 * of: their repository, or null for the id of a morph.
 * @example related({ owner: belongsTo(() => UserRepository, { foreignKey: 'owner_id' }) })
 */
export function related(
  declared: Readonly<Record<string, RelationEntry>>,
  references: Readonly<Record<string, Target | null | undefined>> = {},
): (entity: Entity) => Related {
  return (source) => {
    const all = Object.entries(declared).map(([key, entry]) => entryOf(source, key, entry))
    const links = all.filter(isLink)
    const morphs = all.filter(isMorph)
    const owners = links.flatMap(({ relation }) => (relation.kind === 'belongsTo' ? relation : []))
    const targets = new Map<string, Target | null>([
      ...Object.entries(references).map(([name, target]) => [name, target ?? null] as const),
      ...owners.map(({ foreignKey, target }) => [foreignKey, target] as const),
      ...morphs.map(({ relation }) => [relation.foreignKey, null] as const),
    ])
    const entries = new Map(all.map((entry) => [entry.key, entry]))
    const byKey = new Map(links.map((link) => [link.key, link]))
    return {
      entries,
      links: byKey,
      targets,
      pointers: new Map(
        links.flatMap(({ key, relation }) =>
          relation.kind === 'belongsTo' ? [[key, relation.foreignKey] as const] : [],
        ),
      ),
      names: [...byKey.keys(), ...morphs.map(({ key }) => key)],
      kinds: new Map(all.map(({ key, relation }) => [key, relation.kind])),
      mayInclude: (access, key) => {
        const entry = entries.get(key)
        return entry !== undefined && maySeeEntry(access, entry)
      },
      foreignColumns: new Set(targets.keys()),
      filledColumns: owners.flatMap(({ filledBy, foreignKey }) =>
        filledBy === 'user' ? [foreignKey] : [],
      ),
      sortKeys: links.flatMap(({ key, relation }) =>
        sortableOf(relation).map((name) => `${key}.${name}`),
      ),
      test: (scope, name, tests) => {
        const link = byKey.get(name)
        if (link !== undefined) return relationTest(scope, link, tests)
        return morphs.find(({ key }) => key === name)?.test(scope, tests)
      },
      include: includeRelated,
      search: (access, text) => searchThrough(access, links, text),
      sort: async (access, key, descending) => sortThrough(access, byKey, key, descending),
      foreignErrors: (access, values, connection) =>
        foreignErrors(access, targets, values, connection),
    }
  }
}

function entryOf(source: Entity, key: string, relation: RelationEntry): Entry {
  if (relation.kind === 'computed' || relation.kind === 'member') return { key, relation }
  if (relation.kind === 'morphTo') return relation.entryOf(source, key)
  const toOne = ['belongsTo', 'hasOne', 'morphOne'].includes(relation.kind)
  const { columns = {}, hidden = [] } = 'pivot' in relation ? relation.pivot : {}
  const pivot = new Map(
    Object.entries(columns).map(([name, kind]) => [name, columnOf(name, kind, source.database)]),
  )
  const shownPivot = [...pivot.values()].filter(({ name }) => !hidden.includes(name))
  return { key, source, relation, toOne, pivot, shownPivot }
}

/** Conditions on records that a search finds by a record they belong to and the user may see. */
async function searchThrough(
  access: Access,
  links: readonly Link[],
  text: string,
): Promise<unknown[]> {
  const tests: unknown[] = []
  for (const link of links) {
    if (link.relation.kind !== 'belongsTo' || !maySeeEntry(access, link)) continue
    const owner = accessBehind(access, link)
    const found = searchTests(owner, link.relation.searchable, text)
    if (found.length === 0) continue
    const visible = await reachableRows(owner)
    tests.push({ [link.key]: { is: combine('all', [visible, combine('any', found)]) } })
  }
  return tests
}

const sortableOf = (relation: Relation): readonly string[] =>
  'sortable' in relation ? relation.sortable : []

/**
 * `owner.name`: the value of the record it belongs to, or of its one, where the user may see that;
 * else NULL.
 */
async function sortThrough(
  access: Access,
  links: ReadonlyMap<string, Link>,
  key: string,
  descending: boolean,
): Promise<SortTerm | null> {
  const [head = '', name = ''] = key.split('.', 2)
  const link = links.get(head)
  if (link?.toOne !== true || key !== `${head}.${name}`) return null
  if (!sortableOf(link.relation).includes(name)) return null
  const through = await valueThrough(access, link, name)
  return through && { key, descending, mayBeNull: true, ...through }
}

/** A column of the one record that a relation leads to. */
export interface ThroughOne {
  readonly column: Column
  /** Returns the value, of the table called `alias`; NULL: there is none that the user may see. */
  readonly value: (alias: string) => Sql
}

/**
 * Null: this user knows no such column.
 *
 * @param as How the column is read, where it is not as it stands.
 */
export async function valueThrough(
  access: Access,
  link: Link,
  name: string,
  as: (column: Column, alias: string) => Sql = ({ name: stored }, alias) =>
    identifier(alias, stored),
): Promise<ThroughOne | null> {
  const owner = accessBehind(access, link)
  if (!(maySeeEntry(access, link) && maySeeSome(owner, name))) return null
  const target = targetOf(link)
  const visible = answerTest(target, await reachableRows(owner), 's')
  const column = columnNamed(target, name)
  // The newest of several that point back is the one.
  const isNewest = link.relation.kind !== 'belongsTo'
  const newest = isNewest ? sql` order by ${identifier('s', target.id.name)} desc limit 1` : raw('')
  const value = (alias: string) => {
    const { tables, on } = joinTo(link, alias, 's', 'p')
    const shown = seenValue(owner, name, 's', as(column, 's'))
    return sql`(select ${shown} from ${tables} where ${on} and ${asSql(access, visible).sql}${newest})`
  }
  return { column, value }
}

/**
 * At most one record, pointed at by a column of this table.
 * @example owner: belongsTo(() => UserRepository, { foreignKey: 'owner_id', filledBy: 'user' })
 */
export function belongsTo(
  target: Target,
  options: {
    readonly foreignKey: string
    /** The signed-in user's id is written on store. */
    readonly filledBy?: 'user'
    /** Columns of the related record that `search` reaches. */
    readonly searchable?: readonly string[]
    /** Columns of the related record that `sort=<key>.<column>` reaches. */
    readonly sortable?: readonly string[]
    /** It is included, and not served below its record. */
    readonly routes?: false
  },
): BelongsTo {
  return { kind: 'belongsTo', target, filledBy: null, searchable: [], sortable: [], ...options }
}

interface Points {
  readonly foreignKey: string
}

interface MorphPoints extends Points {
  readonly morphType: string
}

interface OfOne {
  /** Columns of the related record that `sort=<key>.<column>` reaches. */
  readonly sortable?: readonly string[]
}

/** One record that points back; the newest where there are several. */
export function hasOne(target: Target, options: Points & OfOne): HasRelated {
  return { kind: 'hasOne', target, morphType: null, sortable: [], ...options }
}

/** The records that point back. */
export function hasMany(target: Target, options: Points): HasRelated {
  return { kind: 'hasMany', target, morphType: null, sortable: [], ...options }
}

/** One record that points back by type and id; the newest where there are several. */
export function morphOne(target: Target, options: MorphPoints & OfOne): HasRelated {
  return { kind: 'morphOne', target, sortable: [], ...options }
}

/** The records that point back by type and id. */
export function morphMany(target: Target, options: MorphPoints): HasRelated {
  return { kind: 'morphMany', target, sortable: [], ...options }
}

/** Records on the other side of a pivot table; each is shown with its `pivots`. */
export function belongsToMany<const Between extends Pivot>(
  target: Target,
  options: { readonly pivot: Between },
): ThroughPivot {
  return { kind: 'belongsToMany', target, ...options }
}

/** Declares a many-to-many relation whose pivot table several repositories share. */
export function morphToMany<const Between extends Pivot>(
  target: Target,
  options: { readonly pivot: Between },
): ThroughPivot {
  return { kind: 'morphToMany', target, ...options }
}

/**
 * Answered by `computed` of the hooks: for each record, or with `batch` for a whole page at once.
 */
export function computed(options: { readonly batch?: boolean } = {}): Computed {
  return { kind: 'computed', batch: options.batch ?? false }
}

/** A key without a relation of its own: the visible field so named, or another entry's relation. */
export function member(of: 'field'): Member
export function member(of: 'relation', key: string): Member
export function member(of: 'field' | 'relation', key?: string): Member {
  return { kind: 'member', relation: of === 'relation' ? (key ?? null) : null }
}
