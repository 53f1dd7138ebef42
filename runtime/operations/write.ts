import type { Connection, Parameter } from '../database/types.js'
import { notFound } from '../errors.js'
import type { Input } from '../input/validation.js'
import { columnNamed } from '../model/entity-columns.js'
import type { Access, Entity, Row } from '../model/entity.js'
import { readId } from '../model/ids.js'
import type { Resource } from '../model/resource.js'
import type { Test } from '../model/sql-test.js'
import { ask, flagsOf, mayStore, visibleWithId } from '../policy/access.js'
import { where } from '../policy/predicate.js'
import { identifier, join, type Sql, sql, table, write } from '../sql/sql.js'
import { denied, deniedOutright } from './denied.js'
import { readOwn, readRow } from './read.js'
import { throwRefusedDelete, throwRefusedWrite } from './refused-by-database.js'
import { holdingAfter, newRow, ofChangedRow, ofNewRow } from './row-after.js'
import { allColumns, rowReader } from './row-reader.js'
import { fillValues, merged, readInput, stamped, startingValues, toStore } from './write-values.js'

/** What goes into the transaction of a write (lists of children, say); asked in this order. */
export interface Together {
  /** Reads and checks what it needs, before anything is written. */
  prepare(access: Access, gates: 'canStore' | 'canUpdate'): Promise<Prepared | null>
}

export interface Prepared {
  /** The key a new record shall get, where its rows must hold it. */
  reserveId(): Promise<number | string>
  /** Asks hooks and makes values, outside the transaction, for the record of this id. */
  ready(id: number | string): Promise<Ready>
}

export interface Ready {
  /** Inside the transaction. */
  write(connection: Connection): Promise<void>
  /** When all is committed. */
  after(): Promise<void>
}

/** Makes a record: policy, validation, foreign keys, hooks, one INSERT. */
export async function storeResource(
  access: Access,
  body: Input,
  together?: Together,
): Promise<Resource> {
  const work = () => storeRow(access, body, together)
  return access.entity.credentials?.attempt(access, body, null, work) ?? work()
}

async function storeRow(access: Access, body: Input, together?: Together): Promise<Resource> {
  const { entity } = access
  const { hooks } = entity
  const context = { user: access.request.user }
  if (!(await mayStore(access))) throw deniedOutright(access, 'store')
  const input = await readInput(access, body, { gates: 'canStore', extent: 'whole', id: null })
  if ('error' in input) throw input.error
  const prepared = (await together?.prepare(access, 'canStore')) ?? null
  const filled = await fillValues(access, startingValues(access, input.values), 'store')
  const returned = await hooks?.beforeStore?.(context, filled)
  const values = stamped(entity, merged(filled, returned), 'store')
  if (prepared !== null && entity.id.kind !== 'uuid') values['id'] = await prepared.reserveId()
  // Integer keys are counted up by the database.
  const { columns, insert } = insertionOf(entity, prepared !== null || entity.id.kind === 'uuid')
  const ready = await prepared?.ready(values['id'] as number | string) // stamped or reserved
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
  const sent = await send(access, { id: null, columns, values, statement, ready })
  if (sent === null) throw deniedOutright(access, 'store', 'denied')
  await hooks?.afterStore?.(context, sent.row)
  await ready?.after()
  return sent.resource()
}

type Insertion = { readonly columns: readonly string[]; readonly insert: Sql }

const withId = new WeakMap<Entity, Insertion>()
const withoutId = new WeakMap<Entity, Insertion>()

/** Columns that the server writes, the key first. */
const written = ({ columns, generated = [] }: Entity): readonly string[] =>
  [...columns.keys()].filter((each) => !generated.includes(each))

/** One INSERT per repository, whatever the body holds. SQLite counts up a key that is NULL. */
function insertionOf(entity: Entity, hasId: boolean): Insertion {
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
  together?: Together,
): Promise<Resource> {
  const work = () => updateRow(access, idText, body, extent, together)
  return access.entity.credentials?.attempt(access, body, idText, work) ?? work()
}

