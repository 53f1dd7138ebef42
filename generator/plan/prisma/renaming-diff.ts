import type { Blueprint, Database } from '../../blueprint/types.js'
import { buildSql, diffSql, type SchemaDiff, type SchemaFile } from './engine.js'
import { morphColumns, renameSql, type MorphColumn } from './rename-sql.js'
import { takeRenames, wishesOf, type Wish } from './renames.js'

/** What the manifest says of names, for `diffSql`, which sees a drop and an add where there was a rename. */
export interface Renaming {
  readonly wishes: readonly Wish[]
  readonly morphs: readonly MorphColumn[]
}

export const noRenaming: Renaming = { wishes: [], morphs: [] }

export function renamingOf(blueprint: Blueprint): Renaming {
  const wishes = wishesOf(blueprint)
  return wishes.length === 0 ? noRenaming : { wishes, morphs: morphColumns(blueprint) }
}

/** The SQL between two schemas that first renames what the manifest says was renamed, and keeps its rows. */
export async function diffRenamed(
  database: Database,
  from: SchemaFile,
  to: readonly SchemaFile[],
  { wishes, morphs }: Renaming,
): Promise<SchemaDiff> {
  const renames = takeRenames(wishes, from.content)
  if (renames.made.length === 0) return diffSql(database, [from], to)
  const middle = { ...from, content: renames.datamodel }
  const [before, after] = [await buildSql([from]), await buildSql([middle])]
  const renamed = renameSql(database, renames, morphs, { before, after })
  const rest = await diffSql(database, [middle], to)
  const sql = rest.changed ? `${renamed}\n${rest.sql}` : renamed
  return { sql, changed: true, losses: rest.losses }
}
