import type { Connection } from '../../database/types.js'
import type { Input } from '../../input/validation.js'
import { compareIds } from '../../model/compare-ids.js'
import { columnNamed } from '../../model/entity-columns.js'
import type { Access, HasEntity } from '../../model/entity.js'
import { getOwn } from '../../model/get-own.js'
import type { Resource } from '../../model/resource.js'
import { contextOf } from '../../operations/afterwards.js'
import { deniedOutright } from '../../operations/denied.js'
import { isPrepared, partsOf, prepare } from '../../operations/extend-write.js'
import { throwRefusedWrite } from '../../operations/refused-by-database.js'
import { reserveKey } from '../../operations/reserve-key.js'
import { columnsAfter, ofNewRow } from '../../operations/row-after.js'
import type { RowReader } from '../../operations/row-reader.js'
import { fillValues, merged, stamped, startingValues } from '../../operations/write-values.js'
import { insertionOf } from '../../operations/write.js'
import { mayStore } from '../../policy/access.js'
import { answerTest } from '../../policy/condition-sql.js'
import { where } from '../../policy/predicate.js'
import { identifier, join, read, type Sql, sql, write } from '../../sql/sql.js'
import { givenRows, place, valueAt } from './given.js'
import { readInputs } from './input.js'
import { inList, placing } from './places.js'
import { accessToMany, type Many, type ManyOptions, newRows } from './rows.js'
import {
  afterAll,
  allOf,
  aroundAll,
  byId,
  encoded,
  holdOthers,
  inTransaction,
  isHooked,
  type ReadyRow,
  readerOf,
  refused,
  type Sender,
  thrownBy,
} from './writing.js'

/** Makes records, all or none: in the order of their bodies. */
export async function storeMany(
  repository: HasEntity,
  user: unknown,
  bodies: readonly Input[],
  options: ManyOptions,
): Promise<readonly Resource[]> {
  const access = await accessToMany(repository, user, options)
  const rows = newRows(access, bodies, options)
  const many: Many = { access, rows, placeOf: inList, isMinimal: options.isMinimal === true }
  return aroundAll(many, () => storeRows(many))
}

async function storeRows(many: Many): Promise<readonly Resource[]> {
  const { access, placeOf } = many
  const { entity } = access
  if (!(await mayStore(access))) throw deniedOutright(access, 'store')
  const { rows, hasKey } = await readyRows(many)
  const needsRow = rows.some(({ parts }) => parts.some((part) => part.needsRow === true))
  const reading = await readerOf(many, needsRow || isHooked(access, 'afterStore'))
  const { reader } = reading
  const statement = await insertion(access, hasKey)
  const send = async (connection: Connection, sender: Sender) => {
    await holdOthers(many, rows, connection)
    for (const { parts } of rows) for (const part of parts) await part.begin?.(connection)
    const denied = new Set<ReadyRow>()
    const insert = (some: readonly ReadyRow[]) =>
      insertRows({ access, reader, statement, hasKey, denied }, connection, some)
    const pieces = await sender(connection, rows, insert)
    if (denied.size > 0)
      throw refused(
        access,
        'store',
        rows.filter((row) => denied.has(row)),
        placeOf,
      )
    const sent = allOf(pieces)
    for (const row of rows) {
      for (const part of row.parts) {
        const written = reader.object(sent.get(row) ?? [])
        await placing(row.at, placeOf, () => part.write(connection, written, null))
      }
    }
    return sent
  }
  const written = await inTransaction(many, send, ({ values }, error) =>
    thrownBy(() => throwRefusedWrite(entity, values, null, error)),
  )
  const all = rows.map((row) => written.get(row) ?? [])
  const after = rows.map(({ parts }, at) => ({ parts, row: reader.object(all[at] ?? []) }))
  await afterAll(many, 'afterStore', after)
  return reading.resources(all)
}

