/** What a migration may do, inside one transaction that no other process can migrate beside. */
export interface MigrationSession {
  /** Runs a migration: statements without parameters. Throws when rows then point at nothing. */
  run(sql: string): Promise<void>
  /** Runs one statement with `$1`, `$2` … in this order; rows are arrays. */
  query(sql: string, parameters?: readonly (string | number | null)[]): Promise<unknown[][]>
}

/** A database that can be migrated: both `openSqlite` and `openPostgres` give one. */
export interface Migratable {
  readonly dialect: 'sqlite' | 'postgresql'
  migrating<T>(work: (session: MigrationSession) => Promise<T>): Promise<T>
  /**
   * The same turn without a transaction, for the statements that PostgreSQL runs in none; each is
   * for good when it is over. SQLite has no such statement that a migration needs.
   */
  migratingBare?<T>(work: (session: MigrationSession) => Promise<T>): Promise<T>
}
