import type { Database } from '../../blueprint/types.js'
import { diffConverted } from './converting-diff.js'
import { buildSql, type SchemaDiff } from './engine.js'
import { triggersOutside } from './morph-triggers.js'
import { renameSql } from './rename-sql.js'
import { takeRenames } from './renames.js'
import type { Renaming } from './renaming.js'
import type { SchemaFile } from './schema-file.js'

/** The SQL between two schemas that first renames what the manifest says was renamed, and keeps its rows. */
export async function diffRenamed(
  database: Database,
  from: SchemaFile,
  to: readonly SchemaFile[],
  { wishes, morphs, ...given }: Renaming,
): Promise<SchemaDiff> {
  const renames = takeRenames(wishes, from.content)
  if (renames.made.length === 0) return diffConverted(database, from, to, given)
  const middle = { ...from, content: renames.datamodel }
  const [before, after] = [await buildSql([from]), await buildSql([middle])]
  const first = renameSql(database, renames, morphs, { before, after })
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
