import type { Database, Parameter, RawRow } from '../database/types.js'
import { notFound } from '../errors.js'
import type { Input } from '../input/validation.js'
import { columnNamed } from '../model/entity-columns.js'
import type { Access, Entity, PlaceOf, Row, Write } from '../model/entity.js'
import { getOwn } from '../model/get-own.js'
import { readId } from '../model/ids.js'
import type { Resource } from '../model/resource.js'
import type { Test } from '../model/sql-test.js'
import { ask, flagsOf, mayStore, visibleWithId } from '../policy/access.js'
import { masksOf, noMasks } from '../policy/gates.js'
import { where } from '../policy/predicate.js'
import { identifier, join, type Sql, sql, table, write } from '../sql/sql.js'
import { afterwards, contextOf } from './afterwards.js'
import { denied, deniedOutright } from './denied.js'
import {
  accessesOf,
  admitted,
  around,
  assignments,
  isPrepared,
  type Joined,
  prepare,
  within,
  withHeaders,
  withMade,
} from './extend-write.js'
import { readOwn, readRow } from './read.js'
import { throwRefusedDelete, throwRefusedWrite } from './refused-by-database.js'
import { reserveKey } from './reserve-key.js'
import { holdingAfter, newRow, ofChangedRow, ofNewRow } from './row-after.js'
import { accessesOfRows } from './row-gates.js'
import { allColumns, isDecidedByRow, rowReader } from './row-reader.js'
import { askValidate } from './validate-hook.js'
import { fillValues, merged, readInput, stamped, startingValues, toStore } from './write-values.js'

/** Makes a record: policy, validation, foreign keys, hooks, one INSERT. */
export async function storeResource(access: Access, body: Input): Promise<Resource> {
  const asked: Write = { operation: 'store', idText: null, body }
  const [own = access] = accessesOf(access, [asked], ofOne)
  const stored = await around(own, asked, () => storeRow(own, asked))
  return withHeaders(own, await withMade(own, stored))
}

const ofOne: PlaceOf = (_, field = '') => field

async function storeRow(access: Access, asked: Write): Promise<Resource> {
  const { entity } = access
  const { hooks } = entity
  const context = contextOf(access)
  if (!(await mayStore(access))) throw deniedOutright(access, 'store')
  const input = await readInput(access, asked, { extent: 'whole' })
  if ('error' in input) throw input.error
  const needsKey = await prepare(access, asked)
  const starting = startingValues(access, input.values)
  await askValidate(access, starting, null)
  const filled = await fillValues(access, starting, 'store')
  const returned = await hooks?.beforeStore?.(context, filled)
  const values = stamped(access, merged(filled, returned), asked)
  const isCounted = entity.id.storage.key?.makes === null
  const isGiven = getOwn(entity.rules, 'id') !== undefined
  if (needsKey && isCounted && !isGiven) values['id'] = await reserveKey(entity)
  const hasKey = needsKey || !isCounted || isGiven
  const { columns, insert } = insertionOf(entity, hasKey)
  const id = hasKey ? (values['id'] as number | string) : null // stamped, reserved or given
  const joined = await within(access, { operation: 'store', id, values })
  const rule = await ofNewRow(access)
  const statement = (stored: readonly Parameter[], returning: Sql) => {
    const isAlone = columns.length === 0 && rule === null
    if (isAlone) return sql`${insert} default values returning ${returning}`
    const row =
      rule === null
        ? sql`values (${join(stored)})`
        : newRow(entity, rule, new Map(columns.map((each, at) => [each, stored[at] ?? null])))
    return sql`${insert} ${row} returning ${returning}`
  }
  const sent = await send(access, { id: null, columns, values, statement, joined })
  if (sent === null) throw deniedOutright(access, 'store', 'denied')
  if (hooks?.afterStore !== undefined) {
    await afterwards(entity, 'afterStore', () => hooks.afterStore?.(context, sent.row))
  }
  await joined?.after?.()
  return sent.resource()
}

export type Insertion = { readonly columns: readonly string[]; readonly insert: Sql }

const withId = new WeakMap<Entity, Insertion>()
const withoutId = new WeakMap<Entity, Insertion>()

/** Columns that the server writes, the key first. */
export const written = ({ columns, generated = [] }: Entity): readonly string[] =>
  [...columns.keys()].filter((each) => !generated.includes(each))

