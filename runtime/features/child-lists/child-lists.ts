import type { Connection } from '../../database/types.js'
import { conflict, forbidden, HttpError, invalid, unauthenticated } from '../../errors.js'
import { sentence, worded } from '../../input/messages.js'
import { isFilled, validate } from '../../input/validation.js'
import { compareIds } from '../../model/compare-ids.js'
import { columnNamed } from '../../model/entity-columns.js'
import type { Access, Extension, Row, Within, WriteGates } from '../../model/entity.js'
import { getOwn } from '../../model/get-own.js'
import { afterwards, contextOf } from '../../operations/afterwards.js'
import { assignments, type Joined, within } from '../../operations/extend-write.js'
import { readRows } from '../../operations/read.js'
import { meaningOf } from '../../operations/refused-by-database.js'
import { holdingAfter, ofChangedRow } from '../../operations/row-after.js'
import { allColumns, rowReader } from '../../operations/row-reader.js'
import { gatesOf } from '../../operations/write/inputs.js'
import { hookErrors } from '../../operations/write/validate-hook.js'
import { encodedValues, fillValues, merged, stamped } from '../../operations/write/values.js'
import { ask, explain, visibleRows } from '../../policy/access.js'
import { answersTest } from '../../policy/condition-sql.js'
import { gateAnswer, passes } from '../../policy/gates.js'
import { where } from '../../policy/predicate.js'
import { identifier, join, read, sql, table, write } from '../../sql/sql.js'
import { accessBehind, type HasRelated, linkOf, maySeeEntry } from '../relations/entries.js'
import { readIds, unknownIds } from '../relations/named-ids.js'

/** Children of a hasMany relation that a write gives to the record it is about. */
export interface ChildList {
  /** What the list is called in the body: `comment_ids`. */
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
  return lists.length === 0 ? [] : [givingChildren(lists)]
}

/** For one write: what `prepare` reads, `within` writes. */
function givingChildren(lists: readonly ChildList[]): Extension {
  let given: readonly Children[] = []
  return {
    prepare: async (access, { operation }) => {
      given = await readChildren(access, lists, gatesOf(operation))
      return given.length > 0
    },
    within: async (_, { id }) => {
      // Reserved: see `prepare`.
      return given.length === 0 || id === null ? null : giving(await childChanges(given, id), id)
    },
  }
}

function giving(changes: readonly ChildChange[], parent: number | string): Within {
  let written: { readonly change: ChildChange; readonly row: Row }[] = []
  return {
    write: async (connection) => {
      written = []
      for (const change of changes) {
        for (const part of change.joined.values()) await part.begin(connection)
        for (const row of await writeChange(change, parent, connection)) {
          await change.joined.get(row['id'])?.write(connection, row)
          written.push({ change, row })
        }
      }
    },
    after: async () => {
      for (const { change, row } of written) await afterChange(change, row)
    },
  }
}

async function afterChange({ children: { access }, joined }: ChildChange, row: Row): Promise<void> {
  const { entity } = access
  const hook = entity.hooks?.afterUpdate
  if (hook !== undefined) {
    await afterwards(entity, 'afterUpdate', () => hook(contextOf(access), row))
  }
  await joined.get(row['id'])?.after?.()
}

