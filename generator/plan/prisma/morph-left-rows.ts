import type { Check } from './conversions/checks.js'
import { morphsIn, tablesIn, type Morph } from './morph-marks.js'
import type { SchemaFile } from './schema-file.js'

/** Rows of a morph that belong to repositories which have no side of it any more. */
export interface LeftRows {
  readonly table: string
  /** The type column. */
  readonly column: string
  /** What it holds: `posts`. */
  readonly keys: readonly string[]
  readonly becomes: 'stopping' | 'deleted' | 'emptied'
}

interface Given {
  readonly cuts?: readonly string[] | 'all'
  /** Keys of repositories that were renamed; the rows say the new ones already. */
  readonly renamedKeys?: readonly { readonly from: string; readonly to: string }[]
}

export function leftRows(
  before: readonly SchemaFile[],
  after: readonly SchemaFile[],
  { cuts = [], renamedKeys = [] }: Given,
): readonly LeftRows[] {
  const [old, tables] = [morphsIn(before), tablesIn(after)]
  return morphsIn(after).flatMap((morph): readonly LeftRows[] => {
    const { table, type: column, isPivot } = morph
    const sides = old.find((each) => each.table === table && each.type === column)?.owners ?? []
    const keys = sides
      // The rows of a pivot go with the tables of either side.
      .filter((side) => !isPivot || tables.has(side.table))
      .map(({ key }) =>
        renamedKeys.reduce((name, { from, to }) => (name === from ? to : name), key),
      )
      .filter((key) => morph.owners.every((owner) => owner.key !== key))
    const isCut = cuts === 'all' || cuts.includes(`${table}.${column}`)
    return keys.length === 0 ? [] : [{ table, column, keys, becomes: fateOf(morph, isCut) }]
  })
}

function fateOf({ idType }: Morph, isCut: boolean): LeftRows['becomes'] {
  if (!isCut) return 'stopping'
  return idType.startsWith(`${/^\w+/.exec(idType)?.[0]}?`) ? 'emptied' : 'deleted'
}

export const isOfGoneSide = ({ says }: Pick<Check, 'says'>) => says === gone

const gone = 'belongs to a repository that has no side of it any more'

export const leftCheck = ({ table, column, keys }: LeftRows): Check => {
  return { table, column, says: gone, isSecret: false, where: rowsOf(column, keys) }
}

/** What becomes of them, once data loss is accepted. */
export function leftSql({ table, column, keys, becomes }: LeftRows): string {
  const rows = `WHERE ${rowsOf(column, keys)};\n`
  if (becomes === 'deleted') return `DELETE FROM "${table}" ${rows}`
  const id = column.replace(/_type$/, '_id')
  return `UPDATE "${table}" SET "${column}" = NULL, "${id}" = NULL ${rows}`
}

const rowsOf = (column: string, keys: readonly string[]) =>
  `"${column}" IN (${keys.map((key) => `'${key.replaceAll("'", "''")}'`).join(', ')})`