/** One INSERT per repository, whatever the body holds. SQLite counts up a key that is NULL. */
export function insertionOf(entity: Entity, hasId: boolean): Insertion {
  const known = hasId ? withId : withoutId
  const found = known.get(entity)
  if (found !== undefined) return found
  const given = written(entity).filter((each) => each !== 'id' || hasId)
  const columns = given.length === 0 && entity.dialect === 'sqlite' ? ['id'] : given
  const names = join(columns.map((each) => identifier(columnNamed(entity, each).name)))
  const list = columns.length === 0 ? sql`` : sql`(${names})`
  const made = { columns, insert: sql`insert into ${identifier(entity.table)} ${list}` }
  known.set(entity, made)
  return made
}

/** PUT (`whole`) or PATCH (`part`): who may is in the WHERE, so no check can be outrun. */
export async function updateResource(
  access: Access,
  idText: string,
  body: Input,
  extent: 'whole' | 'part',
): Promise<Resource> {
  const asked: Write = { operation: 'update', idText, body }
  const [own = access] = accessesOf(access, [asked], ofOne)
  const work = async () => {
    const id = readId(access.entity.id, idText)
    const [gated = own] = await accessesOfRows([{ access: own, asked, id }], extent)
    return updateRow(gated, idText, asked, extent)
  }
  return withHeaders(own, await withMade(own, await around(own, asked, work)))
}

async function updateRow(
  access: Access,
  idText: string,
  asked: Write,
  extent: 'whole' | 'part',
): Promise<Resource> {
  const { entity } = access
  const { hooks } = entity
  const context = contextOf(access)
  const { id, filter } = await writable(access, idText, 'update', asked)
  const stored = () => readRow(entity, filter)
  const input = await readInput(access, asked, { extent, stored })
  // Authorization errors win over validation errors, and come before rows of others are looked at.
  const row = () => requireRow(access, id, filter, asked)
  if ('error' in input || isPrepared(access)) await row()
  if ('error' in input) throw input.error
  await prepare(access, asked)
  const isAsked = hooks?.beforeUpdate !== undefined || hooks?.validate !== undefined
  const before = isAsked ? await row() : null
  if (before !== null) await askValidate(access, input.values, before)
  const filled = await fillValues(access, input.values, 'update')
  const returned = before === null ? null : await hooks?.beforeUpdate?.(context, before, filled)
  const values = stamped(access, merged(filled, returned), asked)
  const columns = [...entity.columns.keys()].filter((each) => Object.hasOwn(values, each))
  const joined = await within(access, { operation: 'update', id, values })
  const rule = await ofChangedRow(access, columns)
  // A table without `updated_at` may be asked to change nothing.
  const idle = identifier(columnNamed(entity, written(entity)[1] ?? 'id').name)
  let holding = filter
  const statement = (stored: readonly Parameter[], returning: Sql) => {
    const after = new Map(columns.map((each, at) => [each, stored[at] ?? null]))
    holding = holdingAfter(entity, filter, rule, after)
    const set = [...after].map(([k, v]) => sql`${identifier(columnNamed(entity, k).name)} = ${v}`)
    if (set.length === 0) set.push(sql`${idle} = ${idle}`)
    const more = assignments(access, columns, stored)
    return sql`update ${table(entity.table, 't0')} set ${join([...set, ...more])}${where(holding, access)}
      returning ${returning}`
  }
  const sent = await send(access, { id, columns, values, statement, joined })
  if (sent === null) throw await denied(access, id, 'update', asked, holding)
  if (hooks?.afterUpdate !== undefined) {
    await afterwards(entity, 'afterUpdate', () => hooks.afterUpdate?.(context, sent.row))
  }
  await joined?.after?.()
  return sent.resource()
}

/** The row a write is about; without it, why: 404, 401 or 403. */
async function requireRow(access: Access, id: unknown, filter: Test, asked: Write): Promise<Row> {
  const row = await readRow(access.entity, filter)
  if (row === null) throw await denied(access, id, 'update', asked, filter)
  return row
}

export async function deleteResource(access: Access, idText: string): Promise<void> {
  const asked: Write = { operation: 'delete', idText, body: {} }
  return around(access, asked, () => deleteRow(access, idText, asked))
}