/** Children that exist, and that the user may change. */
interface Children {
  readonly name: string
  readonly access: Access
  readonly relation: HasRelated
  readonly ids: readonly (number | string)[]
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
    // What is locked of them one by one is locked as all lock who lock many.
    const inOrder = ids.toSorted(compareIds)
    const sorted = rows.toSorted((one, other) => compareIds(one['id'], other['id']))
    found.push({ name, access: changing, relation, ids: inOrder, rows: sorted })
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

/** What a child must be: that its policy lets the user change it, and the gate of its foreign key. */
const mayChange = async (access: Access): Promise<readonly unknown[]> => [
  await ask(access, 'update'),
  ...(access.ofRow?.updatable.values() ?? []),
]

/** One UPDATE of a transaction: the same values for all ids. */
interface ChildChange {
  readonly children: Children
  readonly ids: readonly (number | string)[]
  readonly values: Row
  /** What the policy asks of the children afterwards. */
  readonly rule: unknown
  /** By id, what the extensions of their repository put into the transaction. */
  readonly joined: ReadonlyMap<unknown, Joined>
}

/**
 * What giving the children to a record changes. Their hooks and policies are asked here, outside
 * the transaction, so that they may read and write what they like.
 */
async function childChanges(
  all: readonly Children[],
  parent: number | string,
): Promise<readonly ChildChange[]> {
  const changes: ChildChange[] = []
  for (const children of all) {
    const { hooks } = children.access.entity
    const isSame = [hooks?.validate, hooks?.beforeUpdate, hooks?.fill].every(
      (hook) => hook === undefined,
    )
    for (const row of isSame ? [null] : children.rows) {
      changes.push(await changeOf(children, parent, row))
    }
  }
  return changes
}

/** Of one child, or (null) of all alike. */
async function changeOf(
  children: Children,
  parent: number | string,
  row: Row | null,
): Promise<ChildChange> {
  const { access, relation, name } = children
  const { entity } = access
  const input = { [relation.foreignKey]: parent }
  const { values: given, errors } = validate(access, input, 'canUpdate', 'part')
  if (errors.size > 0) throw invalid({ [name]: [...errors.values()].flat() })
  const together = row === null ? null : await hookErrors(access, given, row)
  if ((together?.size ?? 0) > 0) throw invalid({ [name]: [...(together?.values() ?? [])].flat() })
  const context = contextOf(access)
  const filled = await fillValues(access, given, 'update')
  const returned =
    row === null ? null : await entity.hooks?.beforeUpdate?.(context, { ...row }, filled)
  const stamping = { operation: 'update', idText: null, body: input } as const
  const values = stamped(access, merged(filled, returned), stamping)
  // Rows hold what `readId` gave.
  const ids = row === null ? children.ids : [row['id'] as number | string]
  const rule = await ofChangedRow(access, Object.keys(values))
  const joined = new Map<unknown, Joined>()
  for (const id of ids) {
    const part = await within(access, { operation: 'update', id, values })
    if (part !== null) joined.set(id, part)
  }
  return { children, values, ids, rule, joined }
}

/**
 * Gives children to the record, inside its transaction. Who may is in the WHERE, and into what; a
 * child that another request took away meanwhile is 409, and nothing was written.
 */
async function writeChange(
  { children, ids, values, rule }: ChildChange,
  parent: number | string,
  connection: Connection,
): Promise<readonly Row[]> {
  const { access, relation, name: list } = children
  const { entity } = access
  const key = { [relation.foreignKey]: parent }
  const errors = await entity.relations?.foreignErrors(access, key, connection)
  if ((errors?.size ?? 0) > 0) {
    throw invalid({
      [list]: [sentence(list, worded('would belong to a record that you cannot see', 'unseen'))],
    })
  }
  const columns = [...entity.columns.keys()].filter((each) => Object.hasOwn(values, each))
  const stored = await encodedValues(access, values, columns)
  const after = new Map(columns.map((name, at) => [name, stored[at] ?? null] as const))
  const given = [...after].map(
    ([name, value]) => sql`${identifier(columnNamed(entity, name).name)} = ${value}`,
  )
  const set = [...given, ...assignments(access, columns, stored)]
  const reader = rowReader(entity, allColumns(entity))
  const visible = await visibleRows(access)
  const filter = answersTest(entity, [{ id: { in: ids } }, visible, ...(await mayChange(access))])
  const admitted = holdingAfter(entity, filter, rule, after)
  const query = sql`update ${table(entity.table, 't0')} set ${join(set)}${where(admitted, access)}
    returning ${reader.select('')}`
  const rows = await write(connection, query).catch((error: unknown) => {
    throw namingList(list, meaningOf(entity, values, error))
  })
  const changed = rows.map((row) => reader.object(reader.decode(row)))
  const left = new Set(ids)
  for (const row of changed) left.delete(row['id'] as number | string)
  if (left.size > 0) throw await unchanged(access, [...left], connection)
  return changed
}

/** Why children were not changed: they may not become what they would be, or are others' by now. */
async function unchanged(
  access: Access,
  ids: readonly unknown[],
  connection: Connection,
): Promise<Error> {
  const { entity, request } = access
  const visible = await visibleRows(access)
  const filter = answersTest(entity, [{ id: { in: ids } }, visible, ...(await mayChange(access))])
  const from = table(entity.table, 't0')
  const query = sql`select count(*) from ${from}${where(filter, { entity })}`
  const [count] = await read(connection, query)
  if (Number(count?.[0]) < ids.length) return conflict('The records were changed meanwhile.')
  explain(access, 'update', 'denied')
  return request.user === null ? unauthenticated() : forbidden()
}

/** What the database refuses of a child is answered under the list that named it. */
function namingList(list: string, error: unknown): unknown {
  if (!(error instanceof HttpError) || error.errors === undefined) return error
  return invalid({ [list]: [...new Set(Object.values(error.errors).flat())] }, error.unnamed)
}
