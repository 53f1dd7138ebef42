import type { Context } from 'hono'
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

/** A status with a JSON body. */
export function respondWith(c: Context, body: object, status: 200 | 201): Response {
  return c.body(jsonOf(body), status, json)
}

/** 200 with one record: `{ data }`. */
export function respond(c: Context, resource: Resource): Response {
  return respondWith(c, { data: resource }, 200)
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

/** 200 with what a hook returned; nothing: no body. */
export function answered(c: Context, value: unknown): Response {
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
  return respondWith(c, body, 200)
}

function linker(path: string, url: string): (page: number) => string {
  if (!url.includes('?')) return (page) => `${path}?page=${page}`
  const rest = parametersOf(url)
  rest.delete('page')
  rest.delete('page[number]')
  const query = rest.size === 0 ? '' : `&${rest.toString()}`
  return (page) => `${path}?page=${page}${query}`
}
