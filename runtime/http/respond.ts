import type { Context } from 'hono'
import { beginsLarge } from '../model/budget.js'
import type { Later } from '../model/model-types.js'
import { answerHeaders, type PageOf, type Resource } from '../model/resource.js'
import type { JsonPage } from '../operations/read.js'
import { isRead, setHeader } from './context.js'
import type { DirectRequest } from './direct-request.js'
import { bodyOf, checkBytes, jsonInTurns, jsonText, respondWithBytes } from './json-text.js'
import { prefixOf } from './prefix.js'
import { parametersOf } from './request.js'

/**
 * An answer of JSON; where the value has none (undefined), of no body. With a second
 * header here, Hono would build a `Headers` for each answer (8 µs).
 */
export function respondWith(c: Context, value: unknown, status: 200 | 201 = 200): Response {
  const text = jsonText(value)
  if (text === undefined) return c.body(null, status)
  if (isRead(c)) checkBytes(c, text)
  return c.body(bodyOf(c, text), status, { 'Content-Type': 'application/json' })
}

/** 200 with records, of which `first` is the first: other requests are served while a large answer is written. */
function respondWithRecords(c: Context, first: unknown, answer: object): Later<Response> {
  return beginsLarge.has(Object(first)) ? respondInTurns(c, answer) : respondWith(c, answer)
}

async function respondInTurns(c: Context, answer: object): Promise<Response> {
  return respondWithBytes(c, await bytesInTurns(c, answer), 200)
}

async function bytesInTurns(c: Context, answer: object): Promise<Buffer<ArrayBuffer>> {
  const bytes = await jsonInTurns(answer)
  if (isRead(c)) checkBytes(c, bytes)
  return bytes
}

/** Sends records on the direct way, as `respondWithRecords` does. */
function bodyOfRecords(c: Context, first: unknown, answer: object): Later<Body> {
  if (beginsLarge.has(Object(first))) return bytesInTurns(c, answer)
  return bodyOfText(c, jsonText(answer) ?? '')
}

function bodyOfText(c: Context, text: string): Body {
  checkBytes(c, text)
  return bodyOf(c, text)
}

type Body = string | Buffer

/** 200 with one record: `{ data }`, and what there is to say of it besides. */
export function respond(c: Context, resource: Resource, meta?: object): Later<Response> {
  setHeaders(c, resource)
  return respondWithRecords(c, resource, { data: resource, meta })
}

/** Sends a record on the direct way, also one that is JSON already. */
export function respondDirectly(
  { headers, context }: DirectRequest,
  resource: Resource | string,
): Later<Body> {
  if (typeof resource === 'string') return bodyOfText(context, `{"data":${resource}}`)
  for (const header of Object.entries(resource[answerHeaders] ?? {})) headers.push(...header)
  return bodyOfRecords(context, resource, { data: resource })
}

/** Sends a new record on the direct way, as `created` does. */
export function createdDirectly(request: DirectRequest, resource: Resource): Body {
  const { headers, context } = request
  request.status = 201
  headers.push('Location', addressOfNew(context, resource))
  for (const header of Object.entries(resource[answerHeaders] ?? {})) headers.push(...header)
  return bodyOf(context, jsonText({ data: resource }) ?? '')
}

const addressOfNew = (c: Context, { id }: Resource): string =>
  `${prefixOf(c)}${c.req.path}/${encodeURIComponent(id)}`

/** 201 with the new record and its address. */
export function created(c: Context, resource: Resource, meta?: object): Response {
  setHeader(c, 'Location', addressOfNew(c, resource))
  setHeaders(c, resource)
  return respondWith(c, { data: resource, meta }, 201)
}

function setHeaders(c: Context, resource: Resource): void {
  const headers = resource[answerHeaders]
  if (headers === undefined) return
  for (const [name, value] of Object.entries(headers)) setHeader(c, name, value)
}

/** 204. */
export function noContent(c: Context): Response {
  return c.body(null, 204)
}

/**
 * 200 with a page: `{ meta, links, data }`. Links start at the root, with the path of `APP_URL`, and keep the query; those of
 * a request that asks with its body could not, so there are none.
 */
export function paginated(c: Context, shown: PageOf<unknown>): Later<Response> {
  const { meta, links } = aboutPage(c, shown)
  const { data } = shown
  return respondWithRecords(c, data[0], {
    meta,
    links: c.get('onlyReads') === true ? undefined : links,
    data,
  })
}

/** Sends a page on the direct way. */
export function paginatedDirectly(
  { context }: DirectRequest,
  shown: PageOf<unknown> | JsonPage,
): Later<Body> {
  const { meta, links } = aboutPage(context, shown)
  const { data } = shown
  if (!('isJson' in shown)) return bodyOfRecords(context, data[0], { meta, links, data })
  const about = `{"meta":${JSON.stringify(meta)},"links":${JSON.stringify(links)}`
  return bodyOfText(context, `${about},"data":[${data.join()}]}`)
}

function aboutPage(
  c: Context,
  shown: PageOf<unknown>,
): { readonly meta: object; readonly links: object } {
  const { page, perPage, total, data } = shown
  const path = prefixOf(c) + c.req.path
  if (shown.about !== undefined) {
    return shown.about({ path, link: (to) => addressWith(path, c.req.url, to) })
  }
  const last = Math.max(1, Math.ceil(total / perPage))
  const link = linker(path, c.req.url)
  const before = (page - 1) * perPage
  const isEmpty = data.length === 0
  return {
    meta: {
      current_page: page,
      from: isEmpty ? null : before + 1,
      last_page: last,
      path,
      per_page: perPage,
      to: isEmpty ? null : before + data.length,
      total,
    },
    links: {
      first: link(1),
      last: link(last),
      next: page < last ? link(page + 1) : null,
      path,
      prev: page > 1 ? link(Math.min(page - 1, last)) : null,
    },
  }
}

/** The address of a request with other parameters; null takes one away. */
function addressWith(
  path: string,
  url: string,
  changes: Readonly<Record<string, string | null>>,
): string {
  const parameters = parametersOf(url)
  for (const [name, text] of Object.entries(changes)) {
    if (text === null) parameters.delete(name)
    else parameters.set(name, text)
  }
  return parameters.size === 0 ? path : `${path}?${parameters.toString()}`
}

function linker(path: string, url: string): (page: number) => string {
  if (!url.includes('?')) return (page) => `${path}?page=${page}`
  const rest = parametersOf(url)
  rest.delete('page')
  rest.delete('page[number]')
  const query = rest.size === 0 ? '' : `&${rest.toString()}`
  return (page) => `${path}?page=${page}${query}`
}
