import type { RawRow } from '../../database/types.js'
import { notFound } from '../../errors.js'
import { columnNamed } from '../../model/entity-columns.js'
import type {
  Access,
  Entity,
  HasEntity,
  Row,
  Within,
  Write,
  WriteOptions,
} from '../../model/entity.js'
import { readId } from '../../model/ids.js'
import type { AnyHooks } from '../../model/policy-and-hooks.js'
import type { Resource } from '../../model/resource.js'
import type { Test } from '../../model/sql-test.js'
import { afterwards, contextOf } from '../../operations/afterwards.js'
import { denied, deniedOutright } from '../../operations/denied.js'
import {
  admitted,
  around,
  assignments,
  isPrepared,
  prepare,
  within,
  withHeaders,
} from '../../operations/extend-write.js'
import { readOwn, readRow } from '../../operations/read.js'
import { throwRefusedDelete, throwRefusedWrite } from '../../operations/refused-by-database.js'
import { allColumns, rowReader } from '../../operations/row-reader.js'
import { sendWith } from '../../operations/write.js'
import { accessTo, ask, extended, newRequest, visibleWithId } from '../../policy/access.js'
import { where } from '../../policy/predicate.js'
import { forWrite } from '../../query/request-parts.js'
import { identifier, join, type Sql, sql, table } from '../../sql/sql.js'
import { bringBack, heldStamp } from './cascade.js'
import { holdParentsOf } from './hold-parents.js'
import { looking } from './soft-deletes.js'
import { trashOf } from './trash-of.js'

/** Hooks of the trash, as the kernel calls them. */
interface TrashHooks extends AnyHooks {
  readonly beforeRestore?: (context: object, row: Row) => unknown
  readonly afterRestore?: (context: object, row: Row) => unknown
  readonly beforeForceDelete?: (context: object, row: Row) => unknown
  readonly afterForceDelete?: (context: object, row: Row) => unknown
}

/** Brings a record back; 404 where it is not in the trash, or not for this user. */
export async function restoreRecord(
  { definition }: HasEntity,
  user: unknown,
  id: string,
  options?: WriteOptions,
): Promise<Resource> {
  const access = forWrite(accessTo(newRequest(user), definition), 'restore', options, 'update')
  const asked: Write = { operation: 'restore', idText: id, body: {} }
  return around(access, asked, async () => {
    const { entity } = access
    const { absence, cascade } = trashOf(entity)
    const values: Row = { [absence]: null }
    const set = join([
      sql`${identifier(columnNamed(entity, absence).name)} = null`,
      ...assignments(access, [], []),
    ])
    const row = await change(looking(access, 'only'), asked, {
      values,
      statement: sql`update ${table(entity.table, 't0')} set ${set}`,
      refused: (before, error) =>
        throwRefusedWrite(entity, Object.assign({}, before, values), readId(entity.id, id), error),
      belonging: (found, id, filter) => {
        const parents = holdParentsOf(found, filter)
        const children = cascade.length === 0 ? [] : [withThose(entity, id)]
        return parents === null ? children : [parents, ...children]
      },
      before: 'beforeRestore',
      after: 'afterRestore',
    })
    return withHeaders(access, await readOwn(access, row['id'] as number | string))
  })
}

/** Deletes a record for good, in the trash or not. */
export async function forceDeleteRecord(
  { definition }: HasEntity,
  user: unknown,
  id: string,
  options?: WriteOptions,
): Promise<void> {
  const access = forWrite(accessTo(newRequest(user), definition), 'forceDelete', options, 'delete')
  const asked: Write = { operation: 'forceDelete', idText: id, body: {} }
  await around(access, asked, () =>
    change(looking(access, 'with'), asked, {
      values: {},
      statement: sql`delete from ${table(access.entity.table, 't0')}`,
      refused: (_, error) => throwRefusedDelete(error),
      before: 'beforeForceDelete',
      after: 'afterForceDelete',
    }),
  )
}

interface Changing {
  readonly values: Row
  /** Without its WHERE. */
  readonly statement: Sql
  readonly refused: (row: Row, error: unknown) => Promise<never> | never
  /** What belongs in its transaction. */
  readonly belonging?: (access: Access, id: number | string, filter: Test) => readonly Within[]
  readonly before: 'beforeRestore' | 'beforeForceDelete'
  readonly after: 'afterRestore' | 'afterForceDelete'
}

/** Who may is in the WHERE, as everywhere. Gives the row: as it is, or was before it was deleted. */
async function change(access: Access, asked: Write, changing: Changing): Promise<Row> {
  const { entity } = access
  const question = asked.operation === 'restore' ? 'restore' : 'forceDelete'
  const hooks: TrashHooks = entity.hooks ?? {}
  const id = readId(entity.id, asked.idText ?? '')
  if (id === null) throw notFound()
  const allowed = await ask(access, question)
  const filter = await visibleWithId(access, id, allowed, ...admitted(access, asked))
  if (filter === false && access.request.user === null) throw deniedOutright(access, question)
  const context = contextOf(access)
  const isAsked = hooks[changing.before] !== undefined || isPrepared(access)
  const before = isAsked && filter !== false ? await readRow(entity, filter) : { id }
  if (before === null || filter === false) throw await denied(access, id, question, asked, filter)
  await prepare(access, asked)
  await hooks[changing.before]?.(context, before)
  const { operation } = asked
  const parts = changing.belonging?.(access, id, filter) ?? []
  const extending = extended(
    access,
    parts.map((part) => ({ within: () => part })),
  )
  const joined = await within(extending, { operation, id, values: changing.values })
  const reader = rowReader(entity, allColumns(entity))
  const statement = sql`${changing.statement}${where(filter, access)} returning ${reader.select('')}`
  const rowOf = (raw: RawRow) => reader.object(reader.decode([...raw]))
  const sent = sendWith(joined, entity.database, statement, rowOf)
  const raw = await sent.catch(async (error: unknown) =>
    changing.refused((isAsked ? before : await readRow(entity, filter)) ?? before, error),
  )
  if (raw === undefined) throw await denied(access, id, question, asked, filter)
  const row = reader.object(reader.decode(raw))
  if (hooks[changing.after] !== undefined) {
    await afterwards(entity, changing.after, () => hooks[changing.after]?.(context, row))
  }
  await joined?.after?.()
  return row
}

/** What went with it comes back with it: its stamp is read before it is empty. */
function withThose(entity: Entity, id: number | string): Within {
  let stamp: string | null = null
  return {
    begin: async (connection) => {
      stamp = await heldStamp(connection, entity, id)
    },
    write: (connection) => bringBack(connection, entity, id, stamp),
  }
}
