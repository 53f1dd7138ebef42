import type { Connection, ConstraintError } from '../../database/types.js'
import { conflict } from '../../errors.js'
import { isTurnLong, nextTurn } from '../../event-loop.js'
import type { Input } from '../../input/validation.js'
import { canonical } from '../../model/columns.js'
import { columnNamed } from '../../model/entity-columns.js'
import type { Access, HasEntity, Row } from '../../model/entity.js'
import type { Resource } from '../../model/resource.js'
import type { Test } from '../../model/sql-test.js'
import { contextOf } from '../../operations/afterwards.js'
import { assignments, partsOf } from '../../operations/extend-write.js'
import { throwRefusedWrite } from '../../operations/refused-by-database.js'
import { holdingAfter, ofChangedRow } from '../../operations/row-after.js'
import { accessesOfRows, gateConditions } from '../../operations/row-gates.js'
import type { RowReader } from '../../operations/row-reader.js'
import { fillValues, merged, stamped } from '../../operations/write-values.js'
import { written as writtenColumns } from '../../operations/write.js'
import { answersTest } from '../../policy/condition-sql.js'
import { all, where } from '../../policy/predicate.js'
import { identifier, isSame, join, type Sql, sql, table, write } from '../../sql/sql.js'
import { afterThoseThatGiveUp, endsInExchange } from './after-those-that-give-up.js'
import { readInputs, validateAll } from './input.js'
import { filterOf, holdRows, rowsToWrite, telling } from './known.js'
import { namedRows } from './named-rows.js'
import { inList, placing } from './places.js'
import { accessToMany, knownRows, type Many, type ManyOptions } from './rows.js'
import { prepareRows } from './store.js'
import { type Change, isPlain, updateInOrder } from './update-in-order.js'
import {
  allOf,
  aroundAll,
  beginAll,
  byId,
  type Checked,
  encoded,
  holdOthers,
  isHooked,
  type ReadyRow,
  readerOf,
  refused,
  sendAll,
  type Sender,
  type Sending,
  thrownBy,
} from './writing.js'

/** Changes records, all or none: what each body has, of the record that its `id` names. */
export async function updateMany(
  repository: HasEntity,
  user: unknown,
  bodies: readonly Input[],
  options: ManyOptions,
): Promise<readonly Resource[]> {
  const access = await accessToMany(repository, user, options)
  const rows = await knownRows(access, 'update', bodies, inList, options)
  const many: Many = { access, rows, placeOf: inList, isMinimal: options.isMinimal === true }
  return aroundAll(many, () => telling(many, 'update', () => updateRows(many)))
}

/** A row as it is now, and what becomes of it. */
interface ChangedRow extends ReadyRow {
  readonly before: Row
  /** What is set besides its columns. */
  readonly more: readonly Sql[]
}

async function updateRows(many: Many): Promise<readonly Resource[]> {
  const checked = await checkedUpdate(many)
  const ready = await checked()
  const [resources = []] = await sendAll(many, [await ready()])
  return resources
}

/** Reads the rows and looks at all that is to be written. */
export async function checkedUpdate(asked: Many): Promise<Checked> {
  const before = await rowsToWrite(asked, 'update')
  const accesses = await accessesOfRows(asked.rows, 'part')
  const rows = asked.rows.map((row, at) => Object.assign({}, row, { access: accesses[at] }))
  const many: Many = Object.assign({}, asked, { rows })
  const inputs = await readInputs(many, before)
  return async () => {
    await prepareRows(many)
    await validateAll(many, inputs, before)
    return () => updating(many, before, inputs)
  }
}

