import { LRUCache } from 'lru-cache'
import type { RawRow } from '../database/types.js'
import { selected } from '../model/column-sql.js'
import type { Column } from '../model/columns.js'
import { columnNamed } from '../model/entity-columns.js'
import type { Access, Entity, Row } from '../model/entity.js'
import { nullPrototypeObject } from '../model/get-own.js'
import type { Included } from '../model/included.js'
import { jsonOf } from '../model/json-of.js'
import type { ReadValue } from '../model/queries.js'
import { type Meta, metaOf, type Resource } from '../model/resource.js'
import type { Test } from '../model/sql-test.js'
import { WrongValueError } from '../model/wrong-value.js'
import type { Flags } from '../policy/access.js'
import { type Masks, noMasks } from '../policy/gates.js'
import { identifier, isSame, join, type Sql, sql } from '../sql/sql.js'

/** The columns to read of each record. */
export interface ColumnSelection {
  /** Attributes that are shown. */
  readonly shown: readonly string[]
  /** In which rows the user sees columns that they do not see in all. */
  readonly masks: Masks
  /** Columns read besides those: keys that relations need. */
  readonly needs: readonly string[]
  /** Null: no `meta`. */
  readonly flags: Flags | null
  /** Values that features read with the record. */
  readonly values?: readonly ReadValue[]
}

/** Lists the attributes that are shown: a column list limits them, and adds none. */
export function shownOf(
  { shown, entity }: Access,
  columns: readonly string[] | null = null,
): readonly string[] {
  if (columns === null) return shown
  const asked = shown.filter((name) => columns.includes(name))
  for (const [, column] of entity.extensions.length === 0 ? [] : metaOfExtensions(entity)) {
    // Everybody sees it who sees the record; where there is no `meta`, it is asked for by its name.
    if (columns.includes(column)) asked.push(column)
  }
  return asked
}

export const allColumns = ({ columns }: Entity): ColumnSelection => ({
  shown: [],
  masks: noMasks,
  needs: [...columns.keys()],
  flags: null,
})

/**
 * How the rows of one statement become resources. Columns come first, the id before all; then the
 * flags that only the database can answer, and values of features; what a statement adds (a parent's place, pivots) comes
 * last, from `width` on.
 */
export interface RowReader {
  readonly positions: ReadonlyMap<string, number>
  /** Returns true if the user sees a column of a row; null: they see all columns that were read. */
  readonly isSeen: ((row: readonly unknown[], column: string) => boolean) | null
  readonly width: number
  readonly columns: readonly Column[]
  /** Returns the columns to select of the table called `alias`; empty: for RETURNING. */
  select(alias: string): Sql
  /** Returns the columns to select of `t0`, with this list of columns. */
  selectAs(list: Sql): Sql
  /** The indexes of shown texts in a row. */
  readonly texts: readonly number[]
  /** The indexes of those that hold JSON. */
  readonly json: readonly number[]
  /** Bytes of all else that is shown, names too: never fewer. */
  readonly rest: number
  /** Decodes in place: drivers hand over fresh rows, and a request holds thousands. */
  decode(raw: RawRow): unknown[]
  /** A decoded row as hooks see it: every column that was read, by name. */
  object(row: readonly unknown[]): Row
  /** A resource without its related entries; their keys are there, to be filled in later. */
  resource(row: readonly unknown[], included?: Included['keys']): Resource
  /** The JSON of the resource of a decoded row, as `JSON.stringify` writes it. */
  toJson(row: readonly unknown[]): string
}

