import type { Database } from '../../../blueprint/types.js'
import { readTables, uniqueNames } from '../../sql/sql-tables.js'
import { accepted, type Check } from './checks.js'
import type { Decided } from './decide.js'

/** Rows that would be equal where the schema wants them to differ: of indexes that are new, or whose values change. */
export function uniqueChecks(
  database: Database,
  scripts: { readonly before: string; readonly after: string },
  decided: readonly Decided[],
): readonly Check[] {
  const before = readTables(scripts.before)
  return [...readTables(scripts.after)].flatMap(([table, { uniques }]) => {
    const old = before.get(table)
    if (old === undefined) return []
    const changed = new Map(
      decided.flatMap((each) => (each.table === table ? comparedBy(database, each) : [])),
    )
    return [...uniques].flatMap((index): readonly Check[] => {
      const folded = /^lower\((\w+)/.exec(index)?.[1]
      const columns = folded === undefined ? uniqueNames(index) : [folded]
      const isHere = columns.every((column) => old.columns.has(column))
      const isDue = !old.uniques.has(index) || columns.some((column) => changed.has(column))
      const [first] = columns
      if (!isHere || !isDue || first === undefined) return []
      const inLowerCase = (value: string) =>
        folded === undefined
          ? value
          : `lower(${value}${database === 'sqlite' ? '' : ' COLLATE "C"'})`
      const values = columns.map((column) => inLowerCase(changed.get(column) ?? `"${column}"`))
      const list = values.join(', ')
      const isGiven = values.map((value) => `${value} IS NOT NULL`).join(' AND ')
      const says = folded === undefined ? 'is not unique' : 'is not unique in any case'
      const others = columns
        .slice(1)
        .map((column) => `'${column}'`)
        .join(', ')
      const where = `(${list}) IN (SELECT ${list} FROM "${table}" WHERE ${isGiven} GROUP BY ${values.map((_, at) => at + 1).join(', ')} HAVING count(*) > 1)`
      return [
        {
          table,
          column: first,
          says: others === '' ? says : `${says} with ${others}`,
          isSecret: false,
          isAcceptable: false,
          where,
        },
      ]
    })
  })
}

/** A column with SQL of its values after the migration: what does not fit is there only in a run that accepts its loss. */
function comparedBy(
  database: Database,
  { column, value, exact, update, isRewritten }: Decided,
): readonly (readonly [string, string])[] {
  if (!isRewritten && update === null) return []
  const left =
    update === null ? value : `CASE WHEN ${update.where} THEN ${update.value} ELSE "${column}" END`
  const isSame = left === exact
  return [
    [column, isSame ? exact : `CASE WHEN ${accepted[database]} THEN ${left} ELSE ${exact} END`],
  ]
}