async function updating(
  many: Many,
  before: ReadonlyMap<unknown, Row>,
  inputs: readonly Row[],
): Promise<Sending> {
  const { access, placeOf } = many
  const { entity } = access
  const rows = await changedRows(many, before, inputs)
  const parts = rows.flatMap((row) => row.parts)
  const needsRow = parts.some((part) => part.needsRow === true)
  const reading = await readerOf(many, needsRow || isHooked(access, 'afterUpdate'))
  const { reader } = reading
  const named = await filterOf(access, 'update', rows)
  // SQLite would go through the given rows once for each id of a list.
  const filter = await filterOf(access, 'update', null)
  const groups = await groupsOf(access, rows)
  // Nobody else writes to SQLite, and most ask nothing of rows as they are.
  const isHeld =
    entity.dialect === 'postgresql' ||
    parts.some((part) => part.needsBefore === true) ||
    access.extensions.some(({ refusal }) => refusal !== undefined)

  // Rows that keep their values: refused, or not sent because so many others were refused.
  let undone: readonly ReadyRow[] = rows
  const holdersByKey = new Map<string, ReadonlyMap<string | null, ReadyRow>>()
  const send = async (connection: Connection, sender: Sender, why: ConstraintError | null) => {
    await holdOthers(many, rows, connection, before)
    const held = isHeld ? await holdRows(many, named, 'no key update', connection) : null
    await beginAll(rows, connection)
    const denied = new Set<ReadyRow>()
    const changing = { access, reader, filter, groups, denied }
    const isTaken = why?.kind === 'unique'
    const inOrder = isTaken ? afterThoseThatGiveUp(entity, rows, why, before) : rows
    const change = (some: readonly ReadyRow[]) =>
      isTaken ? changeInOrder(changing, connection, some) : changeRows(changing, connection, some)
    const pieces = await sender<readonly unknown[]>(connection, inOrder, change)
    undone = rows.filter((row) => !pieces.done.has(row))
    if (denied.size > 0) {
      const others = rows.filter((row) => denied.has(row))
      // Nothing held them since they were looked at: they may be gone.
      const asked = Object.assign({}, many, { rows: others })
      if (held === null) await holdRows(asked, named, 'no key update', connection)
      throw refused(access, 'update', others, placeOf)
    }
    const sent = allOf(pieces)
    for (const row of rows) {
      if (isTurnLong()) await nextTurn()
      const now = reader.object(sent.get(row) ?? [])
      const then = held?.get(row.id) ?? null
      for (const part of row.parts) {
        await placing(row.at, placeOf, () => part.write(connection, now, then))
      }
    }
    return sent
  }
  return {
    ...{ rows, reading, hook: 'afterUpdate', send },
    meaning: (row, error, all) =>
      meaningOf(access, row, error, {
        ...{ before, refusedIds: new Set(all.map(([each]) => each.id)) },
        endsInExchange: () => endsInExchange(entity, row, { undone, error, before, holdersByKey }),
      }),
  }
}

