import type { Database } from '../../blueprint/types.js'
import { changesBetween } from './conversions/change.js'
import { checkSql, convertedMark, cutMark } from './conversions/checks.js'
import { decide, decidePointer, type Decided } from './conversions/decide.js'
import { defaultSql, restatedDefaults } from './conversions/defaults.js'
import { emptySql, foldedAnew, foldedMark, type Folded } from './conversions/folded.js'
import { convertInSelects, convertSql, startSchema } from './conversions/steps.js'
import { uniqueChecks } from './conversions/unique.js'
import { readFields, setDefault } from './datamodel.js'
import { buildSql, diffSql, type SchemaDiff } from './engine.js'
import { fillMark, type Fill } from './fills.js'
import { isStopping } from './left-rows.js'
import { findLosses, type Asking, type Losses } from './losses.js'
import { markedName } from './mark-names.js'
import { leftRows, type Renamed } from './morph-left-rows.js'
import { morphsIn } from './morph-marks.js'
import { triggersOutside } from './morph-triggers.js'
import { otherIds, retargetedRows } from './retargeted.js'
import type { SchemaFile } from './schema-file.js'
import { readTables } from './sql-tables.js'

/** What was said of rows that are there. */
interface Given {
  readonly fills: readonly Fill[]
  readonly cuts?: readonly string[] | 'all'
  readonly renamed?: Renamed
}

/**
 * The SQL between two schemas in which values are converted, and columns that become required are filled. Prisma's engine
 * makes the tables: for a column that svc converts, it starts from a schema in which it need not decide what becomes of the
 * values. A column that is filled gets a default, which the engine writes into rows, and loses it again.
 *
 *     marks of fills and cuts
 *     checks             rows that nothing can be made of stop it here, before anything is changed
 *     DELETE, UPDATE     rows that point at what their relation has not any more
 *     DROP INDEX         PostgreSQL; on SQLite, indexes go with their table
 *     conversions        PostgreSQL; SQLite converts where the engine builds a table anew
 *     UPDATE             PostgreSQL; columns that were there, and could be empty: SQLite fills them there too
 *     the engine's SQL   to the schema in which fills are defaults, and on to the schema itself
 */
