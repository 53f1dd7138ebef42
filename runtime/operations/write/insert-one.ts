import type { Parameter } from '../../database/types.js'
import { type Compiled, compile, join, raw, type Sql, sql } from '../../sql/sql.js'
import { bind, findPlan, type Write } from '../plans.js'
import { resourcesInTurns } from '../read.js'
import { newRow, ofNewRow } from '../row-after.js'
import { needsRow, readerOf, type WrittenReader } from './answer.js'
import { insertionOf } from './columns.js'
import type { ReadyRecord, WritePlan } from './plan.js'
import type { Values } from './values.js'

interface Insert {
  readonly statement: Compiled
  readonly reading: WrittenReader
}

/** The INSERT of one record, from a plan where there can be one. */
export async function insertOne(
  plan: WritePlan,
  record: ReadyRecord,
  hasKey: boolean,
): Promise<Insert> {
  const { access, stored } = record
  const { dialect } = access.entity
  const isWhole = needsRow(plan, 'afterStore', [record])
  const isPlain = !plan.isMinimal && plan.access === access
  // PostgreSQL knows the types of its parameters, whatever the values are.
  const found = isPlain ? findPlan(access, `store ${hasKey} ${isWhole}`, stored, '') : null
  const known = found && (found.plan ?? (await found.make(writer(plan, isWhole, hasKey))))
  if (found !== null && known !== null) {
    const { page, reader } = known
    const resources = (rows: readonly (readonly unknown[])[]) => resourcesInTurns(reader, rows)
    const parameters = bind(page.parameters, found.values)
    return { statement: { text: page.text, parameters }, reading: { reader, resources } }
  }
  const reading = await readerOf(plan, isWhole)
  const statement = await insertSql(plan, reading, stored, hasKey)
  return { statement: compile(statement, dialect), reading }
}

/** Null where the database is asked once more, for the flags of the record. */
const writer =
  (asked: WritePlan, isWhole: boolean, hasKey: boolean): Write =>
  async (access, values) => {
    const plan = Object.assign({}, asked, { access })
    const reading = await readerOf(plan, isWhole)
    const { flags = null } = reading
    if (flags === null) return null
    const page = await insertSql(plan, reading, values as Values, hasKey)
    return { page, count: raw(''), reader: reading.reader, flags }
  }

async function insertSql(
  { access }: WritePlan,
  { reader }: WrittenReader,
  stored: readonly Parameter[],
  hasKey: boolean,
): Promise<Sql> {
  const { entity } = access
  const { columns, insert } = insertionOf(entity, hasKey)
  const rule = await ofNewRow(access)
  const given =
    rule === null
      ? sql`values (${join(stored)})`
      : newRow(entity, rule, new Map(columns.map((name, at) => [name, stored[at] ?? null])))
  const source = columns.length === 0 && rule === null ? sql`default values` : given
  return sql`${insert} ${source} returning ${reader.select('')}`
}
