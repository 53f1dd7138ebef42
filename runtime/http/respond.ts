import type { Context } from 'hono'
import type { PivotOutcome } from '../features/pivots/change-pivots.js'
import type { Page, Resource } from '../model/resource.js'
import { jsonText } from './json-text.js'
import { parametersOf } from './request.js'

const json = { 'Content-Type': 'application/json' }

function jsonOf(value: object): string | Uint8Array<ArrayBuffer> {
  return sendable(jsonText(value) ?? 'null')
}

/** Characters from which bytes are sent: Node reserves three for each character of a text. */
const large = 16_384

/** A large text as its bytes; those of plain ASCII are copied, not encoded. */
function sendable(text: string): string | Uint8Array<ArrayBuffer> {
  if (text.length < large) return text
  const isPlain = Buffer.byteLength(text) === text.length
  return Buffer.from(text, isPlain ? 'latin1' : 'utf8')
}

/** 200 with one record: `{ data }`. */
export function respond(c: Context, resource: Resource): Response {
  return c.body(jsonOf({ data: resource }), 200, json)
}

/** 201 with the new record and its address. */
export function created(c: Context, resource: Resource): Response {
  const location = `${c.req.path}/${encodeURIComponent(resource.id)}`
  return c.body(jsonOf({ data: resource }), 201, { ...json, Location: location })
}

/** 204. */
export function noContent(c: Context): Response {
  return c.body(null, 204)
}

/** 201 with the pivots: `{ data }`. */
export function attached(c: Context, outcome: PivotOutcome): Response {
  if ('replaced' in outcome) return answered(c, outcome.replaced)
  return c.body(jsonOf({ data: outcome.pivots }), 201, json)
}

/** 200 with the pivots the relation now has: `{ data }`. */
export function synced(c: Context, outcome: PivotOutcome): Response {
  if ('replaced' in outcome) return answered(c, outcome.replaced)
  return c.body(jsonOf({ data: outcome.pivots }), 200, json)
}

/** 204. */
export function detached(c: Context, outcome: PivotOutcome): Response {
  return 'replaced' in outcome ? answered(c, outcome.replaced) : noContent(c)
}

/** 200 with what a callback returned; nothing: no body. */
function answered(c: Context, value: unknown): Response {
  const text = jsonText(value)
  return text === undefined ? c.body(null, 200) : c.body(sendable(text), 200, json)
}

/**
 * 200 with a page of records: `{ meta, links, data }`. Links start at the root of the server and
 * keep the query.
 */
export function paginated(c: Context, page: Page): Response {
  const path = c.req.path
  const lastPage = Math.max(1, Math.ceil(page.total / page.perPage))
  const link = linker(path, c.req.url)
  const from = (page.page - 1) * page.perPage + 1
  const isEmpty = page.data.length === 0
  const body = {
    meta: {
      current_page: page.page,
      from: isEmpty ? null : from,
      last_page: lastPage,
      path,
      per_page: page.perPage,
      to: isEmpty ? null : from + page.data.length - 1,
      total: page.total,
    },
    links: {
      first: link(1),
      last: link(lastPage),
      next: page.page < lastPage ? link(page.page + 1) : null,
      path,
      prev: page.page > 1 ? link(Math.min(page.page - 1, lastPage)) : null,
    },
    data: page.data,
  }
  return c.body(jsonOf(body), 200, json)
}

function linker(path: string, url: string): (page: number) => string {
  if (!url.includes('?')) return (page) => `${path}?page=${page}`
  const rest = parametersOf(url)
  rest.delete('page')
  rest.delete('page[number]')
  const query = rest.size === 0 ? '' : `&${rest.toString()}`
  return (page) => `${path}?page=${page}${query}`
}
