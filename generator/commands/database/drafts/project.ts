/**
 * svc uses these parts of the project it runs in: its database, and `runtime/database/migrations`.
 */
export interface Project {
  readonly folder: string
  readonly database: ProjectDatabase
  readonly runtime: MigrationRuntime
  /** Each returns true if a table, given with the columns of all tables, can be made again from the others. */
  readonly derivedTables: readonly ((
    table: string,
    tables: ReadonlyMap<string, readonly string[]>,
  ) => boolean)[]
}

export type Dialect = 'sqlite' | 'postgresql'

export interface MigrationSession {
  readonly dialect: Dialect
  run(sql: string): Promise<void>
  query(sql: string, parameters?: readonly (string | number | null)[]): Promise<unknown[][]>
}

export interface ProjectDatabase {
  readonly dialect: Dialect
  query(
    statement: { readonly sql: string; readonly access: 'read' },
    parameters: readonly (string | number | null)[],
  ): Promise<readonly (readonly unknown[])[]>
  /** One transaction that no other process can migrate beside. */
  migrating<T>(work: (session: MigrationSession) => Promise<T>): Promise<T>
  close(): Promise<void>
}

export interface SavedMigration {
  readonly name: string
  readonly sql: string
}

export interface History {
  readonly applied: readonly { name: string; checksum: string; isFinished: boolean }[]
  readonly draft: string | null
}

/** A migration where folder and history contradict each other, and the way out. */
export interface Drift {
  readonly migration: string
  readonly kind: 'changed' | 'missing' | 'failed'
  readonly text: string
}

export interface MigrationRuntime {
  /** Applies what is saved; answers the names. */
  migrate(
    database: ProjectDatabase,
    options: { readonly folder: string; readonly log: (line: string) => void },
  ): Promise<readonly string[]>
  /** Applies the next of these; answers its name, or null: none is pending. */
  applyNext(
    session: MigrationSession,
    saved: readonly SavedMigration[],
    options: { readonly log: (line: string) => void; readonly acceptDataLoss: boolean },
  ): Promise<string | null>
  /** In here, checks let rows pass of which something less is left. */
  acceptingLoss<T>(session: MigrationSession, work: () => Promise<T>): Promise<T>
  readHistory(session: MigrationSession): Promise<History>
  record(session: MigrationSession, migration: SavedMigration): Promise<void>
  driftOf(saved: readonly SavedMigration[], applied: History['applied']): readonly Drift[]
  /** An older runtime has none. */
  pastOf?(saved: readonly SavedMigration[], applied: History['applied']): readonly string[]
  readMigrations(folder: string): readonly SavedMigration[]
  readDraft(folder: string): string | null
  checksumOf(sql: string): string
  hasChecksum(sql: string, checksum: string): boolean
}

export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`
