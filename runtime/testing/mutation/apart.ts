import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { pivotTable, isPivotLink } from '../../features/relations/relation-sql.js'
import { canonical, type Column } from '../../model/columns.js'
import type { Entity, Row } from '../../model/entity.js'
import type { Test } from '../../model/sql-test.js'
import { asSql } from '../../policy/predicate.js'
import { identifier, join, raw, read, type Sql, sql, table } from '../../sql/sql.js'
import type { Asked, Flat, Related } from './flat.js'

/** Values of a column as the tests have them, of a row of theirs and of what they try. */
export type Samples = (entity: Entity, field: string) => Promise<readonly unknown[]>

/** More combinations than this are not asked. */
const most = 50_000

/** As many are tried as requests. */
const tried = 6

/** Values of the records that two conditions are about. */
export interface Found {
  /** By what the statement calls the record, and its columns. */
  readonly values: ReadonlyMap<string, Row>
}

/**
 * Asks the database for values that one condition admits and the other does not, of all that are compared with and one that
 * is not: those of few records first. `undecided`: too many to ask.
 */
export async function apart(
  entity: Entity,
  flat: Flat,
  guard: Test,
  [one, other]: readonly [Test, Test],
  samples: Samples,
): Promise<readonly Found[] | 'undecided'> {
  const records = [...flat.records].filter(
    ([, { columns, isOptional }]) => columns.size > 0 || isOptional,
  )
  const tables: Sql[] = []
  const columns: {
    readonly alias: string
    readonly name: string
    readonly column: Column | null
  }[] = []
  let size = 1
  for (const [alias, record] of records) {
    const found = await tableOf(alias, record, samples)
    tables.push(found.from)
    columns.push(...found.columns.map((each) => ({ alias, ...each })))
    size *= found.size
  }
  if (size > most) return 'undecided'
  const holds = (test: Test) => sql`coalesce(${asSql({ entity }, test).sql}, ${raw('false')})`
  const [first, second] = [holds(one), holds(other)]
  const picked = columns.map(({ alias, name }) => identifier(alias, name))
  const from = tables.length === 0 ? sql`` : sql` from ${join(tables)}`
  const optional = records.filter(([, { isOptional }]) => isOptional)
  const count = optional.map(([alias]) => identifier(alias, 'svc.there'))
  const order = count.length === 0 ? sql`` : sql` order by ${join(count, ' + ')}`
  const none = picked.length === 0 ? [raw('1')] : []
  const rows = await read(
    entity.database,
    sql`select ${join([...picked, ...none])}${from}
      where ${holds(guard)} and ${first} <> ${second}${order} limit ${raw(String(tried))}`,
  )
  return rows.map((row) => {
    const values = new Map<string, Row>()
    for (const [at, { alias, name, column }] of columns.entries()) {
      const value = row[at] ?? null
      const isRead = value !== null && column?.decode != null
      const held = isRead ? (column.decode(value) ?? value) : value
      values.set(alias, { ...values.get(alias), [name]: held })
    }
    return { values }
  })
}

async function tableOf(alias: string, record: Related, samples: Samples) {
  const lists: Sql[] = []
  const names: Sql[] = []
  const columns: { name: string; column: Column | null }[] = []
  let size = 1
  const add = (name: string, column: Column | null, values: Sql, count: number) => {
    const list = `c${lists.length}`
    lists.push(sql`(${values}) as ${identifier(list)}`)
    names.push(sql`${identifier(list, 'v')} as ${identifier(name)}`)
    columns.push({ name, column })
    size *= count
  }
  if (record.isOptional) {
    add('svc.there', null, raw('select 0 as "n", 1 as "v" union all select 1, 0'), 2)
  }
  for (const [name, asked] of record.columns) {
    const known = name.startsWith('pivot.')
      ? optionsOf(record, asked.column)
      : await samples(asked.entity, asked.column.field)
    const values = candidates(asked, known)
    const first = sql`select 0 as "n", ${identifier(asked.column.name)} as "v" from ${source(record, name)} where 1 = 0`
    const others = values.map(
      (value, at) => sql`select ${raw(String(at))}, ${encoded(asked.column, value)}`,
    )
    add(name, asked.column, join([first, ...others], ' union all '), values.length)
  }
  return {
    from: sql`(select ${join(names)} from ${join(lists)}${onlyOnce(record, lists.length)}) as ${identifier(alias)}`,
    columns,
    size,
  }
}

/** Lists the possible values of a pivot field that has options. */
function optionsOf({ link }: Related, { field }: Column): readonly unknown[] {
  const relation = link?.relation
  const rule = relation !== undefined && 'pivot' in relation ? relation.pivot.rules?.[field] : null
  let inner: unknown = rule
  while (inner instanceof z.core.$ZodType) {
    const { def } = inner._zod as { def: { innerType?: unknown; entries?: object } } // of any type
    if (def.entries !== undefined) return Object.values(def.entries)
    inner = def.innerType
  }
  return []
}

/** The values of a missing record make no difference. */
function onlyOnce({ isOptional }: Related, lists: number): Sql {
  if (!isOptional || lists < 2) return sql``
  const first = Array.from(
    { length: lists - 1 },
    (_, at) => sql`${identifier(`c${at + 1}`, 'n')} = 0`,
  )
  return sql` where ${identifier('c0', 'v')} = 1 or (${join(first, ' and ')})`
}

function source({ entity, link }: Related, name: string): Sql {
  const isPivot = name.startsWith('pivot.') && link !== null && isPivotLink(link)
  return isPivot ? pivotTable(link, 's') : table(entity.table, 's')
}

const encoded = (column: Column, value: unknown) =>
  value === null ? null : column.encode(canonical(column, value))

/**
 * Lists values to try: those it is compared with, then one of the tests' rows, something else, and
 * nothing.
 */
function candidates({ column, values }: Asked, samples: readonly unknown[]): readonly unknown[] {
  const compared = [...values].filter((value) => value !== undefined && value !== null)
  const given = compared.flatMap((value) => held(column, value))
  const sampled = samples.flatMap((value) => held(column, value))
  const made = given.flatMap((value) => held(column, otherThan(value)))
  // A value of the tests is one that the field takes.
  const isNew = (value: unknown) => !given.some((each) => isDeepStrictEqual(each, value))
  const others = sampled.some(isNew) ? sampled : [...sampled, ...made]
  const nothing = column.nullable ? [null] : []
  const found = new Map(
    [...given, ...others.slice(0, 4), ...nothing].map((each) => [JSON.stringify(each), each]),
  )
  return [...found.values()]
}

function held(column: Column, value: unknown): readonly unknown[] {
  try {
    const found = canonical(column, value)
    return found === null ? [] : [found]
  } catch {
    return []
  }
}

function otherThan(value: unknown): unknown {
  if (typeof value === 'boolean') return !value
  if (typeof value === 'number') return value + 1
  if (typeof value === 'bigint') return value + 1n
  return typeof value === 'string' ? `${value}x` : null
}
