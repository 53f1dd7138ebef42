import type { MigrationContext } from '../keepers/kept.js'
import { morphsIn } from '../keepers/morph-marks.js'
import { triggersOutside } from '../keepers/morph-triggers.js'
import { absentRows } from '../rows/absent-rows.js'
import { changesBetween } from '../rows/conversions/change.js'
import { checkSql, convertedMark } from '../rows/conversions/checks.js'
import { decide, decidePointer, type Decided } from '../rows/conversions/decide.js'
import { defaultSql, restatedDefaults } from '../rows/conversions/defaults.js'
import {
  emptySql,
  foldedAnew,
  foldedFrom,
  foldedMark,
  type Folded,
} from '../rows/conversions/folded.js'
import { convertInSelects, convertSql, startSchema } from '../rows/conversions/steps.js'
import { uniqueChecks } from '../rows/conversions/unique.js'
import { fillMark, type Fill } from '../rows/fills.js'
import { findLosses, type Asking, type Losses } from '../rows/losses.js'
import { leftRows, type Renamed } from '../rows/morph-left-rows.js'
import { otherIds, retargetedRows } from '../rows/retargeted.js'
import { readFields, setDefault } from '../schema/datamodel.js'
import type { SchemaFile } from '../schema/schema-file.js'
import { markedName } from '../sql/mark-names.js'
import { readTables } from '../sql/sql-tables.js'
import { buildSql, diffSql, type SchemaDiff } from './engine.js'

/** Answers about existing rows. */
interface Given {
  readonly fills: readonly Fill[]
  readonly renamed?: Renamed
  /** SQLite: tables that are built anew in any case, each by a column of it. */
  readonly anew?: readonly Asking[] | undefined
}

/**
 * The SQL between two schemas in which values are converted, and columns that become required are filled. Prisma's engine
 * makes the tables: for a column that svc converts, it starts from a schema in which it need not decide what becomes of the
 * values. A column that is filled gets a default, which the engine writes into rows, and loses it again.
 *
 *     marks of fills
 *     checks             rows that would lose something stop it here, unless that is accepted
 *     DELETE, UPDATE     rows that point at what their relation has not any more; values that do not fit, of other columns
 *     DROP INDEX         PostgreSQL; on SQLite, indexes go with their table
 *     conversions        PostgreSQL; SQLite converts where the engine builds a table anew
 *     UPDATE             PostgreSQL; columns that were there, and could be empty: SQLite fills them there too
 *     the engine's SQL   to the schema in which fills are defaults, and on to the schema itself
 */
export async function diffConverted(
  context: MigrationContext,
  from: SchemaFile,
  to: readonly SchemaFile[],
  given: Given,
): Promise<SchemaDiff> {
  const facts = await factsOf(context, from, to, given)
  const isPlain =
    facts.changes.length === 0 &&
    !hasFurther(facts) &&
    !given.fills.some((fill) => isRequiredNow(facts, fill))
  if (isPlain) return facts.plain
  const decisions = await decisionsOf(facts)
  const { losses, due } = decisions
  const sql = await scriptOf(facts, decisions)
  const script = context.keepers.reduce(
    (text, { outside }) => outside(text),
    triggersOutside(sql.filter((each) => each !== '').join('\n')),
  )
  const open = losses.required.filter((each) => !due.some((fill) => isSame(fill, each)))
  return {
    sql: script,
    changed: script !== '',
    losses: { ...losses, required: withoutDefault(open, facts.text) },
  }
}

type Facts = Awaited<ReturnType<typeof factsOf>>

/** Both schemas and what stands between them, before anything is decided. */
async function factsOf(
  context: MigrationContext,
  from: SchemaFile,
  to: readonly SchemaFile[],
  given: Given,
) {
  const { database } = context
  const plain = await diffSql(context, [from], to)
  const text = to.map(({ content }) => content).join('\n')
  const scripts = { before: await buildSql(context, [from]), after: await buildSql(context, to) }
  const tables = { before: readTables(scripts.before), after: readTables(scripts.after) }
  return {
    ...{ context, database, from, to, given, plain, text, scripts, tables },
    changes: changesBetween(database, from.content, text),
    restated: restatedDefaults(tables.before, tables.after),
    anew: (given.anew ?? []).flatMap((each) => {
      const isRequired = tables.before.get(each.table)?.columns.get(each.column)?.isRequired
      return isRequired === undefined ? [] : [{ ...each, isNullable: !isRequired }]
    }),
    refolded: foldedAnew(from.content, text, []),
    left: [
      ...leftRows([from], to, given.renamed),
      ...retargetedRows(from, text),
      ...otherIds(from, text),
      ...absentRows(database, [from], to, scripts.before),
    ],
  }
}