/** Validates all, then asks the hooks of each. */
async function readyRows(many: Many) {
  const { access, rows, placeOf } = many
  const { entity } = access
  const inputs = await readInputs(many)
  let needsKey = false
  for (const row of rows) {
    if (!isPrepared(row.access)) continue
    const isKeyed = await placing(row.at, placeOf, () => prepare(row.access, row.asked))
    needsKey ||= isKeyed
  }
  const isCounted = entity.id.storage.key?.makes === null
  const isGiven = getOwn(entity.rules, 'id') !== undefined
  const hasKey = needsKey || !isCounted || isGiven
  const { columns } = insertionOf(entity, hasKey)
  const context = contextOf(access)
  const ready: ReadyRow[] = []
  for (const [index, row] of rows.entries()) {
    const values = await placing(row.at, placeOf, async () => {
      const filled = await fillValues(access, startingValues(access, inputs[index] ?? {}), 'store')
      const returned = await entity.hooks?.beforeStore?.(context, filled)
      return stamped(access, merged(filled, returned), row.asked)
    })
    if (needsKey && isCounted && !isGiven) values['id'] = await reserveKey(entity)
    // Stamped, reserved or given.
    const id = hasKey ? ((values['id'] ?? null) as number | string | null) : null
    const parts = await partsOf(row.access, { operation: 'store', id, values })
    const stored = await encoded(access, values, columns)
    ready.push({ ...row, id, values, columns, stored, parts })
  }
  return { rows: ready, hasKey }
}

/** How rows are written, if the policy admits them: what stands before and behind them. */
interface Insertion {
  readonly insert: Sql
  readonly columns: Sql
  readonly source: (given: Sql) => Sql
  readonly admitted: Sql
}

async function insertion(access: Access, hasKey: boolean): Promise<Insertion> {
  const { entity } = access
  const { columns, insert } = insertionOf(entity, hasKey)
  const rule = await ofNewRow(access)
  const values = new Map(columns.map((name, at) => [name, valueAt(at)]))
  const made = columnsAfter(entity, values, null)
  return {
    insert,
    columns: join(columns.map((name) => identifier('n', columnNamed(entity, name).name))),
    source: (given) => sql`(select ${made}, r.key as ${identifier(place)} from ${given}) as n`,
    admitted: rule === null ? sql`` : where(answerTest(entity, rule, 'n'), { entity }),
  }
}

interface Inserting {
  readonly access: Access
  readonly reader: RowReader
  readonly statement: Insertion
  readonly hasKey: boolean
  /** Rows that the policy does not admit: told when all were tried. */
  readonly denied: Set<ReadyRow>
}

async function insertRows(
  { access, reader, statement, hasKey, denied }: Inserting,
  connection: Connection,
  rows: readonly ReadyRow[],
): Promise<ReadonlyMap<ReadyRow, readonly unknown[]>> {
  const { entity } = access
  const { insert, columns, admitted } = statement
  const source = statement.source(
    givenRows(
      entity,
      rows.map(({ stored }) => stored),
    ),
  )
  const at = identifier('n', place)
  const query = sql`${insert} select ${columns} from ${source}${admitted} order by ${at}
    returning ${reader.select('')}`
  const found = byId(reader, await write(connection, query))
  if (found.size < rows.length) {
    const admittedOnes = await read(connection, sql`select ${at} from ${source}${admitted}`)
    // JSON counts from 0, and PostgreSQL from 1.
    const first = entity.dialect === 'sqlite' ? 0 : 1
    const may = new Set(admittedOnes.map(([key]) => Number(key) - first))
    for (const [index, row] of rows.entries()) if (!may.has(index)) denied.add(row)
    return new Map()
  }
  // Keys are counted in the order in which rows are written, and answered in any.
  const inOrder = hasKey && rows.every(({ id }) => id !== null) ? null : ascending(found)
  const pairs = rows.map(
    (row, index) => [row, (inOrder === null ? found.get(row.id) : inOrder[index]) ?? []] as const,
  )
  return new Map(pairs)
}

const ascending = (found: ReadonlyMap<unknown, unknown[]>): readonly (readonly unknown[])[] =>
  [...found].toSorted(([one], [other]) => compareIds(one, other)).map(([, row]) => row)
