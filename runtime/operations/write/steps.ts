import { columnNamed } from '../../model/entity-columns.js'
import type {
  Access,
  Entity,
  Extension,
  PlannedRecord,
  PlannedWrite,
  Row,
  ValuedRecord,
  Within,
  WriteSteps,
} from '../../model/entity.js'
import type { Resource } from '../../model/resource.js'
import { identifier, join, Sql, sql, table } from '../../sql/sql.js'
import { gateConditions } from '../row-gates.js'
import { alone } from './places.js'

/** Asks the features of a repository what they do in a write, and each step of all of them. */

/** No feature does anything. */
export const noSteps: readonly WriteSteps[] = []

/**
 * The plan with the steps of all features.
 * @param ofRecord Extensions that one record has besides, by its place in the request.
 */
export function withSteps<Plan extends PlannedWrite>(
  plan: Plan,
  ofRecord?: (at: number) => readonly Extension[] | undefined,
): Plan {
  const shared = stepsOf(plan.access.extensions, plan)
  if (shared.length === 0 && ofRecord === undefined) return plan
  const records = plan.records.map((record): PlannedRecord => {
    const more = ofRecord?.(record.at) ?? []
    const own =
      more.length === 0 ? noSteps : stepsOf(more, Object.assign({}, plan, { records: [record] }))
    const steps = own.length === 0 ? shared : [...shared, ...own]
    return steps === record.steps ? record : Object.assign({}, record, { steps })
  })
  return Object.assign({}, plan, { records })
}

function stepsOf(extensions: readonly Extension[], plan: PlannedWrite): readonly WriteSteps[] {
  const steps: WriteSteps[] = []
  for (const extension of extensions) {
    const own = extension.write?.(plan) ?? null
    if (own !== null) steps.push(own)
  }
  return steps.length === 0 ? noSteps : steps
}

/** One record of a write of its own, with the steps of all features. */
export function recordWithSteps(
  access: Access,
  asked: Pick<PlannedRecord, 'id' | 'write'>,
): PlannedRecord {
  const record: PlannedRecord = Object.assign({ at: 0, access, steps: noSteps }, asked)
  const plan = { access, records: [record], placeOf: alone, isAlong: false }
  return withSteps(plan).records[0] ?? record
}

/** Runs a write inside what features put around it, the first outermost. */
export function around<Done>(
  records: readonly PlannedRecord[],
  write: () => Promise<Done>,
): Promise<Done> {
  if (records.every(({ steps }) => steps.length === 0)) return write()
  const all = new Set<WriteSteps>()
  for (const { steps } of records) for (const each of steps) all.add(each)
  let run = write
  for (const steps of [...all].toReversed()) {
    if (steps.around === undefined) continue
    const inner = run
    run = async () => (await steps.around?.(inner)) as Done
  }
  return run()
}

/** Keys of the body that features read, beside fields. */
export const keysTaken = (record: PlannedRecord): readonly string[] =>
  record.steps.flatMap((each) => each.takes?.(record) ?? [])

/** Problems with a body that features find, by field. */
export async function checked(record: PlannedRecord): Promise<[string, string[]][]> {
  const problems: [string, string[]][] = []
  for (const steps of record.steps) problems.push(...((await steps.check?.(record)) ?? []))
  return problems
}

/** Returns true if some feature reads other records before a write. */
export const readsOthers = ({ steps }: PlannedRecord): boolean =>
  steps.some((each) => each.readOthers !== undefined)

/** Lets features read other records. Returns true if a new record needs its key before it is written. */
export async function readOthers(record: PlannedRecord): Promise<boolean> {
  let needsKey = false
  for (const steps of record.steps) {
    if ((await steps.readOthers?.(record)) === true) needsKey = true
  }
  return needsKey
}

/** Adds the columns that follow from the values of a write. */
export function addValues(record: PlannedRecord, values: Row): Row {
  for (const steps of record.steps) Object.assign(values, steps.values?.(record, values))
  return values
}

/** Values apart from the assignments among them. */
export function withoutSql(
  entity: Entity,
  values: Row,
): { readonly values: Row; readonly more: readonly Sql[] } {
  const more: Sql[] = []
  let plain = values
  for (const [name, value] of Object.entries(values)) {
    if (!(value instanceof Sql)) continue
    if (more.length === 0) plain = Object.assign({}, values)
    more.push(sql`${identifier(columnNamed(entity, name).name)} = ${value}`)
    delete plain[name]
  }
  return { values: plain, more }
}

/** Assignments of an UPDATE that sets these columns, and what features add to them. */
export function assignmentsOf(record: PlannedRecord, row: Row): readonly Sql[] {
  const { entity } = record.access
  const { values, more } = withoutSql(entity, addValues(record, row))
  const plain = Object.entries(values).map(([name, value]) => {
    const column = columnNamed(entity, name)
    return sql`${identifier(column.name)} = ${value === null ? null : column.encode(value)}`
  })
  return [...plain, ...more]
}

/** DELETE, or the UPDATE by which a feature lets a record be there no more. */
export function removalFrom(record: PlannedRecord): Sql {
  const from = table(record.access.entity.table, 't0')
  const removal = record.steps.find((each) => each.removal !== undefined)?.removal?.()
  if (removal === undefined) return sql`delete from ${from}`
  return sql`update ${from} set ${join(assignmentsOf(record, removal))}`
}

/** Lists the conditions of features and field gates on rows that a write changes. */
export const admitted = (record: PlannedRecord): readonly unknown[] => [
  ...gateConditions(record.access, record.write),
  ...record.steps.flatMap((each) =>
    each.requires === undefined ? [] : [each.requires(record).condition],
  ),
]

/** Why a write does not change a record that the policy admits; without a row, why it makes none. */
export function refusalOf(record: PlannedRecord, row: Row | null): Error | null {
  for (const steps of record.steps) {
    const error = steps.requires?.(record).refusal(row) ?? null
    if (error !== null) return error
  }
  return null
}

/** Asks each feature for its part of the transaction. */
export async function partsOf(record: ValuedRecord): Promise<readonly Within[]> {
  const parts: Within[] = []
  for (const steps of record.steps) {
    const part = (await steps.within?.(record)) ?? null
    if (part !== null) parts.push(part)
  }
  return parts
}

/** A record with those that were written with it. */
export async function withMade(record: PlannedRecord, resource: Resource): Promise<Resource> {
  for (const steps of record.steps) {
    const related = (await steps.made?.(record)) ?? {}
    if (Object.keys(related).length === 0) continue
    resource.relationships = Object.assign({}, resource.relationships, related)
  }
  return resource
}
