import type { Access, RowGates, Write } from '../model/entity.js'
import type { Test } from '../model/sql-test.js'
import { visibleRows } from '../policy/access.js'
import { answersTest, answerTest } from '../policy/condition-sql.js'
import { gateAnswer } from '../policy/gates.js'
import { asSql, where } from '../policy/predicate.js'
import { identifier, join, read, sql, table } from '../sql/sql.js'

/** An update of one record: `id` is null where no record can have it. */
export interface UpdateOf {
  readonly access: Access
  readonly write: Write
  readonly id: number | string | null
}

/**
 * Asks the field gates that depend on the record, for the records of one request: one statement, or
 * none where no such gate matters. Answers the access of each update, in their order.
 */
export async function accessesOfRows(
  updates: readonly UpdateOf[],
  extent: 'whole' | 'part',
): Promise<readonly Access[]> {
  const accesses = updates.map(({ access }) => access)
  const [access] = accesses
  if (access === undefined) return accesses
  const gated = gatedFields(access)
  const asked = updates.map((update) => gatesAsked(update, gated, extent))
  if (asked.every(({ updates: names, shows }) => names.length + shows.length === 0)) return accesses
  const answers = await answersOf(access, updates, gated)
  return updates.map((update, at) => {
    const { updates: names, shows } = asked[at] ?? { updates: [], shows: [] }
    const holds = answers.get(String(update.id)) ?? new Set<object>()
    const updatable = names.flatMap((name) => {
      const condition = gated.canUpdate.get(name)
      return condition !== undefined && holds.has(condition) ? [[name, condition] as const] : []
    })
    const kept = shows.filter((name) => !holds.has(gated.canSee.get(name) ?? {}))
    const ofRow: RowGates = { updatable: new Map(updatable), kept: new Set(kept) }
    return Object.assign({}, update.access, { ofRow })
  })
}

/** Fields whose gates answer this user a condition. */
interface Gated {
  readonly canSee: ReadonlyMap<string, object>
  readonly canUpdate: ReadonlyMap<string, object>
}

function gatedFields({ entity, request }: Access): Gated {
  const conditions = (gates: Access['entity']['policy']['canSee']) =>
    new Map(
      Object.keys(gates ?? {}).flatMap((name) => {
        const answer = gateAnswer(gates, name, request.user)
        return typeof answer === 'object' ? [[name, answer] as const] : []
      }),
    )
  const { canSee, canUpdate } = entity.policy
  return { canSee: conditions(canSee), canUpdate: conditions(canUpdate) }
}

/**
 * Lists the fields that a body writes behind such a gate, and those that it leaves out or empties
 * behind a gate of `canSee`: who does not see a value sends null back, and means no change.
 */
function gatesAsked({ write: { body } }: UpdateOf, gated: Gated, extent: 'whole' | 'part') {
  const isWhole = extent === 'whole'
  return {
    updates: [...gated.canUpdate.keys()].filter((name) => isWhole || Object.hasOwn(body, name)),
    shows: [...gated.canSee.keys()].filter((name) => {
      return Object.hasOwn(body, name) ? body[name] === null : isWhole
    }),
  }
}

/** By id, the conditions that hold for the record, of those that the user sees. */
async function answersOf(
  access: Access,
  updates: readonly UpdateOf[],
  { canSee, canUpdate }: Gated,
): Promise<ReadonlyMap<string, ReadonlySet<object>>> {
  const { entity } = access
  const ids = updates.flatMap(({ id }) => id ?? [])
  const filter: Test = answersTest(entity, [{ id: { in: ids } }, await visibleRows(access)])
  if (filter === false || filter === null) return new Map()
  const conditions = [...canSee.values(), ...canUpdate.values()]
  const tests = conditions.map((condition) => {
    const { sql: tested } = asSql(access, answerTest(entity, condition))
    return sql`case when ${tested} then 1 else 0 end`
  })
  const columns = join([identifier('t0', entity.id.name), ...tests])
  const from = table(entity.table, 't0')
  const rows = await read(
    entity.database,
    sql`select ${columns} from ${from}${where(filter, access)}`,
  )
  return new Map(
    rows.map(([id, ...answers]) => [
      String(id),
      new Set(conditions.filter((_, at) => answers[at] === 1)),
    ]),
  )
}

/** The conditions of fields that a write changes, so that nobody changes the record meanwhile. */
export const gateConditions = ({ ofRow }: Access, { body }: Write): readonly object[] =>
  [...(ofRow?.updatable ?? [])].flatMap(([name, condition]) =>
    Object.hasOwn(body, name) ? condition : [],
  )