export function rowReader(
  entity: Entity,
  { shown, masks, needs, flags, values: given = [] }: ColumnSelection,
): RowReader {
  const read = columnsOf(entity, shown, needs, flags !== null)
  const { names, decoders, attributes, metaMembers } = read
  const { tests, isSet, isSeen } = flagReader(flags, masks, names.length)
  const meta = flags === null ? null : metaReader(flags, isSet, metaMembers)
  const first = names.length + tests.length
  const beside = given.length === 0 ? tests : [...tests, ...given.map(({ value }) => value)]
  const wrong = (row: RawRow, at: number) => {
    const field = names[at] ?? ''
    const isShown = at === 0 || shown.includes(field)
    const place = { repository: entity.key, field, id: row[0], isShown }
    return new WrongValueError(columnNamed(entity, field), row[at], place)
  }

  let toJson: RowReader['toJson'] | null = null
  const metaJson =
    meta === null ? null : jsonOfMeta(meta, metaMembers.length + (flags?.more.length ?? 0))

  return {
    positions: read.positions,
    isSeen,
    columns: read.columns,
    width: first + given.length,
    select: (alias) => withMore(read.lists.get(alias) ?? columnList(read.columns, alias), beside),
    selectAs: (list) => withMore(list, beside),
    texts: read.texts,
    json: read.json,
    rest: read.rest + (flags === null ? 0 : 130),
    decode: (raw) => {
      const row = raw as unknown[] // ours alone, see above
      for (const { at, decode } of decoders) {
        const stored = row[at]
        if (stored === null) continue
        const value = decode(stored)
        if (value === undefined) throw wrong(row, at)
        row[at] = value
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
        const value = isSeen === null || isSeen(row, name) ? row[at] : null
        values[name] = asText && value !== null ? String(value) : value
      }
      const resource: Resource = { id: String(row[0]), type: entity.key, attributes: values }
      if (included.length > 0) resource.relationships = unfilled(included)
      if (meta !== null) resource.meta = meta(row)
      for (let at = 0; at < given.length; at++) given[at]?.show(resource, row[first + at])
      return resource
    },
    toJson: (row) => (toJson ??= jsonWriter(entity.key, attributes, isSeen, metaJson))(row),
  }
}

type Attributes = Columns['attributes']

/** Writes the JSON of a resource, one attribute after the other. */
function jsonWriter(
  key: string,
  attributes: Attributes,
  isSeen: RowReader['isSeen'],
  metaJson: ((row: readonly unknown[]) => string) | null,
) {
  const type = `,"type":${jsonOf(key)},"attributes":{`
  const before = attributes.map(({ name }, at) => `${at === 0 ? '' : ','}${jsonOf(name)}:`)
  return (row: readonly unknown[]): string => {
    let json = `{"id":${jsonOf(String(row[0]))}${type}`
    attributes.forEach(({ name, at, asText }, index) => {
      const value = isSeen === null || isSeen(row, name) ? row[at] : null
      json += before[index] + jsonOf(asText && value !== null ? String(value) : value)
    })
    return metaJson === null ? `${json}}}` : `${json}},"meta":${metaJson(row)}}`
  }
}

/** The JSON of `meta`. Flags alone have sixteen forms, each of which is one object. */
function jsonOfMeta(meta: (row: readonly unknown[]) => Meta, others: number) {
  const known = new Map<Meta, string>()
  return (row: readonly unknown[]): string => {
    const value = meta(row)
    if (others > 0) return JSON.stringify(value)
    const json = known.get(value) ?? JSON.stringify(value)
    known.set(value, json)
    return json
  }
}

const withMore = (list: Sql, more: readonly Sql[]): Sql =>
  more.length === 0 ? list : sql`${list}, (${join(more, '), (')})`

const columnList = (columns: readonly Column[], alias: string): Sql =>
  join(
    columns.map((column) => {
      const { name } = column
      return selected(column, alias === '' ? identifier(name) : identifier(alias, name))
    }),
  )

type Columns = ReturnType<typeof lookUp>

/** Clients choose attributes and relations, so what is known of each repository is bounded. */
const known = new WeakMap<Entity, LRUCache<string, Columns>>()

/** Finds the columns to read, looked up once for each list. */
function columnsOf(
  entity: Entity,
  shown: readonly string[],
  needs: readonly string[],
  hasMeta: boolean,
): Columns {
  const lists = known.get(entity) ?? new LRUCache<string, Columns>({ max: 200 })
  known.set(entity, lists)
  const key = `${shown === entity.attributes ? '*' : shown.join()}|${needs.join()}|${hasMeta}`
  const found = lists.get(key)
  if (found !== undefined) return found
  const columns = lookUp(entity, shown, needs, hasMeta ? metaOfExtensions(entity) : [])
  lists.set(key, columns)
  return columns
}

