import { type Context, Hono } from 'hono'
import { appendHeader, type ServerEnv } from '../../http/context.js'
import { writeOptions } from '../../http/exchange.js'
import { jsonInTurns, respondWithBytes } from '../../http/json-text.js'
import { around } from '../../http/only-understood.js'
import { parametersOf, readJsonWithin } from '../../http/request.js'
import { noContent, respondWith } from '../../http/respond.js'
import type { HasEntity } from '../../model/entity.js'
import type { Resource } from '../../model/resource.js'
import { badParameter } from '../../query/query.js'
import { textOf } from '../../query/request-parts.js'
import { refuseHeadersOfOne } from './about-many.js'
import { deleteMany, type ManyOptions, storeMany, updateMany } from './bulk.js'
import { idsOf, listOf } from './records.js'

export interface BulkRoutesOptions {
  /** Records of one request; `limits.bulk_rows` unless given. */
  readonly max?: number
}

/**
 * Many records in one request, all or none: `POST /bulk` (201) makes those of a list, `PATCH /bulk`
 * (200) changes those whose `id` it names, and `POST /bulk/delete` (204) deletes `{ "ids": [] }`.
 * `POST /bulk/update` and `DELETE /bulk/delete` do the same as the last two.
 */
export function bulkRoutes(repository: HasEntity, { max }: BulkRoutesOptions = {}) {
  const read = (c: Asked) => readRequest(c, { max })

  const store = async (c: Asked) => {
    const { body, options } = await read(c)
    const list = listOf(body, options.most)
    return answer(c, await storeMany(repository, c.get('user'), list, options), options, 201)
  }
  const update = async (c: Asked) => {
    const { body, options } = await read(c)
    const list = listOf(body, options.most)
    return answer(c, await updateMany(repository, c.get('user'), list, options), options, 200)
  }
  const remove = async (c: Asked) => {
    const { body, options } = await read(c)
    await deleteMany(repository, c.get('user'), idsOf(body, options.most), options)
    return noContent(c)
  }
  return new Hono<ServerEnv<unknown>>()
    .post('/bulk', store)
    .patch('/bulk', update)
    .post('/bulk/update', update)
    .post('/bulk/delete', remove)
    .delete('/bulk/delete', remove)
}

type Asked = Context<ServerEnv<unknown>>

interface ReadOptions {
  readonly max: number | undefined
  /** Parameters that it takes. */
  readonly takes?: readonly string[]
}

/** The body of a request about many records, and what is said beside it. */
export async function readRequest(c: Asked, { max, takes = [] }: ReadOptions) {
  checkRequest(c, takes)
  const { limits } = c.get('server').config
  const body = await readJsonWithin(c, limits.bulk_bytes)
  const sent = { header: (name: string) => c.req.header(name), parameters: new URLSearchParams() }
  const wanted = textOf(sent, { in: 'preference', name: 'return' })
  const isMinimal = wanted === 'minimal'
  const options: ManyOptions = {
    ...writeOptions(c),
    most: max ?? limits.bulk_rows,
    isMinimal,
  }
  return { body, options }
}

/** 400 for parameters, whatever the config says of them, and for headers that are about one record. */
function checkRequest(c: Asked, takes: readonly string[]): void {
  const others = around(c).flatMap((part) => (part.in === 'query' ? [part.name] : []))
  const known = [...takes, ...others]
  const name = [...parametersOf(c.req.url).keys()].find((each) => !known.includes(each))
  if (name !== undefined) {
    throw badParameter(name, 'is not known: a write of many records takes none of that name')
  }
  refuseHeadersOfOne(c)
}

/**
 * The records, or their ids alone where that is wanted or the records are more than an answer may be.
 *
 * @param meta What there is to say of all of them.
 */
export async function answer(
  c: Asked,
  resources: readonly Resource[],
  { isMinimal = false }: ManyOptions,
  status: 200 | 201,
  meta?: object,
): Promise<Response> {
  const ids = () => resources.map(({ id, type }) => ({ id, type }))
  if (isMinimal) {
    appendHeader(c, 'Preference-Applied', 'return=minimal')
    return respondWith(c, { data: ids(), meta }, status)
  }
  const bytes = await jsonInTurns({ data: resources, meta })
  const most = c.get('server').config.limits.response_bytes
  return bytes.length > most
    ? respondWith(c, { data: ids(), meta: Object.assign({ shortened: true }, meta) }, status)
    : respondWithBytes(c, bytes, status)
}
