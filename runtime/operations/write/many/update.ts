import { type Connection, ConstraintError } from '../../../database/types.js'
import { conflict } from '../../../errors.js'
import { isTurnLong, nextTurn } from '../../../event-loop.js'
import { canonical } from '../../../model/columns.js'
import { columnNamed } from '../../../model/entity-columns.js'
import type { Access, Row } from '../../../model/entity.js'
import type { Test } from '../../../model/sql-test.js'
import { answersTest } from '../../../policy/condition-sql.js'
import { all, where } from '../../../policy/predicate.js'
import { identifier, isSame, join, type Sql, sql, table, write } from '../../../sql/sql.js'
import { refusedWrite } from '../../refused-by-database.js'
import { holdingAfter, ofChangedRow } from '../../row-after.js'
import { gateConditions } from '../../row-gates.js'
import type { RowReader } from '../../row-reader.js'
import { writtenReader } from '../answer.js'
import { idleAssignment } from '../columns.js'
import { beginAll, writeParts } from '../parts.js'
import type { ReadyRecord, Sender, Sending, Sent, Target, WritePlan } from '../plan.js'
import { filterOf, holdRows } from './existing.js'
import { namedRows } from './named-rows.js'
import { byId, refused } from './refusals.js'
import { holdOthersOfMany } from './repeated.js'
import { allOf } from './transaction.js'
import { afterThoseThatGiveUp, endsInExchange } from './unique-order.js'
import { type Change, isPlain, updateInOrder } from './update-in-order.js'

/** Changes records: one statement for those that change the same columns. */
export async function updateMany(
  plan: WritePlan,
  records: readonly ReadyRecord[],
  target: Target,
): Promise<Sending> {
  const { access, placeOf } = plan
  const { entity } = access
  const before = await target.rows()
  const { reader, resources } = await writtenReader(plan, 'afterUpdate', records)
  // SQLite would go through the given rows once for each id of a list.
  const filter = await filterOf(access, 'update', null)
  const groups = await groupsOf(access, records)
  // Nobody else writes to SQLite, and most ask nothing of rows as they are.
  const isHeld =
    entity.dialect === 'postgresql' ||
    records.some(({ parts }) => parts.some((part) => part.needsBefore === true)) ||
    records.some(({ steps }) => steps.some(({ requires }) => requires !== undefined))

  // Records that keep their values: refused, or not sent because so many others were refused.
  let undone: readonly ReadyRecord[] = records
  const holdersByKey = new Map<string, ReadonlyMap<string | null, ReadyRecord>>()
  const send = async (connection: Connection, sender: Sender, cause: unknown) => {
    await holdOthersOfMany(plan, records, connection, before)
    const hold = (some: WritePlan) => holdRows(some, 'update', target.filter, connection)
    const held = isHeld ? await hold(plan) : null
    await beginAll(records, connection)
    const denied = new Set<ReadyRecord>()
    const changing = { access, reader, filter, groups, denied }
    const taken = cause instanceof ConstraintError && cause.kind === 'unique' ? cause : null
    const inOrder = taken === null ? records : afterThoseThatGiveUp(entity, records, taken, before)
    const change = (some: readonly ReadyRecord[]) =>
      taken === null
        ? changeRows(changing, connection, some)
        : changeInOrder(changing, connection, some)
    const pieces = await sender<readonly unknown[]>(connection, inOrder, change)
    undone = records.filter((record) => !pieces.done.has(record))
    if (denied.size > 0) {
      const others = records.filter((record) => denied.has(record))
      // Nothing held them since they were looked at: they may be gone.
      if (held === null) await hold(Object.assign({}, plan, { records: others }))
      throw refused(access, 'update', others, placeOf)
    }
    const sent = allOf(pieces)
    for (const record of records) {
      const now = () => reader.object(sent.get(record) ?? [])
      await writeParts(plan, record, connection, now, held?.get(record.id) ?? null)
    }
    return sent
  }
  return {
    records,
    hook: 'afterUpdate',
    send,
    resources,
    rowOf: (_, decoded) => reader.object(decoded),
    meaning: (record, error, refusedOnes) =>
      meaningOf(access, record, error, {
        before,
        refusedIds: new Set(refusedOnes.map(([each]) => each.id)),
        endsInExchange: (taken) =>
          endsInExchange(entity, record, { undone, error: taken, before, holdersByKey }),
      }),
  }
}

/** Rows that one statement changes: the same columns, and the same besides. */
interface Group {
  readonly columns: readonly string[]
  readonly more: readonly Sql[]
  readonly rule: unknown
  /** Conditions of gates of fields, which the records still have to satisfy. */
  readonly gates: readonly object[]
}

async function groupsOf(
  access: Access,
  records: readonly ReadyRecord[],
): Promise<ReadonlyMap<ReadyRecord, Group>> {
  const byColumns = new Map<string, Group[]>()
  const groups = new Map<ReadyRecord, Group>()
  for (const record of records) {
    if (isTurnLong()) await nextTurn()
    const { columns, more } = record
    const known = byColumns.get(columns.join()) ?? []
    byColumns.set(columns.join(), known)
    const gates = gateConditions(record.access, record.write)
    const found = known.find(
      (group) => areSame(group.more, more) && areSameGates(group.gates, gates),
    )
    const group = found ?? { columns, more, gates, rule: await ofChangedRow(access, columns) }
    if (found === undefined) known.push(group)
    groups.set(record, group)
  }
  return groups
}

const areSame = (some: readonly Sql[], others: readonly Sql[]): boolean =>
  some.length === others.length && some.every((each, at) => isSame(each, others[at] ?? null))

