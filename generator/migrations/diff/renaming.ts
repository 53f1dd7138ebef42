import type { Blueprint, Problem } from '../../blueprint/types.js'
import type { MigrationState } from '../migration-state.js'
import type { Fill } from '../rows/fills.js'
import { readNames } from '../schema/datamodel.js'
import { unsaid, type LeftAlone } from './left-alone.js'
import { morphColumns, type MorphColumn } from './rename-sql.js'
import { exchanged, renamedOnto, wishesOf, type Wish } from './renames.js'
import { wishesThrough } from './taken-renames.js'

/**
 * What is known of a change beside both schemas: names, where `diffSql` sees a drop and an add instead of a rename, and
 * what rows get that are there.
 */
export interface Renaming {
  readonly wishes: readonly Wish[]
  readonly morphs: readonly MorphColumn[]
  readonly fills: readonly Fill[]
  /** Objects of the database that no schema of svc contains. */
  readonly left?: readonly LeftAlone[]
  /** SQLite: the scripts that made the database, of which its tables are. */
  readonly history?: readonly string[]
  /** SQLite: tables that only building them anew changes, each by a column of it. */
  readonly anew?: readonly { readonly table: string; readonly column: string }[]
  /**
   * The SQL of all migrations so far, of a database that is older than svc: it says whose names of
   * indexes are whose.
   */
  readonly past?: string | undefined
  /** Names of which nobody can say what becomes of the values. */
  readonly problems?: readonly Problem[]
}

export const noRenaming: Renaming = { wishes: [], morphs: [], fills: [] }

export function renamingOf(
  blueprint: Blueprint,
  {
    base,
    draft,
    left = [],
    past,
    history = [],
  }: Pick<MigrationState, 'base' | 'draft' | 'left' | 'past' | 'history'> = {
    base: null,
    draft: null,
  },
  fills: readonly Fill[] = [],
): Renaming {
  const wishes = wishesThrough(draft ?? '', wishesOf(blueprint, base), readNames(base ?? ''))
  return {
    wishes,
    morphs: wishes.length === 0 ? [] : morphColumns(blueprint),
    fills,
    left: unsaid(left, base),
    history,
    ...(past === undefined ? {} : { past: `${past}\n${draft ?? ''}` }),
    problems: [...exchanged(blueprint, base), ...renamedOnto(blueprint, base)],
  }
}
