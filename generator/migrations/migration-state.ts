import type { LeftAlone } from './diff/left-alone.js'

/** The content of the migrations folder; null: no such file. */
export interface MigrationState {
  /** Names of the saved migrations, each a folder with a `migration.sql`, sorted. */
  readonly saved: readonly string[]
  readonly lock: string | null
  /** The datamodel that the saved migrations lead to. One text for all, so that git merges two branches' migrations. */
  readonly base: string | null
  readonly draft: string | null
  readonly draftSchema: string | null
  readonly edited?: string | null
  /** Objects of the database that are older than svc, and not in the manifest. */
  readonly left?: readonly LeftAlone[]
  /** SQLite: the saved migrations. */
  readonly history?: readonly string[]
  /** The saved migrations of such a project. */
  readonly past?: string
}