async function deleteRow(access: Access, idText: string, asked: Write): Promise<void> {
  const { entity } = access
  const { hooks, database } = entity
  const context = contextOf(access)
  const { id, filter } = await writable(access, idText, 'delete', asked)
  const isHooked = hooks?.beforeDelete !== undefined || hooks?.afterDelete !== undefined
  const row = isHooked || isPrepared(access) ? await readRow(entity, filter) : {}
  if (row === null) throw await denied(access, id, 'delete', asked, filter)
  await prepare(access, asked)
  await hooks?.beforeDelete?.(context, row)
  const joined = await within(access, { operation: 'delete', id, values: {} })
  const reader = joined?.needsRow === true ? rowReader(entity, allColumns(entity)) : null
  const statement = sql`${removalFrom(access)}${where(filter, access)}
    returning ${reader === null ? identifier(entity.id.name) : reader.select('')}`
  const rowOf = (raw: RawRow) => reader?.object(reader.decode([...raw])) ?? {}
  const removed = await sendWith(joined, database, statement, rowOf).catch(throwRefusedDelete)
  if (removed === undefined) throw await denied(access, id, 'delete', asked, filter)
  if (hooks?.afterDelete !== undefined) {
    await afterwards(entity, 'afterDelete', () => hooks.afterDelete?.(context, row))
  }
  await joined?.after?.()
}

/** DELETE, or the UPDATE by which an extension lets a record be there no more. */
export function removalFrom(access: Access): Sql {
  const from = table(access.entity.table, 't0')
  for (const extension of access.extensions) {
    const removal = extension.remove?.(access) ?? null
    if (removal === null) continue
    return sql`update ${from} set ${join([removal, ...assignments(access, [], [])])}`
  }
  return sql`delete from ${from}`
}

/** The record to write: visible, and the policy agrees. Denies without the database if it can. */
async function writable(
  access: Access,
  idText: string,
  question: 'update' | 'delete',
  asked: Write,
): Promise<{ readonly id: number | string; readonly filter: Test }> {
  const id = readId(access.entity.id, idText)
  if (id === null) throw notFound()
  const allowed = await ask(access, question)
  const filter = await visibleWithId(access, id, allowed, ...admitted(access, asked))
  if (filter !== false) return { id, filter }
  if (access.request.user === null) throw deniedOutright(access, question)
  throw await denied(access, id, question, asked, false)
}

interface Writing {
  /** Null: of a new row. */
  readonly id: number | string | null
  readonly columns: readonly string[]
  readonly values: Row
  /** Makes the statement of the values to store and of what it returns. */
  readonly statement: (stored: readonly Parameter[], returning: Sql) => Sql
  /** Belongs to the write: in one transaction with it, and only where a row was written. */
  readonly joined: Joined | null
}

interface WrittenRow {
  readonly row: Row
  /** Called after the hooks, which may have made the related records that rights ask for. */
  readonly resource: () => Resource | Promise<Resource>
}

/** Sends a write that returns its row; null when no row was the one meant. */
async function send(access: Access, writing: Writing): Promise<WrittenRow | null> {
  const { entity } = access
  const { id, columns, values, statement } = writing
  // Such a hook gets the whole row that was written.
  const hook = entity.hooks?.[id === null ? 'afterStore' : 'afterUpdate']
  const isWhole = hook !== undefined || writing.joined?.needsRow === true
  const needs = isWhole ? allColumns(entity).needs : []
  const flags = await flagsOf(access, 'asked', '')
  const { shown } = access
  const masks = masksOf(access, '', shown)
  const isDecided = isDecidedByRow(flags, masks)
  const answer = isDecided ? { shown, masks, flags } : { shown: [], masks: noMasks, flags: null }
  const reader = rowReader(entity, { needs, ...answer })
  const stored = await toStore(access, values, columns)
  const encoded = stored.map((value, at) =>
    value === null ? null : columnNamed(entity, columns[at] ?? '').encode(value),
  )
  const query = statement(encoded, reader.select(''))
  const rowOf = (raw: RawRow) => reader.object(reader.decode([...raw]))
  const sent = sendWith(writing.joined, entity.database, query, rowOf)
  const raw = await sent.catch((error: unknown) => throwRefusedWrite(entity, values, id, error))
  if (raw === undefined) return null
  const row = reader.decode(raw)
  const resource = () => (isDecided ? reader.resource(row) : readOwn(access, row[0]))
  return { row: reader.object(row), resource }
}

/** Alone, or in one transaction with what belongs to it. */
export async function sendWith(
  joined: Joined | null,
  database: Database,
  query: Sql,
  rowOf: (raw: RawRow) => Row,
) {
  if (joined === null) return (await write(database, query))[0]
  return database.transaction(async (connection) => {
    await joined.begin(connection)
    const [raw] = await write(connection, query)
    // Decoding is done in place, and once more for the answer.
    if (raw !== undefined) await joined.write(connection, joined.needsRow ? rowOf(raw) : {})
    return raw
  })
}
