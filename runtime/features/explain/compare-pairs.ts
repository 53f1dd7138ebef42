import { HttpError } from '../../errors.js'
import type { Access, Entity, Row } from '../../model/entity.js'
import { getOwn } from '../../model/get-own.js'
import type { Test } from '../../model/sql-test.js'
import { allColumns, rowReader } from '../../operations/row-reader.js'
import { accessTo, newRequest } from '../../policy/access.js'
import { any, asSql, where } from '../../policy/predicate.js'
import { identifier, raw, read, sql, table } from '../../sql/sql.js'
import { type PivotOperation, pivotMethod, requirePivot } from '../pivots/pivot-policy.js'
import { linkOf, relatedOf, targetOf } from '../relations/entries.js'
import { isPivotLink } from '../relations/relation-sql.js'
import type { Asker } from './why-types.js'

/** Policies as they were, and as they are. */
interface States<Value> {
  readonly old: Value
  readonly now: Value
}

/** Pairs of two records, `3 with 5`, by the method that answers of them. */
interface PairDifference {
  readonly operation: string
  readonly gains: readonly string[]
  readonly loses: readonly string[]
}

const operations = ['attach', 'sync', 'detach'] as const
/** Records of each side that are asked about. */
const mostRows = 20

/**
 * Rules about two records are code, and no condition: they are asked about the first records of
 * either side that `shown` of one of the two states admits.
 */
export async function pairDifferences(
  { old, now }: States<Entity>,
  user: Asker,
  shown: (entity: Entity) => Promise<Test>,
): Promise<readonly PairDifference[]> {
  const found: PairDifference[] = []
  for (const key of relatedOf(now)?.links.keys() ?? []) {
    const targets = targetsOf({ old, now }, key)
    const asked = operations.filter((each) => mayDiffer({ old, now }, pivotMethod(each, key)))
    if (targets === null || asked.length === 0) continue
    const parents = await rowsOf({ old, now }, shown)
    const related = parents.length === 0 ? [] : await rowsOf(targets, shown)
    const accesses = { old: accessTo(newRequest(user), old), now: accessTo(newRequest(user), now) }
    for (const operation of asked) {
      found.push(await ofOperation(accesses, operation, key, parents, related))
    }
  }
  return found.filter(({ gains, loses }) => gains.length + loses.length > 0)
}

/** Null: it is no relation through a pivot table, or was none. */
function targetsOf({ old, now }: States<Entity>, key: string): States<Entity> | null {
  const [before, after] = [linkOf(old, key), linkOf(now, key)]
  if (before === undefined || after === undefined) return null
  if (!isPivotLink(before) || !isPivotLink(after)) return null
  return { old: targetOf(before), now: targetOf(after) }
}

/** Returns true if there is such a method, and it is not the very same. */
function mayDiffer({ old, now }: States<Entity>, method: string): boolean {
  return methodOf(old, method) !== methodOf(now, method)
}

/** Methods are named after relations, which AnyPolicy does not know. */
const methodOf = ({ policy }: Entity, method: string): unknown =>
  getOwn(policy as Readonly<Record<string, unknown>>, method)

interface Seen extends States<boolean> {
  readonly id: string
  readonly row: Row
}

async function rowsOf(
  { old, now }: States<Entity>,
  shown: (entity: Entity) => Promise<Test>,
): Promise<readonly Seen[]> {
  const scope = { entity: now }
  const [before, after] = [await shown(old), await shown(now)]
  const either = any(scope, [before, after])
  if (either === false || either === null) return []
  const reader = rowReader(now, allColumns(now))
  const order = identifier('t0', now.id.name)
  const [was, is] = [asSql(scope, before).sql, asSql(scope, after).sql]
  const rows = await read(
    now.database,
    sql`select ${reader.select('t0')}, case when ${was} then 1 end, case when ${is} then 1 end
      from ${table(now.table, 't0')}${where(either, scope)} order by ${order} limit ${raw(String(mostRows))}`,
  )
  return rows.map((found) => {
    const [held, wasShown] = [found[reader.width + 1], found[reader.width]]
    const row = reader.object(reader.decode(found))
    return { id: String(row['id']), row, old: wasShown !== null, now: held !== null }
  })
}

async function ofOperation(
  { old, now }: States<Access>,
  operation: PivotOperation,
  key: string,
  parents: readonly Seen[],
  related: readonly Seen[],
): Promise<PairDifference> {
  const gains: string[] = []
  const loses: string[] = []
  for (const parent of parents) {
    for (const other of related) {
      const given = [parent.row, operation === 'sync' ? [other.row['id']] : other.row]
      const was = parent.old && other.old && (await may(old, operation, key, given))
      const is = parent.now && other.now && (await may(now, operation, key, given))
      if (was !== is) (is ? gains : loses).push(`${parent.id} with ${other.id}`)
    }
  }
  return { operation: pivotMethod(operation, key), gains, loses }
}

const may = (access: Access, operation: PivotOperation, key: string, given: readonly unknown[]) =>
  requirePivot(access, operation, key, given).then(
    () => true,
    (error: unknown) => {
      if (error instanceof HttpError) return false
      throw error
    },
  )
