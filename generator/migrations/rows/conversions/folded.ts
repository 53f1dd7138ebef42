import { readFields } from '../../schema/datamodel.js'
import { anyMarkedName, markedName } from '../../sql/mark-names.js'
import { namesIn } from './checks.js'
import type { Decided } from './decide.js'

/** The comment behind a column that holds the text of another one, folded. */
export const foldedForm = (source: string): string => `folded ${source}`

/** A folded column whose values are not those of its text any more; the server folds again what is NULL. */
export interface Folded {
  readonly table: string
  readonly column: string
  /** Dropped. */
  readonly isGone: boolean
}

export function foldedAnew(
  from: string,
  to: string,
  decided: readonly Decided[],
): readonly Folded[] {
  const after = readFields(to)
  return [...readFields(from)].flatMap(([table, fields]) =>
    [...fields].flatMap(([column, { mark }]) => {
      const source = sourceIn(mark)
      if (source === undefined) return []
      const now = after.get(table)?.get(column)
      const isGone = after.has(table) && now === undefined
      const isOfOther = (sourceIn(now?.mark ?? '') ?? source) !== source
      const isRewritten = decided.some(
        (each) => each.isRewritten && each.table === table && each.column === source,
      )
      return isGone || isOfOther || isRewritten ? [{ table, column, isGone }] : []
    }),
  )
}

const sourceIn = (mark: string) => /^folded (.+)$/.exec(mark)?.[1]

/** Columns that hold the text of this one, folded. */
export const foldedFrom = (
  schema: string,
  { table, column }: Pick<Decided, 'table' | 'column'>,
): readonly string[] =>
  [...(readFields(schema).get(table) ?? [])].flatMap(([name, { mark }]) =>
    mark === foldedForm(column) ? [name] : [],
  )

const mark = new RegExp(`^-- Folded from its text, so nothing is lost: ${anyMarkedName}$`, 'gm')

export const foldedMark = ({ table, column }: Folded): string =>
  `-- Folded from its text, so nothing is lost: ${markedName(table, column)}\n`

export const readFolded = (sql: string): readonly string[] => namesIn(sql, mark)

/** But for those of tables that SQLite copies, which leaves them out. */
export const emptySql = (folded: readonly Folded[], sql: string): string =>
  folded
    .filter(({ table, isGone }) => !isGone && !sql.includes(`CREATE TABLE "new_${table}"`))
    .map(({ table, column }) => `UPDATE "${table}" SET "${column}" = NULL;\n`)
    .join('')
