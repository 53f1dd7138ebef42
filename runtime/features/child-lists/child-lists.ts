import type { Connection } from '../../database/types.js'
import { conflict, forbidden, HttpError, invalid } from '../../errors.js'
import { sentence, worded } from '../../input/messages.js'
import { isFilled, validate } from '../../input/validation.js'
import { compareIds } from '../../model/compare-ids.js'
import type { Access, Extension, Row, Within, WriteGates, WriteSteps } from '../../model/entity.js'
import { getOwn } from '../../model/get-own.js'
import { readRows } from '../../operations/read.js'
import { meaningOf } from '../../operations/refused-by-database.js'
import { gatesOf, validateAll } from '../../operations/write/inputs.js'
import { ChangedMeanwhile, filterOf } from '../../operations/write/many/existing.js'
import { inList } from '../../operations/write/many/places.js'
import { statementsOfMany } from '../../operations/write/many/statements.js'
import { atOnce } from '../../operations/write/many/transaction.js'
import { afterEach } from '../../operations/write/parts.js'
import { changedRecords } from '../../operations/write/pipeline.js'
import type { PlannedRecord, Sending, Sent, WritePlan } from '../../operations/write/plan.js'
import { withSteps } from '../../operations/write/steps.js'
import { ask, visibleRows } from '../../policy/access.js'
import { answersTest } from '../../policy/condition-sql.js'
import { gateAnswer, passes } from '../../policy/gates.js'
import { accessBehind, type HasRelated, linkOf, maySeeEntry } from '../relations/entries.js'
import { readIds, unknownIds } from '../relations/named-ids.js'

/** Children of a hasMany relation that a write gives to the record it is about. */
export interface ChildList {
  /** The key of the list in the body: `comment_ids`. */
  readonly name: string
  /** Key of the relation. */
  readonly relation: string
  readonly ids: readonly unknown[]
}

/**
 * Gives children to the record that is stored or changed, in its transaction.
 *
 * All of them must be visible and changeable by their own update policy, or nothing is written:
 * 403, or 422 with the ids that are not there. Lists of a relation that this user may not see or
 * write, and of a column that no request may write, change nothing.
 */
export function withChildren(lists: readonly ChildList[]): readonly Extension[] {
  return lists.length === 0 ? [] : [{ write: () => givingChildren(lists) }]
}

/** For one write: what `readOthers` finds, `within` writes. */
function givingChildren(lists: readonly ChildList[]): WriteSteps {
  let given: readonly Children[] = []
  return {
    readOthers: async ({ access, write }) => {
      given = await readChildren(access, lists, gatesOf(write.operation))
      return given.length > 0
    },
    // Its id is reserved: see `readOthers`.
    within: ({ id }) => (given.length === 0 || id === null ? null : giving(given, id)),
  }
}

/** Hooks and policies are asked here, outside the transaction, so that they may read and write. */
async function giving(all: readonly Children[], parent: number | string): Promise<Within> {
  const changes: ChildChange[] = []
  for (const children of all) changes.push(await changeOf(children, parent))
  let written: readonly Sent[] = []
  return {
    write: async (connection) => {
      const sent: Sent[] = []
      for (const change of changes) sent.push(await writeChange(change, connection))
      written = sent
    },
    after: async () => {
      for (const [index, { plan, sending }] of changes.entries()) {
        const rows = sending.records.map((record) => {
          const decoded = written[index]?.get(record) ?? []
          return { parts: record.parts, row: sending.rowOf(record, decoded) }
        })
        await afterEach(plan, sending.hook, rows)
      }
    },
  }
}

/** Children that exist, and that the user may change. */
interface Children {
  readonly name: string
  readonly access: Access
  readonly relation: HasRelated
  readonly rows: readonly Row[]
}

async function readChildren(
  access: Access,
  lists: readonly ChildList[],
  gates: WriteGates,
): Promise<readonly Children[]> {
  const { request, entity } = access
  const found: Children[] = []
  for (const { name, relation: key, ids: given } of lists) {
    const link = linkOf(entity, key)
    if (link?.relation.kind !== 'hasMany' || !maySeeEntry(access, link)) continue
    if (!passes(entity.policy[gates], key, request.user)) continue
    const { relation } = link
    const target = accessBehind(access, link)
    const { rules, policy } = target.entity
    const isWritten = getOwn(rules, relation.foreignKey) !== undefined
    if (!isWritten || isFilled(target.entity, relation.foreignKey, 'canUpdate')) continue
    const { ids, impossible, problem } = readIds(target.entity.id, name, { [name]: given }, true)
    if (problem !== null) throw invalid({ [name]: [problem] })
    if (ids.length + impossible.length === 0) continue
    const gate = gateAnswer(policy.canUpdate, relation.foreignKey, request.user)
    if (gate === false) throw forbidden()
    const changing =
      typeof gate === 'object' ? behindGate(target, relation.foreignKey, gate) : target
    const rows = await changeable(changing, name, ids, impossible)
    // Locks rows in the order of their keys, as every lock of many rows does.
    const sorted = rows.toSorted((one, other) => compareIds(one['id'], other['id']))
    found.push({ name, access: changing, relation, rows: sorted })
  }
  return found
}

