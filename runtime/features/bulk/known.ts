import type { Connection } from '../../database/types.js'
import { conflict, HttpError, notFound } from '../../errors.js'
import { isTurnLong, nextTurn } from '../../event-loop.js'
import type { Access, Row } from '../../model/entity.js'
import type { Test } from '../../model/sql-test.js'
import { readRows } from '../../operations/read.js'
import { allColumns, rowReader } from '../../operations/row-reader.js'
import { ask, visibleRows } from '../../policy/access.js'
import { answersTest } from '../../policy/condition-sql.js'
import { noMasks } from '../../policy/gates.js'
import { asSql, where } from '../../policy/predicate.js'
import { identifier, raw, read, sql, table, write } from '../../sql/sql.js'
import { placed, together } from './places.js'
import type { AskedRow, Many } from './rows.js'
import { byId, naming, refused } from './writing.js'

/** Which of them the user sees and the policy admits; null: of all there are. */
export async function filterOf(
  access: Access,
  question: 'update' | 'delete',
  rows: readonly AskedRow[] | null,
): Promise<Test> {
  const named = rows === null ? [] : [{ id: { in: rows.flatMap(({ id }) => id ?? []) } }]
  const allowed = await ask(access, question)
  return answersTest(access.entity, [...named, await visibleRows(access), allowed])
}

/**
 * The rows to write, by their ids. 404 names those that the user does not see, 401 or 403 those that
 * the policy refuses, and extensions say what they have against others.
 */
export async function rowsToWrite(
  many: Many,
  question: 'update' | 'delete',
): Promise<ReadonlyMap<unknown, Row>> {
  const { access, rows } = many
  if (isTurnLong()) await nextTurn()
  const found = byKey(await readRows(access.entity, await filterOf(access, question, rows)))
  if (rows.some(({ id }) => id === null || !found.has(id)))
    throw await denied(many, question, found)
  const refusals = await refusalsOf(many, found)
  if (refusals.length > 0) throw together(refusals)
  return found
}

const byKey = (rows: readonly Row[]) => new Map(rows.map((row) => [row['id'], row] as const))

/**
 * Why some are not among those that the policy admits: one statement, for between two others may
 * make a record of an id, or change it. One that is admitted by now was changed meanwhile.
 */
async function denied(
  { access, rows, placeOf }: Many,
  question: 'update' | 'delete',
  admitted: ReadonlyMap<unknown, Row>,
): Promise<Error> {
  const others = rows.filter(({ id }) => id === null || !admitted.has(id))
  const seen = await seenNow(access, question, others)
  const hidden = others.filter(({ id }) => id === null || !seen.has(id))
  if (hidden.length > 0) return naming(notFound(), hidden, placeOf)
  const denied = others.filter(({ id }) => seen.get(id) === false)
  if (denied.length > 0) return refused(access, question, denied, placeOf)
  return naming(changed(), others, placeOf)
}

/** Those that the user sees, and whether the policy admits them. */
async function seenNow(
  access: Access,
  question: 'update' | 'delete',
  rows: readonly AskedRow[],
): Promise<ReadonlyMap<unknown, boolean>> {
  const { entity } = access
  const ids = { id: { in: rows.flatMap(({ id }) => id ?? []) } }
  const visible = answersTest(entity, [ids, await visibleRows(access)])
  if (visible === false) return new Map()
  const isAllowed = asSql(access, answersTest(entity, [await ask(access, question)])).sql
  const reader = rowReader(entity, { shown: [], masks: noMasks, needs: [], flags: null })
  const query = sql`select ${reader.select('t0')}, case when ${isAllowed} then 1 else 0 end
    from ${table(entity.table, 't0')}${where(visible, access)}`
  const found = byId(reader, await read(entity.database, query))
  return new Map([...found].map(([id, row]) => [id, row[reader.width] === 1]))
}

const changed = () => conflict('The record was changed meanwhile.')

/** What extensions have against writing rows that the policy admits. */
async function refusalsOf(
  { rows, placeOf }: Many,
  found: ReadonlyMap<unknown, Row>,
): Promise<readonly HttpError[]> {
  const answers: HttpError[] = []
  for (const { access, asked, at, id } of rows) {
    if (isTurnLong()) await nextTurn()
    const row = found.get(id)
    if (row === undefined) continue
    for (const extension of access.extensions) {
      const refusal = extension.refusal?.(access, asked, row) ?? null
      if (refusal === null) continue
      if (!(refusal instanceof HttpError)) throw refusal
      // A precondition of the request is one of a record here.
      const { status } = refusal
      const { name: member = 'id', missing } = extension.inRows?.(access.entity) ?? {}
      const message = status === 428 && missing !== undefined ? missing : refusal.message
      const answer = new HttpError(status === 412 ? 409 : status, message, { [member]: [message] })
      answers.push(placed(answer, at, placeOf) as HttpError)
      break
    }
  }
  return answers
}

/** Something is written of rows only if nobody else changed them meanwhile. */
export class ChangedMeanwhile extends Error {
  constructor(readonly rows: readonly AskedRow[]) {
    super('changed meanwhile')
  }
}

/**
 * Holds the rows until the transaction ends, in the order of their keys, so that two requests never
 * wait for each other; as they are now. On SQLite nobody else writes.
 */
export async function holdRows(
  many: Many,
  filter: Test,
  lock: 'no key update' | 'update',
  connection: Connection,
): Promise<ReadonlyMap<unknown, Row>> {
  const { access, rows } = many
  const { entity } = access
  const reader = rowReader(entity, allColumns(entity))
  const held = raw(connection.dialect === 'postgresql' ? ` for ${lock} of t0` : '')
  const query = sql`select ${reader.select('t0')} from ${table(entity.table, 't0')}${where(filter, access)}
    order by ${identifier('t0', entity.id.name)}${held}`
  const found = new Map<unknown, Row>()
  for (const stored of await write(connection, query)) {
    if (isTurnLong()) await nextTurn()
    const row = reader.object(reader.decode(stored))
    found.set(row['id'], row)
  }
  const gone = rows.filter(({ id }) => !found.has(id))
  if (gone.length > 0) throw new ChangedMeanwhile(gone)
  const refusals = await refusalsOf(many, found)
  if (refusals.length > 0) throw together(refusals)
  return found
}

/** What became of rows that others changed, told when the transaction is over. */
export async function telling<Done>(
  many: Many,
  question: 'update' | 'delete',
  work: () => Promise<Done>,
): Promise<Done> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ChangedMeanwhile)) throw error
    await rowsToWrite(many, question)
    throw naming(changed(), error.rows, many.placeOf)
  }
}
