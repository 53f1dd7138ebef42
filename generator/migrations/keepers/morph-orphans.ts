import type { SchemaFile } from '../schema/schema-file.js'
import { isText, morphsIn, tablesIn, type Morph, type Owner } from './morph-marks.js'

/**
 * Deletes pivot rows of records that are gone, which nothing reads: those that were deleted while no trigger saw to it,
 * and those whose table goes. Stands behind the triggers, so that none comes in between.
 */
export function orphanSql(
  sql: string,
  before: readonly SchemaFile[],
  after: readonly SchemaFile[],
): readonly string[] {
  const [had, has] = [tablesIn(before), tablesIn(after)]
  const old = morphsIn(before)
  return morphsIn(after)
    .filter(({ table, isPivot }) => isPivot && had.has(table))
    .flatMap((morph) => {
      const owners = old.find((each) => isSame(each, morph))?.owners ?? []
      const isOld = ({ key, table }: Owner) =>
        owners.some((each) => each.key === key && each.table === table)
      const isGone = ({ table }: Owner) => !has.has(table) && sql.includes(`DROP TABLE "${table}"`)
      return [
        ...morph.owners
          .filter((owner) => !isOld(owner))
          .map((owner) => deletedRecords(morph, owner)),
        ...owners.filter(isGone).map((owner) => deleteRows(morph, owner)),
      ]
    })
}

const isSame = (one: Morph, other: Morph) => one.table === other.table && one.type === other.type

const deleteRows = ({ table, type }: Morph, { key }: Owner) =>
  `DELETE FROM "${table}" WHERE "${type}" = '${key}'`

function deletedRecords(morph: Morph, owner: Morph['owners'][number]): string {
  const id = isText(morph) && !isText(owner) ? 'CAST("id" AS TEXT)' : '"id"'
  const { table, id: column } = morph
  const found = `SELECT 1 FROM "${owner.table}" WHERE ${id} = "${table}"."${column}"`
  return `${deleteRows(morph, owner)} AND NOT EXISTS (${found})`
}