/** The gate of the foreign key answered a condition: every child that is given has to satisfy it. */
const behindGate = (access: Access, foreignKey: string, condition: object): Access =>
  Object.assign({}, access, {
    ofRow: { updatable: new Map([[foreignKey, condition]]), kept: new Set<string>() },
  })

/** Policy first, then what is not there. */
async function changeable(
  target: Access,
  name: string,
  ids: readonly (number | string)[],
  impossible: readonly string[],
): Promise<readonly Row[]> {
  const { entity } = target
  const visible = await visibleRows(target)
  const named = { id: { in: ids } }
  const rows = await readRows(
    entity,
    answersTest(entity, [named, visible, ...(await mayChange(target))]),
  )
  if (rows.length === ids.length && impossible.length === 0) return rows
  const seen = await readRows(entity, answersTest(entity, [named, visible]))
  if (seen.length > rows.length) throw forbidden()
  const there = new Set(seen.map(({ id }) => id))
  const unknown = [...ids.filter((id) => !there.has(id)), ...impossible]
  throw invalid({ [name]: [unknownIds(name, unknown)] })
}

/**
 * Returns the conditions on a child: its policy lets the user change it, and so does the gate of
 * its foreign key.
 */
const mayChange = async (access: Access): Promise<readonly unknown[]> => [
  await ask(access, 'update'),
  ...(access.ofRow?.updatable.values() ?? []),
]

/** The write that gives children to a record. */
interface ChildChange {
  readonly list: string
  readonly plan: WritePlan
  readonly sending: Sending
  /** The foreign key, as the children will hold it. */
  readonly pointer: Row
}

/** Prepares the changes of the children, each as if it were a request about that child. */
async function changeOf(
  { access, relation, name, rows }: Children,
  parent: number | string,
): Promise<ChildChange> {
  const body = { [relation.foreignKey]: parent }
  const planned = rows.map((row, at): PlannedRecord => {
    const id = row['id'] as number | string // Rows hold what `readId` gave.
    const write = { operation: 'update', idText: String(id), body } as const
    return { at, id, access, steps: [], write }
  })
  const plan: WritePlan = withSteps({
    access,
    records: planned,
    placeOf: inList,
    isAlong: true,
    isMinimal: true,
    strict: null,
    statements: statementsOfMany,
  })
  const { records } = plan
  const byId = new Map(rows.map((row) => [row['id'], row] as const))
  const { values, errors } = validate(access, body, 'canUpdate', 'part')
  if (errors.size > 0) throw invalid({ [name]: [...errors.values()].flat() })
  try {
    const inputs = records.map(() => values)
    await validateAll(plan, inputs, byId)
    const ready = await changedRecords(plan, inputs, byId)
    const filter = await filterOf(access, 'update', records)
    const target = { filter, rows: async () => byId }
    const sending = await statementsOfMany.update(plan, ready, target)
    return { list: name, plan, sending, pointer: body }
  } catch (error) {
    throw namingList(name, error)
  }
}

/**
 * Gives children to the record, inside its transaction. Who may is in the WHERE, and into what; a
 * child that another request took away meanwhile is 409, and nothing was written.
 */
async function writeChange(
  { list, plan: { access }, sending, pointer }: ChildChange,
  connection: Connection,
): Promise<Sent> {
  const { entity } = access
  const errors = await entity.relations?.foreignErrors(access, pointer, connection)
  if ((errors?.size ?? 0) > 0) {
    throw invalid({
      [list]: [sentence(list, worded('would belong to a record that you cannot see', 'unseen'))],
    })
  }
  try {
    return await sending.send(connection, atOnce, null)
  } catch (error) {
    if (error instanceof ChangedMeanwhile) throw conflict('The records were changed meanwhile.')
    const [first] = sending.records
    throw namingList(list, meaningOf(entity, first?.values ?? {}, error))
  }
}

/**
 * Moves the errors of a child under the list that named it. Any other answer of a child is kept in
 * its own words, without the child's place: its hook may say 409, and why.
 */
function namingList(list: string, error: unknown): unknown {
  if (!(error instanceof HttpError) || error.errors === undefined) return error
  const { status, message, errors, headers, unnamed } = error
  // The policy's answer about many children counts those that it does not name.
  if (status === 403 && message.startsWith(forbidden().message)) return forbidden()
  if (status !== 422) return new HttpError(status, message, undefined, headers)
  return invalid({ [list]: [...new Set(Object.values(errors).flat())] }, unnamed)
}
