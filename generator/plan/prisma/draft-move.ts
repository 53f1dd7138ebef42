import type { Database } from '../../blueprint/types.js'
import { diffSql, type SchemaFile } from './engine.js'
import type { Losses } from './losses.js'
import { migrationPaths, type MigrationState } from './migrations.js'
import { diffRenamed, noRenaming } from './renaming-diff.js'

/** What a development database says of itself: `app/migrate.ts status --json`. */
export interface DatabaseState {
  /** Saved migrations it has not applied. */
  readonly pending: readonly string[]
  readonly draft: { readonly checksum: string; readonly datamodel: string } | null
}

/** What `app/migrate.ts draft --json` reads: the way from the draft the database has to the one in the project. */
export interface DraftMove {
  readonly step: string
  readonly draft: { readonly sql: string; readonly datamodel: string } | null
  readonly from: string | null
  readonly covers: readonly string[]
  readonly acceptDataLoss: boolean
}

/**
 * The request that moves a development database on, and what the step would ask of its rows. A database without a draft needs
 * none: its own script applies everything.
 */
export async function planDraftMove(
  database: Database,
  has: DatabaseState,
  state: MigrationState,
  acceptDataLoss = false,
  renaming = noRenaming,
): Promise<{ readonly move: DraftMove; readonly losses: Losses } | null> {
  if (has.draft === null) return null
  const { draft, draftSchema, base } = state
  const isDraft = draft !== null && draftSchema !== null
  const path = isDraft ? migrationPaths.draftSchema : migrationPaths.base
  const from = schemaOf('the database', has.draft.datamodel)
  const to = schemaOf(path, isDraft ? draftSchema : (base ?? ''))
  const [start] = from
  const { sql, losses } =
    start === undefined
      ? await diffSql(database, from, to)
      : await diffRenamed(database, start, to, renaming)
  const move = {
    step: sql,
    draft: isDraft ? { sql: draft, datamodel: draftSchema } : null,
    from: has.draft.checksum,
    covers: has.pending,
    acceptDataLoss,
  }
  return { move, losses }
}

const schemaOf = (path: string, content: string): readonly SchemaFile[] =>
  content.trim() === '' ? [] : [{ path, content }]
