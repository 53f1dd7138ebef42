import { buildSql } from '../diff/engine.js'
import type { MigrationContext } from '../keepers/kept.js'
import { readFields } from '../schema/datamodel.js'
import type { SchemaFile } from '../schema/schema-file.js'
import { readObjects, type SqlObject } from '../sql/sql-objects.js'
import { checkOfWords, optionsOf } from './carried-columns.js'
import type { Declared } from './declared.js'

interface Place {
  readonly table: string
  readonly column: string
}

/**
 * What of a change only a table built anew can have, and Prisma's engine does not see: the words of a CHECK that are other
 * ones now, and a unique key that the table itself declares, which no DROP INDEX takes away.
 */
export async function builtAnewFor(
  context: MigrationContext,
  from: SchemaFile,
  to: readonly SchemaFile[],
  asMade: () => Declared,
): Promise<readonly Place[]> {
  const selects = changedSelects(from, to)
  const keys = await goneKeys(context, from, to)
  if (selects.length === 0 && keys.length === 0) return []
  const { tables, indexes } = asMade()
  const hasCheck = ({ table, column }: Place) =>
    tables
      .get(table)
      ?.checks.some((each) => checkOfWords.exec(each)?.[2]?.toLowerCase() === column.toLowerCase())
  const isDeclared = ({ table, columns }: SqlObject) =>
    tables.has(table) &&
    !indexes.some(
      (each) => each.isUnique && each.table === table && each.columns.join() === columns.join(),
    )
  return [
    ...selects.filter(hasCheck),
    ...keys.filter(isDeclared).map(({ table, columns: [column = ''] }) => ({ table, column })),
  ]
}

function changedSelects(from: SchemaFile, to: readonly SchemaFile[]): readonly Place[] {
  const after = readFields(to.map(({ content }) => content).join('\n'))
  return [...readFields(from.content)].flatMap(([table, fields]) =>
    [...fields].flatMap(([column, field]) => {
      const [then, next] = [optionsOf(field), after.get(table)?.get(column)]
      const isOther = then !== null && next !== undefined && then.join() !== optionsOf(next)?.join()
      return isOther ? [{ table, column }] : []
    }),
  )
}

/** Unique keys that the schema says no more. */
async function goneKeys(
  context: MigrationContext,
  from: SchemaFile,
  to: readonly SchemaFile[],
): Promise<readonly SqlObject[]> {
  const uniqueIn = (sql: string) =>
    readObjects(sql).filter((each) => each.sql.startsWith('CREATE UNIQUE'))
  const now = uniqueIn(await buildSql(context, to)).map(keyOf)
  // A table declares no key of some rows.
  const old = uniqueIn(await buildSql(context, [from])).filter(
    ({ sql }) => !sql.includes(' WHERE '),
  )
  return old.filter((each) => !now.includes(keyOf(each)))
}

const keyOf = ({ table, columns, form }: SqlObject) => JSON.stringify([table, columns, form])