export async function diffConverted(
  database: Database,
  from: SchemaFile,
  to: readonly SchemaFile[],
  given: Given,
): Promise<SchemaDiff> {
  const plain = await diffSql(database, [from], to)
  const text = to.map(({ content }) => content).join('\n')
  const changes = changesBetween(database, from.content, text)
  const scripts = { before: await buildSql([from]), after: await buildSql(to) }
  const tables = { before: readTables(scripts.before), after: readTables(scripts.after) }
  const restated = restatedDefaults(tables.before, tables.after)
  // SQLite's rows without a value take the default then, unless somebody said what they get.
  const isRequiredNow = ({ table, column }: Asking) =>
    tables.before.get(table)?.columns.get(column)?.isRequired === false &&
    tables.after.get(table)?.columns.get(column)?.isRequired === true
  const { drops, required, unique } = plain.losses
  const left = [
    ...leftRows([from], to, given),
    ...retargetedRows(from, text, given.cuts),
    ...otherIds(from, text),
  ]
  const isPlain =
    drops.length + required.length + unique.length + restated.length + left.length === 0
  if (changes.length === 0 && isPlain && !given.fills.some(isRequiredNow)) return plain
  const filling = given.fills.filter(
    (fill) =>
      isAsked(plain.losses, fill) ||
      isRequiredNow(fill) ||
      changes.some((each) => isSame(each, fill)),
  )
  const filled = to.map(({ path, content }) => ({
    path,
    content: filling.reduce(setDefault, content),
  }))
  const [before, after] = [readTables(scripts.before), readTables(await buildSql(filled))]
  const pointers = morphsIn(to).map(({ table, id }) => ({ table, column: id }))
  const decided = changes.map((change) => {
    const isPointer = pointers.some((each) => isSame(each, change))
    return isPointer
      ? decidePointer(change, { fills: [], before, after })
      : decide(change, { ...given, before, after })
  })
  const folded = foldedAnew(from.content, text, decided)
  const stale = restated.filter(
    (each) => !decided.some((other) => other.isRewritten && isSame(other, each)),
  )
  const start = startSchema(database, from, text, [
    ...decided.filter(({ isRewritten }) => isRewritten),
    ...(database === 'sqlite' ? stale : []).map((each) => ({
      ...each,
      from: { nullable: each.isNullable },
    })),
  ])
  const engine = (await diffSql(database, [start], to)).sql
  const found = findLosses(database, { ...scripts, sql: engine })
  const losses = { ...lossesOf(found, decided, folded), left }
  // On PostgreSQL, what is converted is filled there too.
  const isConverted = (place: Asking) =>
    database === 'postgresql' && decided.some((each) => each.isRewritten && isSame(each, place))
  const due = filling.filter(
    (fill) =>
      isAsked(losses, fill) ||
      isRequiredNow(fill) ||
      decided.some((each) => each.isFilled && isSame(each, fill)),
  )
  const ways = due.filter((fill) => !isConverted(fill))
  const middle = to.map(({ path, content }) => ({
    path,
    content: ways.reduce(setDefault, content),
  }))
  const [first, second] =
    ways.length === 0
      ? [engine, '']
      : [(await diffSql(database, [start], middle)).sql, (await diffSql(database, middle, to)).sql]
  const filledIn = database === 'sqlite' ? '' : updates(losses, decided, { before, after })
  const isHoisting =
    filledIn !== '' || (database === 'postgresql' && decided.some(({ isRewritten }) => isRewritten))
  // What is not unique any more may be filled alike.
  const earlier = isHoisting ? (first.match(droppedIndexes) ?? []) : []
  const later = isHoisting ? first.replaceAll(droppedIndexes, '').trimStart() : first
  const checks = [
    ...decided.flatMap(({ check }) => check ?? []),
    ...uniqueChecks(database, scripts, decided),
    ...left.filter(isStopping).map(({ check }) => check),
  ]
  const sql = [
    due.map(fillMark).join(''),
    decided.map(markOf).join(''),
    left
      .map((each) => (isStopping(each) ? '' : cutMark(markedName(each.table, each.column))))
      .join(''),
    folded.map(foldedMark).join(''),
    ...new Set(decided.flatMap(({ prelude }) => (prelude === '' ? [] : [`${prelude}\n`]))),
    ...checks.map((check) => checkSql(database, check)),
    left.map((each) => (isStopping(each) ? '' : each.sql)).join(''),
    earlier.join('\n'),
    convertSql(database, decided, { before, after: readTables(scripts.after), filled: after }),
    database === 'postgresql' ? emptySql(folded) : '',
    filledIn,
    convertInSelects(database, later, decided, folded),
    second,
    database === 'postgresql' ? defaultSql(stale, `${first}${second}`) : '',
  ]
  const asked = losses.required.filter((each) => !due.some((fill) => isSame(fill, each)))
  const script = triggersOutside(sql.filter((each) => each !== '').join('\n'))
  return {
    sql: script,
    changed: script !== '',
    losses: { ...losses, required: withoutDefault(asked, text) },
  }
}

const droppedIndexes = /^-- DropIndex\nDROP INDEX .*;\n/gm

const isSame = (one: Asking, other: Asking) =>
  one.table === other.table && one.column === other.column

/** What must be answered; the hint of a password is another one. */
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

function markOf({ table, column, fromName, toName, isRewritten, isCut }: Decided): string {
  const name = markedName(table, column)
  const converted = isRewritten ? convertedMark(name, fromName, toName) : ''
  return isCut ? `${converted}${cutMark(name)}` : converted
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
