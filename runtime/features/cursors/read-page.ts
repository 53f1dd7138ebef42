import type { RawRow } from '../../database/types.js'
import type { Access } from '../../model/entity.js'
import type { IndexQuery } from '../../model/queries.js'
import type { Page } from '../../model/resource.js'
import {
  openPage,
  type Reading,
  readerOf,
  resourcesOf,
  select,
  windowOf,
} from '../../operations/read.js'
import { all, test } from '../../policy/predicate.js'
import { sorted } from '../../query/filter.js'
import { join, sql } from '../../sql/sql.js'
import { aboutList } from './about-list.js'
import type { Asked } from './asked.js'
import { type Held, heldOf, type Key, keysOf, orderOf, stretchesOf } from './keyset.js'
import { cursorOf, type Position, positionOf } from './position.js'
import type { Seal } from './seal.js'
import { countedFor, type Counted } from './totals.js'

/** A page that is found by where it begins. */
export interface CursorPage extends Page {
  /** Null: nothing follows. */
  readonly nextCursor: string | null
  /** Null: it is the first. */
  readonly prevCursor: string | null
}

/**
 * A page behind a position: `perPage + 1` rows are read, however far it is. What is written meanwhile
 * moves no other record, so a walk meets each that stays as it is once.
 */
export async function cursorPage(
  access: Access,
  query: IndexQuery,
  { cursor = '', cursorAs = 'cursor', withTotal = 'none' }: Asked,
  seal: Seal,
): Promise<CursorPage> {
  const { entity } = access
  const { perPage } = windowOf(entity, query)
  const terms = await sorted(access, query)
  const reading = await openPage(access, query, { perPage: perPage + 1, offset: 0 })
  const about = aboutList(access, query, terms)
  const keys = keysOf(entity, terms)
  const position = positionOf(seal, about, cursor, { name: cursorAs, keys: keys.length })
  const counted = await countedFor(withTotal, reading)
  if (reading === null) return pageOf({ data: [], perPage, counted, next: null, prev: null })
  const reader = readerOf(reading)
  const found = await rowsBehind(reading, reader.select('t0'), position, keys, perPage + 1)
  const isMore = found.length > perPage
  const rows =
    position.way === 'next' ? found.slice(0, perPage) : found.slice(0, perPage).toReversed()
  const ends = endsOf(rows, reader.width, position, isMore)
  const seals = (to: Position | null) => to && cursorOf(seal, about, to)
  const [next, prev] = [seals(ends.next), seals(ends.prev)]
  const data = await resourcesOf(reading, reader, rows)
  return pageOf({ data, perPage, counted, next, prev })
}

/** Reads the shown values of each row, and behind them those of the keys. */
export async function rowsBehind(
  { access: { entity }, filter, budget: { caller } }: Reading,
  shown: ReturnType<ReturnType<typeof readerOf>['select']>,
  { way, from }: Position,
  keys: readonly Key[],
  most: number,
): Promise<readonly RawRow[]> {
  const { dialect } = entity
  const columns = sql`${shown}, ${join(keys.map((key) => heldOf(key, dialect)))}`
  const rows: RawRow[] = []
  for (const stretch of stretchesOf({ keys, from, way, dialect })) {
    const left = most - rows.length
    if (left === 0) break
    const tail = sql`${orderOf(stretch.keys, way, dialect)} limit ${left}`
    const within = stretch.test === null ? filter : all({ entity }, [filter, test(stretch.test)])
    rows.push(...(await select(entity, { columns, filter: within, most: left, tail, caller })))
  }
  return rows
}

/** Returns the beginnings of the pages beside this one. */
function endsOf(
  rows: readonly RawRow[],
  width: number,
  { way, from }: Position,
  isMore: boolean,
): { readonly next: Position | null; readonly prev: Position | null } {
  // The driver's value of what `heldOf` selects.
  const heldIn = (row: RawRow | undefined) =>
    row === undefined ? null : (row.slice(width) as readonly Held[])
  // The next page begins where the list does, or ends, if nothing is left behind the position.
  const next: Position = { way: 'next', from: heldIn(rows.at(-1)) }
  const prev: Position = { way: 'prev', from: heldIn(rows[0]) }
  return way === 'next'
    ? { next: isMore ? next : null, prev: from === null ? null : prev }
    : { next, prev: isMore ? prev : null }
}

interface Found {
  readonly data: Page['data']
  readonly perPage: number
  readonly counted: Counted | null
  readonly next: string | null
  readonly prev: string | null
}

function pageOf({ data, perPage, counted, next, prev }: Found): CursorPage {
  return {
    data,
    perPage,
    page: 1,
    total: counted?.total ?? Number.NaN,
    nextCursor: next,
    prevCursor: prev,
    about: ({ link }) => ({
      meta: {
        per_page: perPage,
        next_cursor: next,
        prev_cursor: prev,
        ...(counted === null ? {} : { total: counted.total, total_exact: counted.isExact }),
      },
      links: {
        next: next && link({ cursor: next }),
        prev: prev && link({ cursor: prev }),
      },
    }),
  }
}
