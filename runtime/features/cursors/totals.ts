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
import { where } from '../../policy/predicate.js'
import { read, sql, table } from '../../sql/sql.js'
import type { Total } from './asked.js'

/** The number of records, or a lower bound. */
export interface Counted {
  readonly total: number
  readonly isExact: boolean
}

/** A bounded total ends here: it costs no more, however large the list is. */
const mostCounted = 10_000

/** Null: nobody asked. The database's own estimates are no answer: they count what is hidden. */
export async function countedFor(asked: Total, reading: Reading | null): Promise<Counted | null> {
  if (asked === 'none') return null
  if (reading === null) return { total: 0, isExact: true }
  const { access, filter, budget } = reading
  const { entity } = access
  const rows = sql`select 1 from ${table(entity.table, 't0')}${where(filter, { entity })}`
  const limited = asked === 'bounded' ? sql`${rows} limit ${mostCounted + 1}` : rows
  const [row] = await read(
    entity.database,
    sql`select count(*) from (${limited}) as counted`,
    budget.caller,
  )
  const total = Number(row?.[0])
  if (asked === 'exact' || total <= mostCounted) return { total, isExact: true }
  return { total: mostCounted, isExact: false }
}

/** A page by its number whose total is bounded, or not counted; one row more says whether another follows. */
export async function numberedPage(
  access: Access,
  query: IndexQuery,
  asked: Exclude<Total, 'exact'>,
): Promise<Page> {
  const window = windowOf(access.entity, query)
  const { page, perPage, offset } = window
  const reading = await openPage(access, query, { perPage: perPage + 1, offset })
  const counted = await countedFor(asked, reading)
  if (reading === null) return pageOf([], window, counted, false)
  const reader = readerOf(reading)
  const { filter, tail, budget } = reading
  const { caller } = budget
  const columns = reader.select('t0')
  const most = perPage + 1
  const rows = await select(access.entity, { columns, filter, most, tail, caller })
  const data = await resourcesOf(reading, reader, rows.slice(0, perPage))
  return pageOf(data, { page, perPage, offset }, counted, rows.length > perPage)
}

function pageOf(
  data: Page['data'],
  { page, perPage, offset }: ReturnType<typeof windowOf>,
  counted: Counted | null,
  isMore: boolean,
): Page {
  const last = counted?.isExact === true ? Math.max(1, Math.ceil(counted.total / perPage)) : null
  const [isEmpty, before] = [data.length === 0, offset]
  return {
    data,
    page,
    perPage,
    total: counted?.total ?? Number.NaN,
    about: ({ path, link }) => {
      const at = (number: number) => link({ page: String(number), 'page[number]': null })
      return {
        meta: {
          current_page: page,
          from: isEmpty ? null : before + 1,
          last_page: last,
          path,
          per_page: perPage,
          to: isEmpty ? null : before + data.length,
          total: counted?.total ?? null,
          total_exact: counted?.isExact ?? false,
        },
        links: {
          first: at(1),
          last: last === null ? null : at(last),
          next: isMore ? at(page + 1) : null,
          path,
          prev: page > 1 ? at(last === null ? page - 1 : Math.min(page - 1, last)) : null,
        },
      }
    },
  }
}