const areSameGates = (some: readonly object[], others: readonly object[]): boolean =>
  some.length === others.length && some.every((gate, at) => gate === others[at])

interface Changing {
  readonly access: Access
  readonly reader: RowReader
  readonly filter: Test
  readonly groups: ReadonlyMap<ReadyRecord, Group>
  /** Rows that the policy does not let become so: told when all were tried. */
  readonly denied: Set<ReadyRecord>
}

/** Sends one UPDATE for each group; its WHERE has the policy, for the rows before and after. */
async function changeRows(
  { access, reader, filter, groups, denied }: Changing,
  connection: Connection,
  rows: readonly ReadyRecord[],
): Promise<Sent> {
  const done = new Map<ReadyRecord, readonly unknown[]>()
  const byGroup = new Map<Group, ReadyRecord[]>()
  for (const row of rows) {
    const group = groups.get(row)
    if (group === undefined) throw new TypeError('a row of no group')
    const some = byGroup.get(group) ?? []
    some.push(row)
    byGroup.set(group, some)
  }
  for (const [group, some] of byGroup) {
    if (isTurnLong()) await nextTurn()
    const { set, given, only } = changeOf(access, group, some, filter)
    const query = sql`update ${table(access.entity.table, 't0')} set ${set} from (${given}) as v${only}
      returning ${reader.select('')}`
    collect(some, byId(reader, await write(connection, query)), { done, denied })
  }
  return done
}

function collect(
  rows: readonly ReadyRecord[],
  found: ReadonlyMap<unknown, readonly unknown[]>,
  { done, denied }: { done: Map<ReadyRecord, readonly unknown[]>; denied: Set<ReadyRecord> },
): void {
  for (const row of rows) {
    const changed = found.get(row.id)
    if (changed === undefined) denied.add(row)
    else done.set(row, changed)
  }
}

/** Changes one row after the other, so that a value is given up before another row takes it. */
async function changeInOrder(
  changing: Changing,
  connection: Connection,
  rows: readonly ReadyRecord[],
): Promise<Sent> {
  const { access, reader, filter, groups, denied } = changing
  const isSaid = rows.every((row) => isPlain(groups.get(row)?.more ?? []))
  if (!isSaid) return changeRows(changing, connection, rows)
  const done = new Map<ReadyRecord, readonly unknown[]>()
  for (const some of runsOf(rows, groups)) {
    if (isTurnLong()) await nextTurn()
    const group = some[0] === undefined ? undefined : groups.get(some[0])
    if (group === undefined) throw new TypeError('a row of no group')
    const change = changeOf(access, group, some, filter)
    const found = await updateInOrder({ access, reader, ...change }, connection)
    collect(some, byId(reader, found), { done, denied })
  }
  return done
}

/** Rows of one group that follow each other. */
function runsOf(
  rows: readonly ReadyRecord[],
  groups: Changing['groups'],
): readonly (readonly ReadyRecord[])[] {
  const runs: ReadyRecord[][] = []
  for (const row of rows) {
    const run = runs.at(-1)
    const last = run?.at(-1)
    if (run !== undefined && last !== undefined && groups.get(last) === groups.get(row))
      run.push(row)
    else runs.push([row])
  }
  return runs
}

/** Writes the parts of a statement that has the records in a table called `v`. */
function changeOf(
  access: Access,
  { columns, more, rule, gates }: Group,
  rows: readonly ReadyRecord[],
  filter: Test,
): Change {
  const { entity } = access
  const { id } = entity
  const given = namedRows(
    entity,
    ['id', ...columns],
    rows.map((row) => [id.encode(row.id), ...row.stored]),
  )
  const after = new Map(columns.map((name, at) => [name, identifier('v', String(at + 1))]))
  const set = [...after].map(
    ([name, value]) => sql`${identifier(columnNamed(entity, name).name)} = ${value}`,
  )
  if (set.length === 0) set.push(idleAssignment(entity))
  const admitted = all(access, [filter, answersTest(entity, gates)])
  const holding = holdingAfter(entity, admitted, rule, after)
  const key = sql`${identifier('t0', id.name)} = ${identifier('v', '0')}`
  const filtered = where(holding, access)
  const only = holding === true ? sql` where ${key}` : sql`${filtered} and ${key}`
  return { set: join([...set, ...more]), given, width: columns.length + 1, only }
}

/**
 * What the database refused of one record. A value that another one of the request would give up, if
 * that were not refused as well, is no value that is taken.
 */
async function meaningOf(
  { entity }: Access,
  { id, values }: ReadyRecord,
  error: unknown,
  { before, refusedIds, endsInExchange: mayExchange }: Refusal,
): Promise<unknown> {
  if (error instanceof ConstraintError && error.kind === 'unique' && error.columns.length > 0) {
    const names = [...entity.columns.values()].filter(({ name }) => error.columns.includes(name))
    const own: Row = Object.assign({}, before.get(id), values)
    const isExchanged = [...before].some(
      ([other, row]) =>
        other !== id &&
        refusedIds.has(other) &&
        names.every((each) => row[each.field] === canonical(each, own[each.field])),
    )
    if (isExchanged || mayExchange(error)) {
      return conflict('The records exchange values that only one may have.')
    }
  }
  return refusedWrite(entity, values, id, error)
}

interface Refusal {
  readonly before: ReadonlyMap<unknown, Row>
  readonly refusedIds: ReadonlySet<unknown>
  readonly endsInExchange: (taken: ConstraintError) => boolean
}