async function changedRows(
  many: Many,
  stored: ReadonlyMap<unknown, Row>,
  inputs: readonly Row[],
): Promise<readonly ChangedRow[]> {
  const { access, rows, placeOf } = many
  const { entity } = access
  const hook = entity.hooks?.beforeUpdate
  const context = contextOf(access)
  const changed: ChangedRow[] = []
  for (const [index, row] of rows.entries()) {
    if (isTurnLong()) await nextTurn()
    const before = stored.get(row.id) ?? {}
    const values = await placing(row.at, placeOf, async () => {
      const filled = await fillValues(access, inputs[index] ?? {}, 'update')
      const returned = await hook?.(context, { ...before }, filled)
      return stamped(access, merged(filled, returned), row.asked)
    })
    const columns = [...entity.columns.keys()].filter((each) => Object.hasOwn(values, each))
    const parts = await partsOf(row.access, { operation: 'update', id: row.id, values })
    const held = await encoded(access, values, columns)
    const more = assignments(access, columns, held)
    changed.push({ ...row, values, columns, stored: held, parts, before, more })
  }
  return changed
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
  rows: readonly ChangedRow[],
): Promise<ReadonlyMap<ReadyRow, Group>> {
  const byColumns = new Map<string, Group[]>()
  const groups = new Map<ReadyRow, Group>()
  for (const row of rows) {
    if (isTurnLong()) await nextTurn()
    const { columns, more } = row
    const known = byColumns.get(columns.join()) ?? []
    byColumns.set(columns.join(), known)
    const gates = gateConditions(row.access, row.asked)
    const found = known.find(
      (group) => areSame(group.more, more) && areSameGates(group.gates, gates),
    )
    const group = found ?? { columns, more, gates, rule: await ofChangedRow(access, columns) }
    if (found === undefined) known.push(group)
    groups.set(row, group)
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
  readonly groups: ReadonlyMap<ReadyRow, Group>
  /** Rows that the policy does not let become so: told when all were tried. */
  readonly denied: Set<ReadyRow>
}

/** One UPDATE for each group; who may, and into what, is in its WHERE. */
async function changeRows(
  { access, reader, filter, groups, denied }: Changing,
  connection: Connection,
  rows: readonly ReadyRow[],
): Promise<ReadonlyMap<ReadyRow, readonly unknown[]>> {
  const done = new Map<ReadyRow, readonly unknown[]>()
  const byGroup = new Map<Group, ReadyRow[]>()
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
  rows: readonly ReadyRow[],
  found: ReadonlyMap<unknown, readonly unknown[]>,
  { done, denied }: { done: Map<ReadyRow, readonly unknown[]>; denied: Set<ReadyRow> },
): void {
  for (const row of rows) {
    const changed = found.get(row.id)
    if (changed === undefined) denied.add(row)
    else done.set(row, changed)
  }
}

/** The same one row after the other, so that a value is given up before another row takes it. */
async function changeInOrder(
  changing: Changing,
  connection: Connection,
  rows: readonly ReadyRow[],
): Promise<ReadonlyMap<ReadyRow, readonly unknown[]>> {
  const { access, reader, filter, groups, denied } = changing
  const isSaid = rows.every((row) => isPlain(groups.get(row)?.more ?? []))
  if (!isSaid) return changeRows(changing, connection, rows)
  const done = new Map<ReadyRow, readonly unknown[]>()
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
  rows: readonly ReadyRow[],
  groups: Changing['groups'],
): readonly (readonly ReadyRow[])[] {
  const runs: ReadyRow[][] = []
  for (const row of rows) {
    const run = runs.at(-1)
    const last = run?.at(-1)
    if (run !== undefined && last !== undefined && groups.get(last) === groups.get(row))
      run.push(row)
    else runs.push([row])
  }
  return runs
}

/** What a statement says, with the records that it is given in a table called `v`. */
function changeOf(
  access: Access,
  { columns, more, rule, gates }: Group,
  rows: readonly ReadyRow[],
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
  // A table without `updated_at` may be asked to change nothing.
  const idle = identifier(columnNamed(entity, writtenColumns(entity)[1] ?? 'id').name)
  if (set.length === 0) set.push(sql`${idle} = ${idle}`)
  const admitted = all(access, [filter, answersTest(entity, gates)])
  const holding = holdingAfter(entity, admitted, rule, after)
  const key = sql`${identifier('t0', id.name)} = ${identifier('v', '0')}`
  const filtered = where(holding, access)
  const only = holding === true ? sql` where ${key}` : sql`${filtered} and ${key}`
  return { set: join([...set, ...more]), given, width: columns.length + 1, only }
}

/**
 * What the database refused of one row. A value that another one of the request would give up, if
 * that were not refused as well, is no value that is taken.
 */
async function meaningOf(
  { entity }: Access,
  { id, values }: ReadyRow,
  error: ConstraintError,
  { before, refusedIds, endsInExchange: mayExchange }: Refusal,
): Promise<unknown> {
  if (error.kind === 'unique' && error.columns.length > 0) {
    const names = [...entity.columns.values()].filter(({ name }) => error.columns.includes(name))
    const own: Row = { ...before.get(id), ...values }
    const isExchanged = [...before].some(
      ([other, row]) =>
        other !== id &&
        refusedIds.has(other) &&
        names.every((each) => row[each.field] === canonical(each, own[each.field])),
    )
    if (isExchanged || mayExchange()) {
      return conflict('The records exchange values that only one may have.')
    }
  }
  return thrownBy(() => throwRefusedWrite(entity, values, id, error))
}

interface Refusal {
  readonly before: ReadonlyMap<unknown, Row>
  readonly refusedIds: ReadonlySet<unknown>
  readonly endsInExchange: () => boolean
}
