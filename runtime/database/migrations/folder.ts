import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SavedMigration } from './session.js'

const readText = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : null)

/** In order of name, which begins with the date. */
export function readMigrations(folder: string): SavedMigration[] {
  const names = existsSync(folder) ? readdirSync(folder).toSorted() : []
  return names.flatMap((name) => {
    const sql = readText(join(folder, name, 'migration.sql'))
    return sql === null ? [] : [{ name, sql }]
  })
}

/** The migration that is being worked on, and not saved yet. */
export const readDraft = (folder: string) => readText(join(folder, 'draft.sql'))

/** As Prisma writes it. */
export const checksumOf = (sql: string) => createHash('sha256').update(sql).digest('hex')

/** Git may have changed the line ends; that changes nothing. */
export function hasChecksum(sql: string, checksum: string): boolean {
  const unix = sql.replaceAll('\r\n', '\n')
  return [sql, unix, unix.replaceAll('\n', '\r\n')].some((text) => checksumOf(text) === checksum)
}
