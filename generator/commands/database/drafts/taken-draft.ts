import type { MigrationSession, Project } from './project.js'

/** A draft that a database has taken. */
export interface TakenDraft {
  readonly checksum: string
  readonly datamodel: string
  readonly sql: string
}

/** The migration that `svc migrate save` would make, and the datamodel it leads to. */
export interface DraftFile {
  readonly sql: string
  readonly datamodel: string
}

/** Columns in the order of `recordDraft`. */
export async function readTaken(
  { runtime }: Project,
  session: MigrationSession,
): Promise<TakenDraft | null> {
  const { draft } = await runtime.readHistory(session)
  if (draft === null) return null
  const [[checksum, datamodel, , sql] = []] = await session.query('SELECT * FROM _svc_draft')
  return { checksum: String(checksum), datamodel: String(datamodel), sql: String(sql) }
}

/** Remembers which draft this database has; null: none any more. */
export async function recordDraft(
  { runtime }: Project,
  session: MigrationSession,
  draft: DraftFile | null,
): Promise<void> {
  await session.query('DROP TABLE IF EXISTS _svc_draft')
  if (draft === null) return
  await session.query(
    `CREATE TABLE _svc_draft
       (checksum TEXT NOT NULL, datamodel TEXT NOT NULL, applied_at TEXT NOT NULL, sql TEXT NOT NULL)`,
  )
  await session.query('INSERT INTO _svc_draft VALUES ($1, $2, $3, $4)', [
    runtime.checksumOf(draft.sql),
    draft.datamodel,
    new Date().toISOString(),
    draft.sql,
  ])
}
