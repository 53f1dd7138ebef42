import { splitSides } from '../source/branches.js'
import type { MigrationContext } from './keepers/kept.js'
import { PrismaSchemaError } from './schema/schema-error.js'
import type { SchemaFile } from './schema/schema-file.js'
import { statementsOf } from './sql/own-statements.js'
import { splitOutside } from './sql/sql-tables.js'

/**
 * True when two branches each saved migrations, git left its markers in `base.prisma`, and the schema of today is what both
 * lead to together: every column, index and key of either, and nothing else. Where one of them dropped, renamed or retyped
 * something, or a change is not saved yet, only the developer knows.
 */
export async function leadsToToday(
  context: MigrationContext,
  base: string,
  schema: readonly SchemaFile[],
): Promise<boolean> {
  const sides = splitSides(base)
  if (sides === null) return false
  const { buildSql } = await import('./diff/engine.js')
  const factsOf = async (content: string) =>
    factsIn(await buildSql(context, [{ path: 'base.prisma', content }]))
  try {
    const both = new Set([...(await factsOf(sides.left)), ...(await factsOf(sides.right))])
    const today = new Set(factsIn(await buildSql(context, schema)))
    return both.size === today.size && [...both].every((fact) => today.has(fact))
  } catch (error) {
    if (error instanceof PrismaSchemaError) return false
    throw error
  }
}

/**
 * Lists what a script builds, whatever its order: the lines of each table, and every other
 * statement.
 */
export function factsIn(sql: string): readonly string[] {
  return statementsOf(sql).flatMap((statement) => {
    const [, table, body] = /^CREATE TABLE ("[^"]+") \(([^]*)\)$/.exec(statement) ?? []
    if (table === undefined || body === undefined) return [statement]
    return splitOutside(body, ',').map((line) => `${table}: ${line.trim()}`)
  })
}
