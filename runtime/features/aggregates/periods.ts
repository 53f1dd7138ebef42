import type { Dialect } from '../../kinds/kind.js'
import type { Column } from '../../model/columns.js'
import { raw, type Sql, sql } from '../../sql/sql.js'
import type { Zone } from './zones.js'

/**
 * Periods that days and instants are grouped by, named by their first day. Weeks begin on Monday.
 */
export const periods = ['day', 'week', 'month', 'quarter', 'year'] as const

export type Period = (typeof periods)[number]

export const isPeriod = (word: string): word is Period => periods.some((each) => each === word)

interface Grouped {
  readonly period: Period
  readonly column: Column
  /** The SQL of the value. */
  readonly place: Sql
  /** Null: UTC. A day is the same day everywhere. */
  readonly zone: Zone | null
}

/** The first day of the period, as text or as a date; NULL where there is none. */
export function periodSql({ period, column, place, zone }: Grouped, dialect: Dialect): Sql {
  const shifting = column.storage.isInstant && zone !== null ? zone : null
  const write = dialect === 'sqlite' ? sqliteDay : postgresDay
  return write({ period, column, place, zone: shifting })
}

const [firstDay, lastInstant] = [raw("'0001-01-01'"), raw("'9999-12-31 23:59:59.999'")]

function postgresDay({ period, column, place, zone }: Grouped): Sql {
  const unit = raw(`'${period}'`)
  const { isInstant } = column.storage
  const utc = isInstant ? sql`${place} at time zone 'UTC'` : sql`cast(${place} as timestamp)`
  if (zone === null) return sql`cast(date_trunc(${unit}, ${utc}) as date)`
  const { starts, offsets } = zone
  const seconds = sql`(${offsets}::int4[])[1 + width_bucket(${place}, ${starts}::timestamptz[])]`
  const local = sql`${utc} + ${seconds} * interval '1 second'`
  // Years are 1 to 9999, whatever clocks say. LEAST and GREATEST pass NULL over.
  const within = sql`least(greatest(${local}, timestamp ${firstDay}), timestamp ${lastInstant})`
  const day = sql`cast(date_trunc(${unit}, ${within}) as date)`
  return sql`case when ${place} is null then null else ${day} end`
}

const modifiers: Readonly<Record<Period, Sql>> = {
  day: raw(''),
  week: raw(", '-6 days', 'weekday 1'"),
  month: raw(", 'start of month'"),
  quarter: raw(", 'start of month'"),
  year: raw(", 'start of year'"),
}

function sqliteDay({ period, column, place, zone }: Grouped): Sql {
  const start = modifiers[period]
  const utc = sql`date(${place}${start})`
  // A value that is no instant must not count as NULL.
  const day =
    zone === null
      ? sql`coalesce(${utc}, ${place})`
      : sql`coalesce(max(${firstDay}, date(${place}, ${shiftOf(zone, column, place)}${start})), ${utc}, ${place})`
  return period === 'quarter' ? quarterOf(day) : day
}

/** Returns the quarter of a month. */
const quarterOf = (month: Sql): Sql => sql`(select substr(m, 1, 5) || case
    when substr(m, 6, 2) < '04' then '01' when substr(m, 6, 2) < '07' then '04'
    when substr(m, 6, 2) < '10' then '07' else '10' end || substr(m, 8) from (select ${month} as m))`

/** The offset of an instant, halving what is left: eight comparisons find one of 250. */
function shiftOf({ starts, offsets }: Zone, column: Column, place: Sql): Sql {
  const among = (first: number, last: number): Sql => {
    if (first === last) return sql`${secondsText(offsets[first] ?? 0)}`
    const middle = Math.floor((first + last) / 2)
    const start = column.encode(starts[middle] ?? '')
    return sql`case when ${place} < ${start} then ${among(first, middle)} else ${among(middle + 1, last)} end`
  }
  return among(0, starts.length)
}

const secondsText = (seconds: number) => `${seconds < 0 ? '-' : '+'}${Math.abs(seconds)} seconds`