/** Returns true if the engine's own SQL is not all there is to do, though no value is converted. */
function hasFurther({ plain, restated, refolded, left, anew }: Facts): boolean {
  const { drops, required, unique } = plain.losses
  return [drops, required, unique, restated, refolded, left, anew].some((each) => each.length > 0)
}

/** SQLite's rows without a value take the default then, unless somebody said what they get. */
const isRequiredNow = ({ tables: { before, after } }: Facts, { table, column }: Asking) =>
  before.get(table)?.columns.get(column)?.isRequired === false &&
  after.get(table)?.columns.get(column)?.isRequired === true

type Decisions = Awaited<ReturnType<typeof decisionsOf>>

/** Decides for each column what becomes of its values, what is lost, and what fills it. */
async function decisionsOf(facts: Facts) {
  const { context, database, from, to, given, text, changes, scripts } = facts
  const filling = given.fills.filter(
    (fill) =>
      isAsked(facts.plain.losses, fill) ||
      isRequiredNow(facts, fill) ||
      changes.some((each) => isSame(each, fill)),
  )
  const [before, after] = [
    readTables(scripts.before),
    readTables(await buildSql(context, withDefaults(to, filling))),
  ]
  const pointers = morphsIn(to).map(({ table, id }) => ({ table, column: id }))
  const decided = changes.map((change) => {
    const isPointer = pointers.some((each) => isSame(each, change))
    return isPointer
      ? decidePointer(change, { fills: [], before, after })
      : decide(change, { ...given, before, after })
  })
  const folded = foldedAnew(from.content, text, decided)
  const stale = facts.restated.filter(
    (each) => !decided.some((other) => other.isRewritten && isSame(other, each)),
  )
  const start = startSchema(database, from, text, [
    ...decided.filter(({ isRewritten }) => isRewritten),
    ...(database === 'sqlite' ? [...stale, ...facts.anew] : []).map((each) => ({
      ...each,
      from: { nullable: each.isNullable },
    })),
  ])
  const engine = (await diffSql(context, [start], to)).sql
  const found = findLosses(context, { ...scripts, sql: engine })
  const losses = { ...lossesOf(found, decided, folded), left: facts.left }
  const due = filling.filter(
    (fill) =>
      isAsked(losses, fill) ||
      isRequiredNow(facts, fill) ||
      decided.some((each) => each.isFilled && isSame(each, fill)),
  )
  return { before, after, decided, folded, stale, start, engine, losses, due }
}

/** The engine's SQL: to the schema in which fills are defaults, and from there. */
async function engineSql(
  { context, database, to }: Facts,
  { decided, start, engine, due }: Decisions,
): Promise<readonly [string, string]> {
  // On PostgreSQL, what is converted is filled there too.
  const isConverted = (place: Asking) =>
    database === 'postgresql' && decided.some((each) => each.isRewritten && isSame(each, place))
  const ways = due.filter((fill) => !isConverted(fill))
  if (ways.length === 0) return [engine, '']
  const middle = withDefaults(to, ways)
  const first = await diffSql(context, [start], middle)
  return [first.sql, (await diffSql(context, middle, to)).sql]
}

const withDefaults = (to: readonly SchemaFile[], fills: readonly Fill[]): readonly SchemaFile[] =>
  to.map(({ path, content }) => ({ path, content: fills.reduce(setDefault, content) }))

