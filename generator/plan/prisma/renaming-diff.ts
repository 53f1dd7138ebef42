import type { Blueprint, Database } from '../../blueprint/types.js'
import { diffConverted } from './converting-diff.js'
import { readNames } from './datamodel.js'
import { buildSql, type SchemaDiff } from './engine.js'
import type { Fill } from './fills.js'
import type { MigrationState } from './migration-state.js'
import { triggersOutside } from './morph-triggers.js'
import { morphColumns, renameSql, type MorphColumn } from './rename-sql.js'
import { takeRenames, wishesOf, type Wish } from './renames.js'
import type { SchemaFile } from './schema-file.js'
import { wishesThrough } from './taken-renames.js'

/**
 * What is known of a change beside both schemas: names, where `diffSql` sees a drop and an add instead of a rename, and
 * what rows get that are there.
 */
export interface Renaming {
  readonly wishes: readonly Wish[]
  readonly morphs: readonly MorphColumn[]
  readonly fills: readonly Fill[]
  /** Columns whose values are cut where they do not fit, as `visits.fee`; `all`: wherever one does not. */
  readonly cuts?: readonly string[] | 'all'
}

export const noRenaming: Renaming = { wishes: [], morphs: [], fills: [] }

export function renamingOf(
  blueprint: Blueprint,
  { base, draft }: Pick<MigrationState, 'base' | 'draft'> = { base: null, draft: null },
  fills: readonly Fill[] = [],
  cuts: Renaming['cuts'] = [],
): Renaming {
  const wishes = wishesThrough(draft ?? '', wishesOf(blueprint, base), readNames(base ?? ''))
  return { wishes, morphs: wishes.length === 0 ? [] : morphColumns(blueprint), fills, cuts }
}

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
  const renamed = renameSql(database, renames, morphs, { before, after })
  const renamedKeys = renames.made.flatMap(({ key }) => key ?? [])
  const rest = await diffConverted(database, middle, to, { ...given, renamedKeys })
  const sql = rest.changed ? `${renamed}\n${rest.sql}` : renamed
  return { sql: triggersOutside(sql), changed: true, losses: rest.losses }
}
