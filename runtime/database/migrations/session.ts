/** `<folder>/<name>/migration.sql`. */
export interface SavedMigration {
  readonly name: string
  readonly sql: string
}

/** One transaction that no other process can migrate beside. */
export interface MigrationSession {
  readonly dialect: 'sqlite' | 'postgresql'
  /** Runs a migration: statements without parameters. Throws when rows then point at nothing. */
  run(sql: string): Promise<void>
  /** SQLite: throws where a saved migration would take what it does not know of. */
  check?(sql: string): void
  /** Runs one statement with `$1`, `$2` … in this order; rows are arrays. */
  query(sql: string, parameters?: readonly (string | number | null)[]): Promise<unknown[][]>
  /** PostgreSQL: runs and records what it refuses in transactions; false: that is not the case. */
  runAlone?(migration: SavedMigration, refusal: unknown): Promise<boolean>
}

export type MigrationReader = Pick<MigrationSession, 'dialect' | 'query'>

/** A database that can be migrated: both `openSqlite` and `openPostgres` give one. */
export interface Migratable {
  /** For migrations only: on SQLite no writer can write beside it, and foreign keys are off. */
  migrating<T>(work: (session: MigrationSession) => Promise<T>): Promise<T>
}
