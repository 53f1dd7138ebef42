import { isDeepStrictEqual } from 'node:util'
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

/** Values of the records that two conditions are about, and what the first one says of them. */
export interface Found {
  readonly holds: boolean
  /** By what the statement calls the record, and its columns. */
  readonly values: ReadonlyMap<string, Row>
}

/**
 * Asks the database for values that one condition admits and the other does not, of all that are compared with and one that
 * is not. Null: there are none. `undecided`: too many to ask.
 */
export async function apart(
  entity: Entity,
  flat: Flat,
  guard: Test,
  [one, other]: readonly [Test, Test],
  samples: Samples,
): Promise<Found | 'undecided' | null> {
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
  // The smallest that tells: as much as can be is as it is compared with.
  const rows = await read(
    entity.database,
    sql`select ${join([sql`case when ${first} then 1 else 0 end`, ...picked])}${from}
      where ${holds(guard)} and ${first} <> ${second} limit 1`,
  )
  const [row] = rows
  if (row === undefined) return null
  const values = new Map<string, Row>()
  for (const [at, { alias, name, column }] of columns.entries()) {
    const value = row[at + 1] ?? null
    const held = value === null || column?.decode == null ? value : (column.decode(value) ?? value)
    values.set(alias, { ...values.get(alias), [name]: held })
  }
  return { holds: Number(row[0]) === 1, values }
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
    add('svc.there', null, raw('select 1 as "v" union all select 0'), 2)
  }
  for (const [name, asked] of record.columns) {
    const values = candidates(asked, await samples(asked.entity, asked.column.field))
    const first = sql`select ${identifier(asked.column.name)} as "v" from ${source(record, name)} where 1 = 0`
    const others = values.map((value) => sql`select ${encoded(asked.column, value)}`)
    add(name, asked.column, join([first, ...others], ' union all '), values.length)
  }
  return {
    from: sql`(select ${join(names)} from ${join(lists)}) as ${identifier(alias)}`,
    columns,
    size,
  }
}

function source({ entity, link }: Related, name: string): Sql {
  const isPivot = name.startsWith('pivot.') && link !== null && isPivotLink(link)
  return isPivot ? pivotTable(link, 's') : table(entity.table, 's')
}

const encoded = (column: Column, value: unknown) =>
  value === null ? null : column.encode(canonical(column, value))

/** What it is compared with, first; then what a row of the tests has, something else, and nothing. */
function candidates({ column, values }: Asked, samples: readonly unknown[]): readonly unknown[] {
  const compared = [...values].filter((value) => value !== undefined && value !== null)
  const given = compared.flatMap((value) => held(column, value))
  const sampled = samples.flatMap((value) => held(column, value))
  const made = given.flatMap((value) => held(column, otherThan(value)))
  // What the tests know is a value that the field takes.
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