async function updateRow(
  access: Access,
  idText: string,
  body: Input,
  extent: 'whole' | 'part',
  together?: Together,
): Promise<Resource> {
  const { entity } = access
  const { hooks, credentials } = entity
  const context = { user: access.request.user }
  const { id, filter } = await writable(access, idText, 'update')
  const stored = () => readRow(entity, filter)
  const input = await readInput(access, body, { gates: 'canUpdate', extent, id, stored })
  // Authorization errors win over validation errors, and come before rows of others are looked at.
  if ('error' in input || together !== undefined) await requireRow(access, id, filter)
  if ('error' in input) throw input.error
  const prepared = (await together?.prepare(access, 'canUpdate')) ?? null
  const row = hooks?.beforeUpdate === undefined ? null : await requireRow(access, id, filter)
  const filled = await fillValues(access, input.values, 'update')
  const returned = row === null ? null : await hooks?.beforeUpdate?.(context, row, filled)
  const values = stamped(entity, merged(filled, returned), 'update')
  const columns = [...entity.columns.keys()].filter((each) => Object.hasOwn(values, each))
  const ready = await prepared?.ready(id)
  const rule = await ofChangedRow(access, columns)
  // A table without `updated_at` may be asked to change nothing.
  const idle = identifier(columnNamed(entity, written(entity)[1] ?? 'id').name)
  const statement = (stored: readonly Parameter[], returning: Sql) => {
    const after = new Map(columns.map((each, at) => [each, stored[at] ?? null]))
    const admitted = holdingAfter(entity, filter, rule, after)
    const set = [...after].map(([k, v]) => sql`${identifier(columnNamed(entity, k).name)} = ${v}`)
    if (set.length === 0) set.push(sql`${idle} = ${idle}`)
    const more = credentials?.assignments(columns, stored) ?? []
    return sql`update ${table(entity.table, 't0')} set ${join([...set, ...more])}${where(admitted, access)}
      returning ${returning}`
  }
  const hasNewPassword = credentials !== undefined && columns.includes('password')
  const after = hasNewPassword ? (on: Connection) => credentials.onNewPassword(on, id) : undefined
  const sent = await send(access, { id, columns, values, statement, ready, after })
  if (sent === null) throw await denied(access, id, 'update')
  await hooks?.afterUpdate?.(context, sent.row)
  await ready?.after()
  return sent.resource()
}

/** The row a write is about; without it, why: 404, 401 or 403. */
async function requireRow(access: Access, id: unknown, filter: Test): Promise<Row> {
  const row = await readRow(access.entity, filter)
  if (row === null) throw await denied(access, id, 'update')
  return row
}

export async function deleteResource(access: Access, idText: string): Promise<void> {
  const { entity } = access
  const { hooks, database } = entity
  const context = { user: access.request.user }
  const { id, filter } = await writable(access, idText, 'delete')
  const isHooked = hooks?.beforeDelete !== undefined || hooks?.afterDelete !== undefined
  const row = isHooked ? await readRow(entity, filter) : {}
  if (row === null) throw await denied(access, id, 'delete')
  await hooks?.beforeDelete?.(context, row)
  const statement = sql`delete from ${table(entity.table, 't0')}${where(filter, access)}
    returning ${identifier(entity.id.name)}`
  const removed = await write(database, statement).catch(throwRefusedDelete)
  if (removed.length === 0) throw await denied(access, id, 'delete')
  await hooks?.afterDelete?.(context, row)
}

/** The record to write: visible, and the policy agrees. Denies without the database if it can. */
async function writable(
  access: Access,
  idText: string,
  question: 'update' | 'delete',
): Promise<{ readonly id: number | string; readonly filter: Test }> {
  const id = readId(access.entity.id, idText)
  if (id === null) throw notFound()
  const allowed = await ask(access, question)
  const filter = await visibleWithId(access, id, allowed)
  if (filter !== false) return { id, filter }
  if (access.request.user === null) throw deniedOutright(access, question)
  throw await denied(access, id, question)
}

interface Writing {
  /** Null: of a new row. */
  readonly id: number | string | null
  readonly columns: readonly string[]
  readonly values: Row
  /** Makes the statement of the values to store and of what it returns. */
  readonly statement: (stored: readonly Parameter[], returning: Sql) => Sql
  /** Belongs to the write: in one transaction with it, and only where a row was written. */
  readonly ready: Ready | undefined
  readonly after?: ((connection: Connection) => Promise<void>) | undefined
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
  const needs = hook === undefined ? [] : allColumns(entity).needs
  const flags = await flagsOf(access, 'asked', '')
  const tests = [flags.show, flags.update, flags.delete]
  const isDecided = tests.every(
    (each) => each === null || typeof each === 'boolean' || each.isOwnRow,
  )
  const { shown } = access
  const reader = rowReader(entity, { shown, needs, flags: isDecided ? flags : null })
  const stored = await toStore(entity, values, columns)
  const encoded = stored.map((value, at) =>
    value === null ? null : columnNamed(entity, columns[at] ?? '').encode(value),
  )
  const query = statement(encoded, reader.select(''))
  const raw = await sendWith(writing, entity, query).catch((error: unknown) =>
    throwRefusedWrite(entity, values, id, error),
  )
  if (raw === undefined) return null
  const row = reader.decode(raw)
  const resource = () => (isDecided ? reader.resource(row) : readOwn(access, row[0]))
  return { row: reader.object(row), resource }
}

/** Alone, or in one transaction with what belongs to it. */
async function sendWith({ ready, after }: Writing, { database }: Entity, query: Sql) {
  if (ready === undefined && after === undefined) return (await write(database, query))[0]
  return database.transaction(async (connection) => {
    const [raw] = await write(connection, query)
    if (raw === undefined) return undefined
    await after?.(connection)
    await ready?.write(connection)
    return raw
  })
}
