import { existsSync } from 'node:fs'
import { expect } from 'vitest'
import type { Resource } from '../../model/resource.js'
import { identifier, sql, write } from '../../sql/sql.js'
import { read, type Send } from '../client.js'
import type { Edges, Values } from '../tested.js'

/** Prisma's client, whose types know no model by a name that is looked up. */
export type LoadPrisma = () => Promise<object>

/** Writes one record, and answers its id. */
export type Write = (entry: Edges, values: Values, send: Send) => Promise<string>

/** The ways by which rows come into a database. `filled`: what the hooks of a repository fill in. */
export function doorsOf(
  loadPrisma: LoadPrisma,
  filled: Map<unknown, Values>,
): readonly (readonly [name: string, write: Write])[] {
  const server: Write = async (entry, values, send) => {
    const row = await goneRow(entry)
    filled.set(entry.repository, unwritten(entry, row))
    return writeThroughServer(entry, { ...row, ...values }, send)
  }
  const db: Write = async ({ make }, values) => String((await make(values)).id)
  const prisma: Write = async (entry, values) => {
    const row = { ...(await goneRow(entry)), ...values }
    return writeThroughPrisma(entry, row, await loadPrisma())
  }
  // Git does not keep Prisma's client, and not every machine can make one.
  const hasPrisma = existsSync('prisma/client/client.ts')
  return [['server', server], ['db', db], ...(hasPrisma ? [['prisma', prisma] as const] : [])]
}

/**
 * A whole row that is gone again; what it points at is still there. By SQL, as its id and its
 * values are used again: what a server does when it is asked to delete may leave the row there.
 */
async function goneRow({ repository: { definition }, make }: Edges): Promise<Values> {
  const row = await make({})
  const { database, table, id } = definition
  const is = sql`${identifier(id.name)} = ${id.encode(row.id)}`
  await write(database, sql`delete from ${identifier(table)} where ${is}`)
  return { ...row }
}

/** Columns that no body writes. */
function unwritten({ repository: { definition } }: Edges, row: Values): Values {
  const isSvcs = (name: string) => ['id', 'created_at', 'updated_at'].includes(name)
  const isFilled = (name: string) => !Object.hasOwn(definition.rules, name) && !isSvcs(name)
  return Object.fromEntries(Object.entries(row).filter(([name]) => isFilled(name)))
}

async function writeThroughServer(
  { repository: { key, definition } }: Edges,
  row: Values,
  send: Send,
): Promise<string> {
  // A server with strict bodies takes nothing else.
  const written = Object.entries(row).filter(([name]) => Object.hasOwn(definition.rules, name))
  const response = await send('POST', `/api/svc/${key}`, Object.fromEntries(written))
  expect(response.status, await response.clone().text()).toBe(201)
  const { data } = await read<{ data: Resource }>(response)
  return data.id
}

interface Model {
  readonly create: (options: { readonly data: object }) => Promise<{ readonly id: unknown }>
}

async function writeThroughPrisma(
  { repository, model }: Edges,
  row: Values,
  prisma: object,
): Promise<string> {
  const models = prisma as Readonly<Record<string, Model>>
  const data = Object.entries(row).flatMap(([name, value]) => {
    const storage = repository.definition.columns.get(name)?.storage
    // Prisma has a word of its own for a NULL there; what is left out is NULL too.
    if (value === null && storage?.isJson === true) return []
    const isDate = value !== null && storage?.isTime === true
    return [[name, isDate ? new Date(String(value)) : value] as const]
  })
  const created = await models[model]?.create({ data: Object.fromEntries(data) })
  return String(created?.id)
}
