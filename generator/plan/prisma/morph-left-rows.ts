import { gone, type LeftRows } from './left-rows.js'
import { morphsIn, tablesIn, type Morph } from './morph-marks.js'
import type { SchemaFile } from './schema-file.js'

export interface Renamed {
  readonly keys: readonly Names[]
  readonly tables: readonly Names[]
}

interface Names {
  readonly from: string
  readonly to: string
}

interface Given {
  readonly cuts?: readonly string[] | 'all'
  /** What was renamed before: rows and tables have the new names already. */
  readonly renamed?: Renamed
}

/** Rows of a morph that belong to repositories which have no side of it any more. */
export function leftRows(
  before: readonly SchemaFile[],
  after: readonly SchemaFile[],
  { cuts = [], renamed = nothing }: Given,
): readonly LeftRows[] {
  const [old, tables] = [morphsIn(before), tablesIn(after)]
  return morphsIn(after).flatMap((morph): readonly LeftRows[] => {
    const { table, type: column, isPivot } = morph
    const sides = old.find((each) => each.table === table && each.type === column)?.owners ?? []
    const keys = sides
      // The rows of a pivot go with the tables of either side.
      .filter((side) => !isPivot || tables.has(nameNow(side.table, renamed.tables)))
      .map(({ key }) => nameNow(key, renamed.keys))
      .filter((key) => morph.owners.every((owner) => owner.key !== key))
    const isCut = cuts === 'all' || cuts.includes(`${table}.${column}`)
    return keys.length === 0 ? [] : [rowsOf(morph, keys, fateOf(morph, isCut))]
  })
}

const nothing: Renamed = { keys: [], tables: [] }

const nameNow = (name: string, steps: readonly Names[]) =>
  steps.reduce((now, { from, to }) => (now === from ? to : now), name)

function fateOf({ idType }: Morph, isCut: boolean): LeftRows['becomes'] {
  if (!isCut) return 'stopping'
  return idType.startsWith(`${/^\w+/.exec(idType)?.[0]}?`) ? 'emptied' : 'deleted'
}

function rowsOf(
  { table, type: column, id }: Morph,
  keys: readonly string[],
  becomes: LeftRows['becomes'],
): LeftRows {
  const texts = keys.map((key) => `'${key.replaceAll("'", "''")}'`).join(', ')
  const where = `"${column}" IN (${texts})`
  const says = {
    stopping: `takes '${column.replace(/_type$/, '')}' of '${table}' away from ${texts}: rows that belong there stop it`,
    deleted: `drops the rows of '${table}' that belong to ${texts}`,
    emptied: `drops '${column}' of the rows of '${table}' that belong to ${texts}`,
  }
  return {
    table,
    column,
    becomes,
    check: { table, column, says: gone, isSecret: false, where },
    sql:
      becomes === 'deleted'
        ? `DELETE FROM "${table}" WHERE ${where};\n`
        : `UPDATE "${table}" SET "${column}" = NULL, "${id}" = NULL WHERE ${where};\n`,
    says: says[becomes],
  }
}
