import { morphsIn, tablesIn, type Morph } from '../keepers/morph-marks.js'
import type { SchemaFile } from '../schema/schema-file.js'
import { gone, type LeftRows } from './left-rows.js'

export interface Renamed {
  readonly keys: readonly Names[]
  readonly tables: readonly Names[]
}

interface Names {
  readonly from: string
  readonly to: string
}

/** Rows of a morph that belong to repositories which have no side of it any more. */
export function leftRows(
  before: readonly SchemaFile[],
  after: readonly SchemaFile[],
  renamed: Renamed = nothing,
): readonly LeftRows[] {
  const [old, tables] = [morphsIn(before), tablesIn(after)]
  return morphsIn(after).flatMap((morph): readonly LeftRows[] => {
    const { table, type: column, isPivot } = morph
    const was = old.find((each) => each.table === table && each.type === column)
    const sides = was?.owners ?? []
    const keys = sides
      // The rows of a pivot go with the tables of either side.
      .filter((side) => !isPivot || tables.has(nameNow(side.table, renamed.tables)))
      .map(({ key }) => nameNow(key, renamed.keys))
      .filter((key) => morph.owners.every((owner) => owner.key !== key))
    const isEmptied = [was, morph].every((each) => each !== undefined && isNullable(each))
    return keys.length === 0 ? [] : [rowsOf(morph, keys, isEmptied)]
  })
}

const nothing: Renamed = { keys: [], tables: [] }

const nameNow = (name: string, steps: readonly Names[]) =>
  steps.reduce((now, { from, to }) => (now === from ? to : now), name)

const isNullable = ({ idType }: Morph) => /^\w+\?/.test(idType)

function rowsOf(
  { table, type: column, id }: Morph,
  keys: readonly string[],
  isEmptied: boolean,
): LeftRows {
  const texts = keys.map((key) => `'${key.replaceAll("'", "''")}'`).join(', ')
  const where = `"${column}" IN (${texts})`
  const name = column.replace(/_type$/, '')
  const loss = isEmptied ? `lose their '${name}'` : 'are deleted'
  return {
    table,
    column,
    check: { table, column, says: gone, isSecret: false, isAcceptable: true, where },
    sql: isEmptied
      ? `UPDATE "${table}" SET "${column}" = NULL, "${id}" = NULL WHERE ${where};\n`
      : `DELETE FROM "${table}" WHERE ${where};\n`,
    says: `takes '${name}' of '${table}' away from ${texts}: rows that belong there stop it, or ${loss} in a run that accepts data loss`,
  }
}
