import type { Access, Extension } from '../../model/entity.js'
import type { IndexQuery, ListWindow, MatchValue, ShowQuery } from '../../model/queries.js'
import type { Page, PagePlace } from '../../model/resource.js'
import { readPage } from '../../operations/read.js'
import { badParameter } from '../../query/query.js'

const names = ['offset', 'limit'] as const

/**
 * For a repository: lists are read from any record on, `offset=40&limit=20`, beside pages.
 *
 * @example extensions: [offsets]
 */
export const offsets: Extension = {
  read: {
    asks: {
      names,
      of: 'list',
      change: readWindow,
      page: (access, query) =>
        query.window === undefined ? null : windowPage(access, query, query.window),
    },
  },
}

/** Reads the window of the query string: either parameter may stand alone. */
function readWindow<Query extends ShowQuery & Partial<IndexQuery>>(
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
  const [first = ''] = texts.keys()
  // Cursors, which are asked after this, refuse it themselves.
  const others = { page: query.page, perPage: query.perPage ?? undefined }
  const other = Object.entries(others).find(([, value]) => value !== undefined)
  if (other !== undefined) {
    throw badParameter(first, `cannot stand beside ${other[0]}: ask for pages, or from a record on`)
  }
  const offset = numberIn('offset', texts.get('offset') ?? '0', 0)
  const limit = texts.get('limit')
  const window = limit === undefined ? { offset } : { offset, limit: numberIn('limit', limit, 1) }
  return Object.assign({}, query, { window })
}

/** A whole number of an address. */
function numberIn(name: (typeof names)[number], text: string, least: number): number {
  const number = Number(text)
  if (!/^\d{1,16}$/.test(text) || !Number.isSafeInteger(number) || number < least) {
    throw badParameter(name, `must be a whole number from ${least}`)
  }
  return number
}

/** As pages are answered, but for the records that it has and the addresses beside it. */
async function windowPage(
  access: Access,
  query: IndexQuery,
  { offset }: ListWindow,
): Promise<Page> {
  const page = await readPage(access, query)
  const { data, total, perPage } = page
  const about = ({ path, link }: PagePlace) => {
    const from = (first: number) => link({ offset: String(first), limit: String(perPage) })
    const isEmpty = data.length === 0
    return {
      meta: {
        current_page: page.page,
        from: isEmpty ? null : offset + 1,
        last_page: Math.max(1, Math.ceil(total / perPage)),
        path,
        per_page: perPage,
        to: isEmpty ? null : offset + data.length,
        total,
      },
      links: {
        first: from(0),
        last: from(Math.max(0, total - perPage)),
        next: offset + data.length < total && !isEmpty ? from(offset + perPage) : null,
        path,
        prev: offset === 0 ? null : from(Math.max(0, Math.min(offset, total) - perPage)),
      },
    }
  }
  return Object.assign({}, page, { about })
}
