import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A saved migration: `<folder>/<name>/migration.sql`. */
export interface SavedMigration {
  readonly name: string
  readonly sql: string
}

/** The migration that `svc migrate save` would make, and the datamodel it leads to. */
export interface DraftFile {
  readonly sql: string
  readonly datamodel: string
}

/** In order of name, which begins with the date. */
export function readMigrations(folder: string): SavedMigration[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => ({ name: entry.name, file: join(folder, entry.name, 'migration.sql') }))
    .filter(({ file }) => existsSync(file))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .map(({ name, file }) => ({ name, sql: readFileSync(file, 'utf8') }))
}

export function readDraft(folder: string): DraftFile | null {
  const sql = join(folder, 'draft.sql')
  const datamodel = join(folder, 'draft.prisma')
  if (!existsSync(sql)) return null
  return {
    sql: readFileSync(sql, 'utf8'),
    datamodel: existsSync(datamodel) ? readFileSync(datamodel, 'utf8') : '',
  }
}

/** As Prisma writes it. */
export function checksumOf(sql: string): string {
  return createHash('sha256').update(sql).digest('hex')
}

/** Git may have changed the line ends; that changes nothing. */
export function hasChecksum(sql: string, checksum: string): boolean {
  if (checksumOf(sql) === checksum) return true
  const unix = sql.replaceAll('\r\n', '\n')
  return checksumOf(unix) === checksum || checksumOf(unix.replaceAll('\n', '\r\n')) === checksum
}