/** Members of `meta` that extensions add, and their columns. */
const metaOfExtensions = ({ extensions }: Entity) =>
  extensions.flatMap(({ says }) => Object.entries(says?.meta ?? {}))

function lookUp(
  entity: Entity,
  shown: readonly string[],
  needs: readonly string[],
  meta: readonly (readonly [string, string])[],
) {
  const names = [...new Set(['id', ...shown, ...needs, ...meta.map(([, column]) => column)])]
  const positions = new Map(names.map((name, at) => [name, at]))
  const foreign = entity.relations?.foreignColumns
  const columns = names.map((name) => columnNamed(entity, name))
  const placed = (name: string, column: string) => {
    const { storage, precision } = columnNamed(entity, column)
    return { name, at: positions.get(column) ?? 0, storage, precision }
  }
  const attributes = shown.map((name) =>
    Object.assign(placed(name, name), { asText: foreign?.has(name) === true }),
  )
  const metaMembers = meta.map(([name, column]) => placed(name, column))
  const written = [...attributes, ...metaMembers]
  return {
    names,
    columns,
    positions,
    texts: written.flatMap(({ storage, at }) => (storage.isLong ? [at] : [])),
    json: written.flatMap(({ storage, at }) => (storage.isJson ? [at] : [])),
    lists: new Map(['t0', ''].map((alias) => [alias, columnList(columns, alias)])),
    decoders: columns.flatMap(({ decode }, at) => (decode === null ? [] : [{ at, decode }])),
    rest: written.reduce((sum, { name, precision }) => sum + name.length + precision + 32, 60),
    attributes,
    metaMembers,
  }
}

/** Returns true if flags and masks read the written row alone, so that RETURNING can answer them. */
export const isDecidedByRow = (flags: Flags, masks: Masks): boolean =>
  [...testsOf(flags), ...masks.values()].every(
    (test) => test === null || typeof test === 'boolean' || test.isOwnRow,
  )

/** Lists the tests of a record's flags. */
const testsOf = ({ show, update, delete: remove, more }: Flags): Test[] => [
  show,
  update,
  remove,
  ...more.map(([, test]) => test),
]

/**
 * Flags in the order show, update, delete, more: constants, or values behind the columns. So are the
 * masks of attributes; `isSeen` is null where every row shows all of them.
 */
function flagReader(flags: Flags | null, masks: Masks, width: number) {
  const tests: Sql[] = []
  const read = (test: Test): boolean | number => {
    if (test === null || typeof test === 'boolean') return test === true
    // A user who may update may often delete as well: that is asked once.
    const known = tests.findIndex((each) => isSame(each, test.sql))
    return width + (known === -1 ? tests.push(test.sql) - 1 : known)
  }
  const places = flags === null ? [] : testsOf(flags).map(read)
  const masked = new Map([...masks].map(([name, mask]) => [name, read(mask)] as const))
  const holds = (row: readonly unknown[], place: boolean | number): boolean =>
    typeof place === 'boolean' ? place : row[place] === true || row[place] === 1
  return {
    tests,
    isSet: (row: readonly unknown[], at: number) => holds(row, places[at] ?? false),
    isSeen:
      masked.size === 0
        ? null
        : (row: readonly unknown[], name: string) => holds(row, masked.get(name) ?? true),
  }
}

/** Makes the `meta` of a record: flags, and members of features. */
const metaReader =
  (
    { more, store }: Flags,
    isSet: (row: readonly unknown[], at: number) => boolean,
    members: Columns['metaMembers'],
  ) =>
  (row: readonly unknown[]): Meta => {
    // A record just written may be hidden from the user: there is nothing more to do with it.
    const show = isSet(row, 0)
    let meta = metaOf(show, store, show && isSet(row, 1), show && isSet(row, 2))
    if (members.length > 0) meta = withMembers(meta, members, row)
    for (const [at, [name]] of more.entries()) {
      meta = Object.assign({}, meta, { [name]: show && isSet(row, 3 + at) })
    }
    return meta
  }

function withMembers(flags: Meta, members: Columns['metaMembers'], row: readonly unknown[]): Meta {
  const added = nullPrototypeObject()
  for (const { name, at } of members) added[name] = row[at]
  return Object.assign({}, flags, added)
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
