import type { Database } from '../../blueprint/types.js'
import { adopted } from './adopted.js'
import { carried } from './carried.js'
import { changedPart, type ChangedPart } from './changed-part.js'
import { diffConverted } from './converting-diff.js'
import { buildSql, type SchemaDiff } from './engine.js'
import { withColumn, type LeftAlone } from './left-alone.js'
import { triggersOutside } from './morph-triggers.js'
import { renameSql } from './rename-sql.js'
import { takeRenames } from './renames.js'
import type { Renaming } from './renaming.js'
import { PrismaSchemaError } from './schema-error.js'
import type { SchemaFile } from './schema-file.js'

interface Comparing {
  /** An earlier run wrote the schema, and the engine had nothing against it. */
  readonly isChecked?: boolean
}

/**
 * The SQL between two schemas that first renames what the manifest says was renamed, and keeps its rows. Most changes are of
 * a model or two, and only those are compared.
 */
export async function diffRenamed(
  database: Database,
  from: SchemaFile,
  to: readonly SchemaFile[],
  renaming: Renaming,
  { isChecked = false }: Comparing = {},
): Promise<SchemaDiff> {
  const { left = [] } = renaming
  if (left.length > 0) return diffBeside(database, from, to, renaming)
  const whole = () => diffWhole(database, from, to, renaming)
  const part = partOf(from, to, renaming)
  if (part === null) return whole()
  // What is wrong with a model that is not in the part, or with two together.
  if (!isChecked) await buildSql(to)
  try {
    return await diffWhole(database, part.from, [part.to], renaming)
  } catch (error) {
    // Lines are counted in the whole of it.
    if (error instanceof PrismaSchemaError) return whole()
    throw error
  }
}

/** The same, of a database that has more than its schema says. */
async function diffBeside(
  database: Database,
  from: SchemaFile,
  to: readonly SchemaFile[],
  renaming: Renaming,
): Promise<SchemaDiff> {
  const { made } = takeRenames(renaming.wishes, from.content)
  const tables = made.filter((each) => each.column === null)
  const start = adopted(from, to, renaming.left ?? [])
  const diff = await diffRenamed(database, start, to, { ...renaming, left: [] })
  if (database !== 'sqlite' || !diff.changed) return diff
  const left = (renaming.left ?? []).map((each) => {
    const table = tables.find(({ from }) => from === each.table)?.table ?? each.table
    return made.reduce<LeftAlone>(
      (now, { table, column }) =>
        column === null ? now : withColumn(now, table, column.from, column.to),
      { ...each, table },
    )
  })
  return { ...diff, sql: carried(diff.sql, start, to, left) }
}

/** Null: the manifest says more of the change than the two schemas do. */
function partOf(
  from: SchemaFile,
  to: readonly SchemaFile[],
  { wishes, fills, cuts = [] }: Renaming,
): ChangedPart | null {
  const isSaid = fills.length > 0 || cuts.length > 0
  return isSaid || takeRenames(wishes, from.content).made.length > 0 ? null : changedPart(from, to)
}

/** The same, of all models. */
export async function diffWhole(
  database: Database,
  from: SchemaFile,
  to: readonly SchemaFile[],
  { wishes, morphs, past, ...given }: Renaming,
): Promise<SchemaDiff> {
  const renames = takeRenames(wishes, from.content)
  if (renames.made.length === 0) return diffConverted(database, from, to, given)
  const middle = { ...from, content: renames.datamodel }
  const [before, after] = [await buildSql([from]), await buildSql([middle])]
  const first = renameSql(database, renames, morphs, { before, after, past })
  const renamed = {
    keys: renames.made.flatMap(({ key }) => key ?? []),
    tables: renames.made.flatMap(({ table, column, from }) =>
      column === null ? [{ from, to: table }] : [],
    ),
  }
  const rest = await diffConverted(database, middle, to, { ...given, renamed })
  const sql = rest.changed ? `${first}\n${rest.sql}` : first
  return { sql: triggersOutside(sql), changed: true, losses: rest.losses }
}
