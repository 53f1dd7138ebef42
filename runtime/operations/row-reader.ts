import { LRUCache } from 'lru-cache'
import type { RawRow } from '../database/types.js'
import type { Column, ColumnKind } from '../model/columns.js'
import { columnNamed } from '../model/entity-columns.js'
import type { Access, Entity, Row } from '../model/entity.js'
import { nullPrototypeObject } from '../model/get-own.js'
import type { Included } from '../model/included.js'
import { metaOf, type Resource } from '../model/resource.js'
import type { Test } from '../model/sql-test.js'
import type { Flags } from '../policy/access.js'
import { identifier, isSame, join, type Sql, sql } from '../sql/sql.js'

/** Kinds whose values may be of any length. */
export const textKinds: ReadonlySet<ColumnKind> = new Set(['text', 'password', 'uuid', 'json'])

/** What to read of each record. */
export interface ColumnSelection {
  /** Attributes that are shown. */
  readonly shown: readonly string[]
  /** Columns read besides those: keys that relations need. */
  readonly needs: readonly string[]
  /** Null: no `meta`. */
  readonly flags: Flags | null
}

/** What is shown of a record: a column list limits the attributes, and adds none. */
export function shownOf(
  { shown }: Access,
  columns: readonly string[] | null = null,
): readonly string[] {
  return columns === null ? shown : shown.filter((name) => columns.includes(name))
}

export const allColumns = ({ columns }: Entity): ColumnSelection => ({
  shown: [],
  needs: [...columns.keys()],
  flags: null,
})

/**
 * How the rows of one statement become resources. Columns come first, the id before all; then the
 * flags that only the database can answer; what a statement adds (a parent's place, pivots) comes
 * last, from `width` on.
 */
export interface RowReader {
  readonly positions: ReadonlyMap<string, number>
  readonly width: number
  readonly columns: readonly Column[]
  /** What to select of the table called `alias`; empty: in RETURNING. */
  select(alias: string): Sql
  /** The same of `t0`, with its columns as they are given. */
  selectAs(list: Sql): Sql
  /** Where a row holds text that is shown. */
  readonly texts: readonly number[]
  /** Those of them that hold JSON. */
  readonly json: readonly number[]
  /** Bytes of all else that is shown, names too: never fewer. */
  readonly rest: number
  /** Decodes in place: drivers hand over fresh rows, and a request holds thousands. */
  decode(raw: RawRow): unknown[]
  /** A decoded row as hooks see it: every column that was read, by name. */
  object(row: readonly unknown[]): Row
  /** A resource without its related entries; their keys are there, to be filled in later. */
  resource(row: readonly unknown[], included?: Included['keys']): Resource
}

export function rowReader(entity: Entity, { shown, needs, flags }: ColumnSelection): RowReader {
  const read = columnsOf(entity, shown, needs)
  const { names, decoders, attributes } = read
  const { tests, isSet } = flagReader(flags, names.length)
  const store = flags?.store === true

  return {
    positions: read.positions,
    columns: read.columns,
    width: names.length + tests.length,
    select: (alias) => withTests(read.lists.get(alias) ?? columnList(read.columns, alias), tests),
    selectAs: (list) => withTests(list, tests),
    texts: read.texts,
    json: read.json,
    rest: read.rest + (flags === null ? 0 : 130),
    decode: (raw) => {
      const row = raw as unknown[] // ours alone, see above
      for (const { at, decode } of decoders) {
        const stored = row[at]
        if (stored !== null) row[at] = decode(stored)
      }
      return row
    },
    object: (row) => {
      const object: Row = {}
      for (let at = 0; at < names.length; at++) object[names[at] ?? ''] = row[at]
      return object
    },
    resource: (row, included = []) => {
      const values = nullPrototypeObject()
      for (const { name, at, asText } of attributes) {
        const value = row[at]
        values[name] = asText && value !== null ? String(value) : value
      }
      const resource: Resource = { id: String(row[0]), type: entity.key, attributes: values }
      if (included.length > 0) resource.relationships = unfilled(included)
      if (flags !== null) {
        // A record just written may be hidden from the user: there is nothing more to do with it.
        const show = isSet(row, 0)
        resource.meta = metaOf(show, store, show && isSet(row, 1), show && isSet(row, 2))
      }
      return resource
    },
  }
}

const withTests = (list: Sql, tests: readonly Sql[]): Sql =>
  tests.length === 0 ? list : sql`${list}, (${join(tests, '), (')})`

const columnList = (columns: readonly Column[], alias: string): Sql =>
  join(columns.map(({ name }) => (alias === '' ? identifier(name) : identifier(alias, name))))

type Columns = ReturnType<typeof lookUp>

/** Clients choose attributes and relations, so what is known of each repository is bounded. */
const known = new WeakMap<Entity, LRUCache<string, Columns>>()

/** What is read and how, looked up once for each list of columns. */
function columnsOf(entity: Entity, shown: readonly string[], needs: readonly string[]): Columns {
  const lists = known.get(entity) ?? new LRUCache<string, Columns>({ max: 200 })
  known.set(entity, lists)
  const key = `${shown === entity.attributes ? '*' : shown.join()}|${needs.join()}`
  const found = lists.get(key)
  if (found !== undefined) return found
  const columns = lookUp(entity, shown, needs)
  lists.set(key, columns)
  return columns
}

function lookUp(entity: Entity, shown: readonly string[], needs: readonly string[]) {
  const names = [...new Set(['id', ...shown, ...needs])]
  const positions = new Map(names.map((name, at) => [name, at]))
  const foreign = entity.relations?.foreignColumns
  const columns = names.map((name) => columnNamed(entity, name))
  const attributes = shown.map((name) => {
    const { kind, precision } = columnNamed(entity, name)
    const asText = foreign?.has(name) === true
    return { name, at: positions.get(name) ?? 0, asText, kind, precision }
  })
  return {
    names,
    columns,
    positions,
    texts: attributes.flatMap(({ kind, at }) => (textKinds.has(kind) ? [at] : [])),
    json: attributes.flatMap(({ kind, at }) => (kind === 'json' ? [at] : [])),
    lists: new Map(['t0', ''].map((alias) => [alias, columnList(columns, alias)])),
    decoders: columns.flatMap(({ decode }, at) => (decode === null ? [] : [{ at, decode }])),
    rest: attributes.reduce((sum, { name, precision }) => sum + name.length + precision + 32, 60),
    attributes,
  }
}

/** Flags in the order show, update, delete: constants, or values behind the columns. */
function flagReader(flags: Flags | null, width: number) {
  const tests: Sql[] = []
  const read = (test: Test): boolean | number => {
    if (test === null || typeof test === 'boolean') return test === true
    // Who may update may often delete as well: asked once.
    const known = tests.findIndex((each) => isSame(each, test.sql))
    return width + (known === -1 ? tests.push(test.sql) - 1 : known)
  }
  const places = flags === null ? [] : [flags.show, flags.update, flags.delete].map(read)
  const isSet = (row: readonly unknown[], at: number): boolean => {
    const place = places[at] ?? false
    if (typeof place === 'boolean') return place
    return row[place] === true || row[place] === 1
  }
  return { tests, isSet }
}

function unfilled(included: Included['keys']): Record<string, unknown> {
  const relationships = nullPrototypeObject()
  for (const { key, isList } of included) relationships[key] = isList ? [] : null
  return relationships
}

const noRelated: Record<string, unknown> = Object.freeze(nullPrototypeObject())

/** Says of records without related entries that these were looked for, and are none. */
export function markIncluded(resources: readonly Resource[]): void {
  for (const resource of resources) resource.relationships ??= noRelated
}
