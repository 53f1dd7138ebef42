import { isCancel, text } from '@clack/prompts'
import { formatProblems } from '../../blueprint/problems.js'
import { Refusal } from '../../blueprint/refusal.js'
import { isEdited } from '../../migrations/migrations.js'
import type { Asking } from '../../migrations/rows/losses.js'
import { fillOption } from '../../migrations/sql/mark-names.js'
import { isBlocked } from '../../plan/status.js'
import { readMigrationState } from '../../write/migrations/migration-state.js'
import { isInstalled } from '../../write/project/installed.js'
import { targetAt } from '../../write/target.js'
import type { GenerateOptions } from '../change/generate-options.js'
import { generate } from '../change/generate-project.js'
import type { Features } from '../context.js'
import { askCosts, type Counted } from './project-database.js'

/**
 * Asks for values of columns that need one, as `--fill` takes them; empty: the developer gives up.
 */
export type AskFills = (asking: readonly Asking[]) => Promise<readonly string[]>

/** On a terminal. */
export const askFills: AskFills = async (asking) => {
  const fills: string[] = []
  for (const { table, column } of asking) {
    const value = await text({
      message: `Rows of '${table}' have no '${column}', and it is required. Which value do they get?`,
      placeholder: 'Ctrl-C changes nothing',
    })
    if (isCancel(value)) return []
    fills.push(`${table}.${column}=${value ?? ''}`)
  }
  return fills
}

/** Nobody is asked where no answer would do for all rows. */
export const answersTo = async (asking: readonly Asking[], ask: AskFills | undefined) =>
  asking.some(({ isUnique }) => isUnique) ? [] : ((await ask?.(asking)) ?? [])

/** True when rows of the database here are what stops a migration: both databases say it in their own words. */
export const isAboutNull = (counted: Counted | null): boolean =>
  counted?.kind === 'fails' && saysNull(counted.why)

export const saysNull = (text: string): boolean =>
  /NOT NULL constraint failed|contains null values/.test(text)

/** Lists what to do where no terminal can ask; `command`: the command that gets the answers. */
export function waysToFill(asking: readonly Asking[], command: string): string {
  const filled = asking.filter(({ isUnique = false }) => !isUnique)
  const fills = filled.map(({ table, column, isPassword, isRelation }) => {
    const value = isPassword === true ? "'!'" : isRelation === true ? '<id>' : '<value>'
    return ` ${fillOption(table, column, value)}`
  })
  const hasNoDefault = asking.some(
    ({ isPassword, isRelation }) => isPassword === true || isRelation === true,
  )
  return [
    ...asking.map(({ table, column }) => {
      return `'${column}' of '${table}' is required, and existing rows have no value for it.`
    }),
    ...(filled.length === 0
      ? []
      : [
          `  fix    ${hasNoDefault ? '' : '.default(…) on the field, for new rows too; or '}.nullable();`,
          `         or ${command}${fills.join('')}, for existing rows`,
        ]),
    ...asking.filter(({ isUnique }) => isUnique).map(uniqueWay),
  ].join('\n')
}

/** Says what to do about a unique column that has one value for several rows, or would need one. */
const uniqueWay = ({ table, column }: Asking) =>
  `  fix    '${column}' of '${table}' is unique, so --fill, which has one value for all rows, cannot help: let it be .nullable()
         for now (NULLs are not equal), give each row a value of its own, and take .nullable() away again`

/**
 * What to do about columns of these that were filled with one value, and had to differ: both databases say it in their own
 * words, PostgreSQL by the name of an index in `sql`.
 */
export function waysToDiffer(text: string, filled: readonly Asking[], sql: string): string | null {
  const together = uniqueTogether(text, sql)
  if (together !== null) return togetherWay(together, filled)
  const [, name] =
    /UNIQUE constraint failed: (?:index ')?([\w.]+)|unique (?:index|constraint) "(\w+)"/
      .exec(text)
      ?.filter((each) => each !== undefined) ?? []
  const found = filled.find(({ table, column }) => {
    return name === `${table}.${column}` || name === `${table}_${column}_key`
  })
  return found === undefined ? null : uniqueWay(found)
}

interface UniqueTogether {
  readonly table: string
  readonly columns: readonly string[]
}

/** Null: no such index stopped it, or one of a single column. */
function uniqueTogether(text: string, sql: string): UniqueTogether | null {
  const [, table, first, more = ''] =
    /UNIQUE constraint failed: (\w+)\.(\w+)((?:, \w+\.\w+)+)/.exec(text) ??
    createdIndex(sql, /unique (?:index|constraint) "(\w+)"/.exec(text)?.[1]) ??
    []
  if (table === undefined || first === undefined) return null
  return { table, columns: [first, ...[...more.matchAll(/\w+(?="|,|$)/g)].map(([name]) => name)] }
}

/** Its table, its first column and the others. */
const createdIndex = (sql: string, name = '') =>
  new RegExp(`CREATE UNIQUE INDEX "${name}" ON "(\\w+)"\\("(\\w+)"((?:, "\\w+")+)\\)`).exec(sql)

function togetherWay({ table, columns }: UniqueTogether, filled: readonly Asking[]): string | null {
  const isFilled = (column: string) =>
    filled.some((each) => each.table === table && each.column === column)
  const list = (names: readonly string[]) => names.map((name) => `'${name}'`).join(', ')
  const given = columns.filter(isFilled)
  const others = columns.filter((column) => !isFilled(column))
  const [first] = given
  if (first === undefined) return null
  const [rows, differ] =
    others.length === 0
      ? ['all rows', []]
      : [`rows with the same ${list(others)}`, [`or rows that differ in ${list(others)};`]]
  return [
    `  fix    ${list(columns)} of '${table}' are unique together, and --fill gives ${rows} the same ${list(given)}:`,
    'another value, if the row in the way had this one before;',
    ...differ,
    `or .nullable() on '${first}' for now (NULLs are not equal), values that differ, and .nullable() taken away again`,
  ].join('\n         ')
}

/** After a run that wrote a draft: asks when rows of the database here would stop it. */
export async function fillAfter(
  root: string,
  features: Features,
  asking: readonly Asking[],
): Promise<void> {
  const target = targetAt(root)
  const sql = readMigrationState(target).draft
  if (sql === null || !isInstalled(target, 'tsx')) return
  if (!isAboutNull(await askCosts(root, sql))) return
  const answers = await answersTo(asking, askFills)
  if (answers.length > 0) await fillDraft(root, features, answers)
}

/** Makes the draft anew, so that it fills the rows that are there. */
export const fillDraft = (
  root: string,
  features: Features,
  fills: readonly string[],
): Promise<void> => makeDraft(root, { features, fills })

async function makeDraft(
  root: string,
  answers: Pick<GenerateOptions, 'features' | 'fills'>,
): Promise<void> {
  if (isEdited(readMigrationState(targetAt(root)))) throw new Refusal(handWritten)
  const options = { conflicts: 'stop', force: false, isWriting: true, onlyClean: true } as const
  const outcome = await generate(root, { ...options, ...answers })
  if (outcome.kind === 'problems') throw new Refusal(formatProblems(outcome.problems))
  if (!outcome.isWritten || isBlocked(outcome.prepared.plan)) {
    throw new Refusal('The project does not match the manifest: run `svc generate` first.')
  }
}

const handWritten =
  'prisma/migrations/draft.sql was edited by hand, and an answer would overwrite it, without your statements.\n' +
  '  fix    write it there in SQL too; or delete draft.sql, run `svc generate` and this command again,\n' +
  '         and then write your statements at its head'
