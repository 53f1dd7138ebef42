import type { RawRow } from '../../database/types.js'
import { selected as asRead } from '../../model/column-sql.js'
import type { Access } from '../../model/entity.js'
import { nullPrototypeObject } from '../../model/get-own.js'
import type { Test } from '../../model/sql-test.js'
import { WrongValueError } from '../../model/wrong-value.js'
import { where } from '../../policy/predicate.js'
import { identifier, join, raw, type Sql, sql, table } from '../../sql/sql.js'
import type { Asked, Group as AskedGroup, Selected } from './asked.js'
import { counting, decoded, type Output, outputOf } from './functions.js'
import { periodSql } from './periods.js'
import type { Place } from './places.js'

/** Records that have the same values, and what is said of them. */
export interface Group {
  readonly group: Readonly<Record<string, unknown>>
  readonly count?: number
  readonly sum?: Readonly<Record<string, unknown>>
  readonly avg?: Readonly<Record<string, unknown>>
  readonly min?: Readonly<Record<string, unknown>>
  readonly max?: Readonly<Record<string, unknown>>
  readonly countDistinct?: Readonly<Record<string, number>>
}

/** One statement that reads all groups, and what its rows say. */
export interface Statement {
  readonly sql: Sql
  read(row: RawRow): Group
  /** The group of no rows at all. */
  readonly none: Group
}

/** @param filter Which records, of the table called `t0`. */
export function statementOf(
  { entity }: Access,
  { groups, selected, zone }: Asked,
  filter: Test,
  most: number,
): Statement {
  const { dialect } = entity
  const places = new Map<string, Place>()
  for (const each of [...groups, ...selected.flatMap(({ place }) => place ?? [])]) {
    places.set(each.name, each)
  }
  // Columns, then groups, then what is said of these: each is written once, and named after that.
  const columns = [...places.values()]
  const columnOf = (name: string) =>
    identifier(`c${columns.findIndex((each) => each.name === name)}`)
  const keys = groups.map(({ name, column, period }) => {
    const place = columnOf(name)
    return period === null
      ? asRead(column, place)
      : periodSql({ period, column, place, zone }, dialect)
  })
  const outputs = selected.map(({ function: asked, place }) =>
    asked === 'count' || place === null
      ? counting
      : outputOf(asked, place, columnOf(place.name), dialect),
  )
  const values = columns.map(({ value }) => value('t0'))
  const from = sql`${table(entity.table, 't0')}${where(filter, { entity })}`
  const rows = sql`select ${listOf(named(values, 'c'))} from ${from}`
  const known = columns.map(({ name }) => columnOf(name))
  const grouped = sql`select ${listOf([...known, ...named(keys, 'g')])} from (${rows}) as r`
  const groupKeys = keys.map((_, at) => identifier(`g${at}`))
  const said = join([...groupKeys, ...outputs.flatMap((each) => each.columns)])
  const tail = keys.length === 0 ? raw('') : sql` group by ${join(groupKeys)} limit ${most}`
  const reading = { entity, groups, selected, outputs }
  return {
    sql: sql`select ${said} from (${grouped}) as a${tail}`,
    read: (row) => groupIn(reading, row),
    none: groupWith(
      {},
      selected,
      outputs.map(({ empty }) => empty),
    ),
  }
}

/** `… as c0`, `… as c1` */
const named = (values: readonly Sql[], prefix: string): readonly Sql[] =>
  values.map((value, at) => sql`${value} as ${identifier(`${prefix}${at}`)}`)

/** Rows are counted where there is nothing to read. */
const listOf = (values: readonly Sql[]): Sql => (values.length === 0 ? raw('1') : join(values))

interface Reading {
  readonly entity: Access['entity']
  readonly groups: readonly AskedGroup[]
  readonly selected: readonly Selected[]
  readonly outputs: readonly Output[]
}

function groupIn({ entity, groups, selected, outputs }: Reading, row: RawRow): Group {
  const wrong = ({ column, name }: Place, stored: unknown) => {
    const place = { repository: entity.key, field: name, id: 'in a group', isShown: true }
    return new WrongValueError(column, stored, place)
  }
  const keys = nullPrototypeObject()
  for (const [at, group] of groups.entries()) {
    const value = keyIn(group, row[at])
    if (value === undefined) throw wrong(group, row[at])
    keys[group.name] = value
  }
  let at = groups.length
  const values = outputs.map((output, place) => {
    const stored = row.slice(at, at + output.columns.length)
    at += output.columns.length
    const value = output.read(stored)
    const of = selected[place]?.place ?? null
    if (value === undefined && of !== null) throw wrong(of, stored[0])
    return value
  })
  return groupWith(keys, selected, values)
}

const day = /^\d{4}-\d\d-\d\d$/

/** Undefined: the column holds what is none of its values. */
function keyIn({ period, column, isId }: AskedGroup, stored: unknown): unknown {
  if (stored === null) return null
  if (period !== null) return day.test(String(stored)) ? stored : undefined
  const value = decoded(column, stored)
  return isId && value !== undefined ? String(value) : value
}

function groupWith(
  keys: Group['group'],
  selected: readonly Selected[],
  values: readonly unknown[],
): Group {
  const said = nullPrototypeObject()
  for (const [at, { function: name, place }] of selected.entries()) {
    if (place === null) said[name] = values[at]
    else {
      const inside = (said[name] ??= nullPrototypeObject()) as Record<string, unknown>
      inside[place.name] = values[at]
    }
  }
  return Object.assign({ group: keys }, said)
}

/** Returns a group's value of `sum(price)` or `count`. */
export function saidOf(group: Group, { function: name, place }: Selected): unknown {
  const said = group[name]
  return place === null ? said : (said as Readonly<Record<string, unknown>>)[place.name]
}