/** The parts of the migration, in their order; those of which there is nothing are empty. */
async function scriptOf(facts: Facts, decisions: Decisions): Promise<readonly string[]> {
  const { context, database, from, to, scripts, left } = facts
  const { before, after, decided, folded, stale, losses, due } = decisions
  const [first, second] = await engineSql(facts, decisions)
  const filledIn = database === 'sqlite' ? '' : updates(losses, decided, { before, after })
  const isHoisting =
    filledIn !== '' || (database === 'postgresql' && decided.some(({ isRewritten }) => isRewritten))
  // A column that is not unique any more may be filled with equal values.
  const earlier = isHoisting ? (first.match(droppedIndexes) ?? []) : []
  const later = isHoisting ? first.replaceAll(droppedIndexes, '').trimStart() : first
  const converted = convertSql(database, decided, {
    ...{ before, after: readTables(scripts.after), filled: after },
  })
  const checks = [
    ...decided.flatMap(({ checks }) => checks),
    ...uniqueChecks(database, scripts, decided),
    ...left.map(({ check }) => check),
  ]
  return [
    due.map(fillMark).join(''),
    decided.map(markOf).join(''),
    folded.map(foldedMark).join(''),
    ...new Set(decided.flatMap(({ prelude }) => (prelude === '' ? [] : [`${prelude}\n`]))),
    ...checks.map((check) => checkSql(database, check)),
    left.map((each) => each.sql).join(''),
    decided.map((each) => updateSql(each, foldedFrom(from.content, each))).join(''),
    earlier.join('\n'),
    // A keeper's objects on a column are dropped before its type changes, and made again.
    converted === ''
      ? ''
      : context.keepers.reduce((text, { between }) => between(text, [from], to), converted),
    emptySql(folded, later),
    filledIn,
    convertInSelects(database, later, decided, folded),
    second,
    database === 'postgresql' ? defaultSql(stale, `${first}${second}`) : '',
  ]
}

const droppedIndexes = /^-- DropIndex\nDROP INDEX .*;\n/gm

const isSame = (one: Asking, other: Asking) =>
  one.table === other.table && one.column === other.column

/** Lists the columns that need an answer; the hint for a password is another one. */
function withoutDefault(required: Losses['required'], schema: string): Losses['required'] {
  const fields = readFields(schema)
  return required
    .filter(({ hasDefault }) => !hasDefault)
    .map((each) => {
      const mark = fields.get(each.table)?.get(each.column)?.mark ?? ''
      return { ...each, isPassword: mark.startsWith('password') }
    })
}

const isAsked = ({ required }: Losses, place: Asking) =>
  required.some((each) => isSame(each, place))

function lossesOf(found: Losses, decided: readonly Decided[], folded: readonly Folded[]): Losses {
  const isOther = (place: Asking) => !decided.some((each) => isSame(each, place))
  return {
    ...found,
    drops: found.drops.filter(
      (drop) => !folded.some((each) => each.table === drop.table && each.column === drop.column),
    ),
    changed: found.changed.filter(isOther),
    converted: decided.map(({ table, column, fromName, toName, others }) => {
      return { table, column, from: fromName, to: toName, others }
    }),
  }
}

const markOf = ({ table, column, fromName, toName, isRewritten }: Decided): string =>
  isRewritten ? convertedMark(markedName(table, column), fromName, toName) : ''

/** Updates the values that stay as they are stored. */
function updateSql({ table, column, update }: Decided, folded: readonly string[]): string {
  if (update === null) return ''
  const set = [`"${column}" = ${update.value}`, ...folded.map((each) => `"${each}" = NULL`)]
  return `UPDATE "${table}" SET ${set.join(', ')} WHERE ${update.where};\n`
}

type Tables = ReturnType<typeof readTables>

/** For columns that were there, could be empty, and keep their values. */
function updates(
  { required, changed }: Losses,
  decided: readonly Decided[],
  { before, after }: { readonly before: Tables; readonly after: Tables },
): string {
  const lines = required.flatMap(({ table, column }) => {
    const isNew = before.get(table)?.columns.has(column) !== true
    const isAnew = changed.some((each) => each.isEmptied && isSame(each, { table, column }))
    const isRewritten = decided.some((each) => each.isRewritten && isSame(each, { table, column }))
    const value = after.get(table)?.columns.get(column)?.default ?? null
    if (isNew || isAnew || isRewritten || value === null) return []
    return [`UPDATE "${table}" SET "${column}" = ${value} WHERE "${column}" IS NULL;\n`]
  })
  return lines.join('')
}
