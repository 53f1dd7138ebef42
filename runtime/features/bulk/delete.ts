import type { Connection } from '../../database/types.js'
import { isTurnLong, nextTurn } from '../../event-loop.js'
import type { Input } from '../../input/validation.js'
import type { Access, HasEntity, Row } from '../../model/entity.js'
import { contextOf } from '../../operations/afterwards.js'
import { isPrepared, partsOf, prepare } from '../../operations/extend-write.js'
import { throwRefusedDelete } from '../../operations/refused-by-database.js'
import { allColumns, type RowReader, rowReader } from '../../operations/row-reader.js'
import { removalFrom } from '../../operations/write.js'
import { existing } from '../../policy/access.js'
import { answersTest } from '../../policy/condition-sql.js'
import { noMasks } from '../../policy/gates.js'
import { where } from '../../policy/predicate.js'
import { identifier, sql, table, write } from '../../sql/sql.js'
import { ChangedMeanwhile, filterOf, holdRows, rowsToWrite, telling } from './known.js'
import { inIds, placing } from './places.js'
import { accessToMany, knownRows, type Many, type ManyOptions } from './rows.js'
import {
  afterAll,
  allOf,
  aroundAll,
  beginAll,
  byId,
  holdOthers,
  inTransaction,
  isHooked,
  type ReadyRow,
  type Sender,
  thrownBy,
} from './writing.js'

/** Deletes records, all or none. */
export async function deleteMany(
  repository: HasEntity,
  user: unknown,
  ids: readonly Input[],
  options: ManyOptions,
): Promise<void> {
  const access = await accessToMany(repository, user, options)
  const rows = await knownRows(access, 'delete', ids, inIds, options)
  const many: Many = { access, rows, placeOf: inIds, isMinimal: true }
  return aroundAll(many, () => telling(many, 'delete', () => deleteRows(many)))
}

async function deleteRows(many: Many): Promise<void> {
  const { access, placeOf } = many
  const { entity } = access
  const before = await rowsToWrite(many, 'delete')
  const rows = await readyRows(many, before)
  const parts = rows.flatMap((row) => row.parts)
  const filter = await filterOf(access, 'delete', rows)
  const isWhole = parts.some((part) => part.needsRow === true) || isHooked(access, 'afterDelete')
  const columns = isWhole
    ? allColumns(entity)
    : { shown: [], masks: noMasks, needs: [], flags: null }
  const reader = rowReader(entity, columns)

  const send = async (connection: Connection, sender: Sender) => {
    await holdOthers(many, rows, connection, before)
    // What parts lock of them, in the order of the request, is locked by then.
    await holdRows(many, filter, 'update', connection)
    await beginAll(rows, connection)
    // Those that go with another one of them are gone before their turn.
    const removed = new Map<unknown, readonly unknown[]>()
    // What belongs to a row knows it by its own statement.
    const steps = parts.length === 0 ? [rows] : rows.map((row) => [row])
    for (const step of steps) {
      if (isTurnLong()) await nextTurn()
      const remove = (some: readonly ReadyRow[]) => removeRows({ access, reader }, connection, some)
      for (const [row, found] of allOf(await sender(connection, step, remove))) {
        if (found === null) continue
        removed.set(row.id, found)
        for (const part of row.parts) {
          await placing(row.at, placeOf, () => part.write(connection, reader.object(found), null))
        }
      }
    }
    const left = rows.filter(({ id }) => !removed.has(id))
    await requireGone(access, left, connection)
  }
  await inTransaction(many, send, (_, error) => thrownBy(() => throwRefusedDelete(error)))
  const after = rows.map((row) => ({ parts: row.parts, row: before.get(row.id) ?? {} }))
  await afterAll(many, 'afterDelete', after)
}

async function readyRows(
  { access, rows, placeOf }: Many,
  stored: ReadonlyMap<unknown, Row>,
): Promise<readonly ReadyRow[]> {
  const hook = access.entity.hooks?.beforeDelete
  const context = contextOf(access)
  const ready: ReadyRow[] = []
  for (const row of rows) {
    if (isTurnLong()) await nextTurn()
    const parts = await placing(row.at, placeOf, async () => {
      if (isPrepared(row.access)) await prepare(row.access, row.asked)
      await hook?.(context, stored.get(row.id) ?? {})
      return partsOf(row.access, { operation: 'delete', id: row.id, values: {} })
    })
    ready.push({ ...row, values: {}, columns: [], stored: [], parts })
  }
  return ready
}

/** One statement; null: it was gone already. */
async function removeRows(
  { access, reader }: { readonly access: Access; readonly reader: RowReader },
  connection: Connection,
  rows: readonly ReadyRow[],
): Promise<ReadonlyMap<ReadyRow, readonly unknown[] | null>> {
  const filter = await filterOf(access, 'delete', rows)
  const query = sql`${removalFrom(access)}${where(filter, access)} returning ${reader.select('')}`
  const found = byId(reader, await write(connection, query))
  return new Map(rows.map((row) => [row, found.get(row.id) ?? null]))
}

/** Others may have changed what the policy asks of the records that are still there. */
async function requireGone(
  { entity }: Access,
  rows: readonly ReadyRow[],
  connection: Connection,
): Promise<void> {
  if (rows.length === 0) return
  const ids = { id: { in: rows.map((row) => row.id) } }
  const filter = answersTest(entity, [ids, ...existing(entity.extensions, null)])
  const id = identifier('t0', entity.id.name)
  const query = sql`select ${id} from ${table(entity.table, 't0')}${where(filter, { entity })}`
  const left = new Set((await write(connection, query)).map(([key]) => String(key)))
  const there = rows.filter((row) => left.has(String(row.id)))
  if (there.length > 0) throw new ChangedMeanwhile(there)
}
