import { sql } from 'kysely'
import type { RawRow } from '../database/types.js'
import { type Flags, noPart, type Shown } from '../policy/access.js'
import type { Column, Decode } from '../model/columns.js'
import { columnsRead, type Evaluate, evaluator, isDecidable } from '../policy/condition-memory.js'
import { conditionSql, type Sql } from '../policy/condition-sql.js'
import type { Row } from '../model/definition.js'
import type { Described } from '../policy/parse-condition.js'
import { columnNamed, type Entity } from '../model/entity.js'
import { bare } from '../model/own.js'
import type { Part } from '../sql/statement-cache.js'
import { metaOf, type Resource } from '../model/resource.js'

/** What to read of each record. */
export interface Want {
  readonly shown: Shown
  /** Columns read besides those shown: keys that relations need. */
  readonly needs: readonly string[]
  /** Null: no `meta`. */
  readonly flags: Flags | null
}

/** The parts every statement that reads records begins with; more may follow. */
export const filterPart = 0
const updatePart = 1
const deletePart = 2
const showPart = 3
export const firstOwnPart = 4

export function partsOf(filter: Part, flags: Flags | null): Part[] {
  return flags === null
    ? [filter, noPart, noPart, noPart]
    : [filter, flags.update, flags.delete, flags.show]
}

/** The structure of a want, for keys of plans. */
export function wantKey({ shown, needs, flags }: Want): string {
  const columns = `${shown.key}|${needs.join()}`
  return flags === null
    ? columns
    : `${columns}|${flags.update.key}|${flags.delete.key}|${flags.show.key}`
}

/**
 * How the rows of one statement become resources. Columns come first, the id before all; then the
 * flags that only the database can answer; what a statement adds (a parent's place, pivots) comes
 * last.
 */
export interface Selection {
  readonly entity: Entity
  readonly columns: readonly Column[]
  readonly positions: ReadonlyMap<string, number>
  /** Number of values this selection reads; what a statement adds begins here. */
  readonly width: number
  readonly decoders: readonly { readonly at: number; readonly decode: NonNullable<Decode> }[]
  readonly attributes: readonly Attribute[]
  readonly flags: Record<'show' | 'update' | 'delete', Flag> | null
  /** Conditions the database answers, in order, behind the columns. */
  readonly asked: readonly { readonly described: Described; readonly part: number }[]
}

interface Attribute {
  readonly name: string
  readonly at: number
  /** Foreign keys are text in JSON. */
  readonly asText: boolean
}

interface Flag {
  readonly part: number
  /** Null: the database answers at position `at`. */
  readonly evaluate: Evaluate | null
  readonly at: number
}

export function createSelection(entity: Entity, want: Want): Selection {
  const columns = columnsOf(entity, want)
  const positions = new Map(columns.map(({ name }, at) => [name, at]))
  const place = (name: string) => positions.get(name) ?? 0
  const { flags, asked } = readFlags(want.flags, place, columns.length)
  return {
    entity,
    columns,
    positions,
    width: columns.length + asked.length,
    decoders: columns.flatMap(({ decode }, at) => (decode === null ? [] : [{ at, decode }])),
    attributes: want.shown.names.map((name) => ({
      name,
      at: place(name),
      asText: entity.foreign.has(name),
    })),
    flags,
    asked,
  }
}

/** The id, what is shown, what relations need, and what flags are decided by. */
function columnsOf(entity: Entity, { shown, needs, flags }: Want): Column[] {
  const conditions = flags === null ? [] : [flags.show, flags.update, flags.delete]
  const read = conditions.flatMap(({ node }) => (isDecidable(node) ? columnsRead(node) : []))
  const names = new Set(['id', ...shown.names, ...needs, ...read])
  return [...names].map((name) => columnNamed(entity, name))
}

/** How each flag is known: decided in memory, or asked for behind the columns. */
function readFlags(
  flags: Flags | null,
  place: (column: string) => number,
  width: number,
): Pick<Selection, 'flags' | 'asked'> {
  if (flags === null) return { flags: null, asked: [] }
  const asked: Selection['asked'][number][] = []
  const read = (described: Described, part: number): Flag => {
    const { node } = described
    if (isDecidable(node)) return { part, evaluate: evaluator(node, place), at: 0 }
    return { part, evaluate: null, at: width + asked.push({ described, part }) - 1 }
  }
  const readers = {
    show: read(flags.show, showPart),
    update: read(flags.update, updatePart),
    delete: read(flags.delete, deletePart),
  }
  return { flags: readers, asked }
}

/** What to select from the table called `alias`. */
export function selected({ entity, columns, asked }: Selection, alias: string): Sql[] {
  const flags = asked.map(
    ({ described, part }) => sql`(${conditionSql(entity.dialect, described.node, part, alias)})`,
  )
  return [...columns.map(({ name }) => sql.id(alias, name)), ...flags]
}

/** Decodes in place: drivers hand over fresh rows, and a request holds thousands. */
export function decodeRow({ decoders }: Selection, raw: RawRow): unknown[] {
  const row = raw as unknown[] // ours alone, see above
  for (const { at, decode } of decoders) {
    const stored = row[at]
    if (stored !== null) row[at] = decode(stored)
  }
  return row
}

/** A decoded row as hooks see it: every column that was read, by name. */
export function rowObject({ columns }: Selection, row: readonly unknown[]): Row {
  const object: Row = {}
  for (let at = 0; at < columns.length; at++) {
    const column = columns[at]
    if (column !== undefined) object[column.name] = row[at]
  }
  return object
}

/** A resource without its related entries; `related` are their keys, to be filled in later. */
export function resourceOf(
  selection: Selection,
  row: readonly unknown[],
  parts: readonly Part[],
  store: boolean,
  related: readonly Placeholder[],
): Resource {
  const attributes = bare()
  for (const { name, at, asText } of selection.attributes) {
    const value = row[at]
    attributes[name] = asText && value !== null ? String(value) : value
  }
  const resource: Resource = { id: String(row[0]), type: selection.entity.key, attributes }
  if (related.length > 0) resource.relationships = placeholders(related)
  const { flags } = selection
  if (flags !== null) {
    const { show, update, delete: del } = flags
    // A record just written may be one the user cannot see: there is nothing more to do with it.
    const isVisible = isSet(show, row, parts)
    resource.meta = metaOf(
      isVisible,
      store,
      isVisible && isSet(update, row, parts),
      isVisible && isSet(del, row, parts),
    )
  }
  return resource
}

/** A related entry before it is loaded: the order of keys is the order asked for. */
export interface Placeholder {
  readonly key: string
  readonly isList: boolean
}

function placeholders(related: readonly Placeholder[]): Record<string, unknown> {
  const relationships = bare()
  for (const { key, isList } of related) relationships[key] = isList ? [] : null
  return relationships
}

function isSet(
  { evaluate, at, part }: Flag,
  row: readonly unknown[],
  parts: readonly Part[],
): boolean {
  if (evaluate !== null) return evaluate(row, parts[part]?.values ?? []) === true
  return row[at] === true || row[at] === 1
}
