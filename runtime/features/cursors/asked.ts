import type { Access } from '../../model/entity.js'
import { getOwn } from '../../model/get-own.js'
import type { IndexQuery, MatchValue, ShowQuery } from '../../model/queries.js'
import { badParameter } from '../../query/query.js'
import type { Said } from './position.js'

/** The total of a list: counted, counted up to a limit, or not. */
export type Total = 'exact' | 'bounded' | 'none'

/** Options of a list; in GraphQL its resolver sets them. */
export interface Asked {
  readonly cursor?: string
  /** The parameter that the cursor was sent as. */
  readonly cursorAs?: Said
  readonly withTotal?: Total
}

/** Returns the options of a query. */
export const askedIn = ({ asked }: IndexQuery): Asked => (asked ?? {}) as Asked // as below

/** Returns the query with these options. */
export const asking = <Query extends Partial<IndexQuery>>(query: Query, more: Asked): Query =>
  Object.assign({}, query, { asked: Object.assign({}, query.asked, more) })

const totals: Readonly<Record<string, Total>> = {
  true: 'exact',
  '1': 'exact',
  false: 'none',
  '0': 'none',
  bounded: 'bounded',
}

export const names = ['cursor', 'withTotal'] as const

/** Reads the options of the query string. */
export function readAsked<Query extends ShowQuery & Partial<IndexQuery>>(
  _access: Access,
  query: Query,
  said: readonly MatchValue[],
): Query {
  const texts = new Map<string, string>()
  for (const { column: name, text } of said) {
    if (!names.some((each) => each === name)) throw badParameter(name, 'is not known')
    if (texts.has(name)) throw badParameter(name, 'must not be sent more than once')
    texts.set(name, text)
  }
  const cursor = texts.get('cursor')
  const total = texts.get('withTotal')
  const withTotal = total === undefined ? undefined : getOwn(totals, total)
  if (total !== undefined && withTotal === undefined) {
    throw badParameter('withTotal', 'must be true, false or bounded')
  }
  if (query.window !== undefined) {
    const [first = 'cursor'] = texts.keys()
    throw badParameter(first, 'cannot stand beside offset and limit')
  }
  if (cursor !== undefined && query.page !== undefined) {
    throw badParameter('page', 'cannot stand beside cursor: a cursor says where its page begins')
  }
  return asking(query, {
    ...(cursor === undefined ? {} : { cursor }),
    ...(withTotal === undefined ? {} : { withTotal }),
  })
}
