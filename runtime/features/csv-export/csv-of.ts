import type { Context, Next } from 'hono'
import { accepts } from 'hono/accepts'
import { badRequest } from '../../errors.js'
import { isTurnLong, nextTurn } from '../../event-loop.js'
import { appendHeader, type ServerEnv } from '../../http/context.js'
import type { DirectRequest, Step } from '../../http/direct-request.js'
import { withDirectStepOfReads } from '../../http/direct.js'
import { readIndexQuery } from '../../http/request.js'
import type { Access, HasEntity } from '../../model/entity.js'
import type { Resource } from '../../model/resource.js'
import { openPage, type Reading, refusingSlow } from '../../operations/read.js'
import { accessTo, newRequest } from '../../policy/access.js'
import { where } from '../../policy/predicate.js'
import { takenOfList } from '../../query/extension-parameters.js'
import { badParameter, type IndexQuery } from '../../query/query.js'
import { read as readRows, sql, table } from '../../sql/sql.js'
import { askedIn } from '../cursors/asked.js'
import { BatchCallers } from './batch-callers.js'
import { batchesOf } from './batches.js'
import { columnsOf, type ExportColumn } from './columns.js'
import { lineOf } from './csv-text.js'

export interface ExportOptions {
  /** Records of one export; where there are more, 400. */
  readonly max: number
  /** Begins with a byte order mark, by which Excel knows UTF-8. */
  readonly bom?: boolean
}

const csv = 'text/csv'

type Asked = Context<ServerEnv<unknown>>

/**
 * Answers an index with `Accept: text/csv`: a line for each record that the request finds, on
 * however many pages. It is written while it is read, a batch after the other; when one fails, the
 * connection is reset, so that no file looks whole that is not. What is no address, but a body, is
 * read by whoever calls it with `read`.
 *
 * @example .get('/', csvOf(PostRepository, { max: 50_000 }), async (c) => { … })
 */
export function csvOf({ definition: entity }: HasEntity, { max, bom = false }: ExportOptions) {
  const supports = ['application/json', csv]
  const handler = async (
    c: Asked,
    next: Next,
    read: (c: Asked) => IndexQuery | Promise<IndexQuery> = readIndexQuery,
  ): Promise<Response | void> => {
    appendHeader(c, 'Vary', 'Accept')
    const wanted = accepts(c, { header: 'Accept', supports, default: 'application/json' })
    if (wanted !== csv) return next()
    const asked = await read(c)
    const [access, query] = await takenOfList(accessTo(newRequest(c.get('user')), entity), asked)
    checkWhole(query)
    const list: IndexQuery = Object.assign({}, query, { withoutMeta: true })
    const columns = columnsOf(access, list)
    const callers = new BatchCallers(c)
    const batches = await refusingSlow(access, list, () => begun(access, list, callers, max))
    const lines = linesOf(columns, batches, bom)
    return c.body(ReadableStream.from(lines), 200, {
      'Content-Type': `${csv}; charset=utf-8; header=present`,
      'Content-Disposition': `attachment; filename="${entity.key}.csv"`,
    })
  }
  const step: Step = ({ headers }) => void headers.push('Vary', 'Accept')
  const declines = ({ req }: DirectRequest) =>
    !/^(?:application\/json|\*\/\*)?$/.test(req.header('accept') ?? '')
  return withDirectStepOfReads(handler, step, declines)
}

/** An export has no pages, and no members but attributes. */
function checkWhole(query: IndexQuery): void {
  const { page, perPage = null, window, values = [] } = query
  const { cursor, withTotal } = askedIn(query)
  const said = { page, perPage: perPage ?? undefined, offset: window, cursor, withTotal }
  const [name] = Object.entries(said).find(([, value]) => value !== undefined) ?? []
  if (name !== undefined) throw badParameter(name, 'is not taken by an export, which has no pages')
  if (values.length > 0) throw badParameter('withCount', 'is not taken by an export')
}

/** The batches, of which the first one is read: what is wrong with the request is known before it is answered. */
async function begun(access: Access, query: IndexQuery, callers: BatchCallers, max: number) {
  const reading = await openPage(access, query, { perPage: 1, offset: 0 })
  if (reading !== null && (await isMoreThan(max, reading))) {
    throw tooMany(max)
  }
  const batches = atMost(max, batchesOf(access, query, callers))
  return { first: await batches.next(), others: batches }
}

/** Limits the records: those written meanwhile may come behind the last one again and again. */
async function* atMost(
  max: number,
  batches: AsyncGenerator<readonly Resource[], void>,
): AsyncGenerator<readonly Resource[], void> {
  let count = 0
  for await (const batch of batches) {
    count += batch.length
    if (count > max) throw tooMany(max)
    yield batch
  }
}

const tooMany = (max: number) =>
  badRequest(`There are more than ${max} records, which one export holds: ask for fewer.`)

async function isMoreThan(
  max: number,
  { access: { entity }, filter, budget: { caller } }: Reading,
): Promise<boolean> {
  const rows = sql`select 1 from ${table(entity.table, 't0')}${where(filter, { entity })} limit ${max + 1}`
  const counted = sql`select count(*) from (${rows}) as counted`
  const [row] = await readRows(entity.database, counted, caller)
  return Number(row?.[0]) > max
}

async function* linesOf(
  columns: readonly ExportColumn[],
  { first, others }: Awaited<ReturnType<typeof begun>>,
  bom: boolean,
): AsyncGenerator<Uint8Array, void> {
  const titles = lineOf(columns.map(({ title }) => title))
  yield Buffer.from(bom ? `\uFEFF${titles}` : titles)
  if (first.done !== true && first.value.length > 0) yield textOf(columns, first.value)
  for await (const batch of others) if (batch.length > 0) yield textOf(columns, batch)
}

/** The lines of a batch, which may be megabytes: other requests are served meanwhile. */
async function textOf(
  columns: readonly ExportColumn[],
  resources: readonly Resource[],
): Promise<Buffer> {
  const lines: Buffer[] = []
  for (const resource of resources) {
    if (isTurnLong()) await nextTurn()
    lines.push(Buffer.from(lineOf(columns.map(({ valueOf }) => valueOf(resource)))))
  }
  return Buffer.concat(lines)
}
