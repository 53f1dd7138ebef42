import { readFileSync } from 'node:fs'
import { runs } from './runs.js'

export type DatabaseName = 'sqlite' | 'postgresql'

const all: readonly DatabaseName[] = ['sqlite', 'postgresql']

const asked = process.env['SVC_TEST_DATABASES']?.split(',')

/** What `npm test` runs on PostgreSQL, too: files that go through lines which no other file does on SQLite. */
const onBoth: readonly string[] = JSON.parse(
  readFileSync(new URL('../on-postgres.json', import.meta.url), 'utf8'),
)

const found: DatabaseName[] = []

/** What the tests of the file that runs now run on; SVC_TEST_DATABASES names one. */
export const databases: readonly DatabaseName[] = found

/**
 * Which databases are those of a file, by its path from the checkout; and whether it has run on the other one, in `npm test`.
 */
export function chooseDatabases(file: string): { readonly hasRun: boolean } {
  const set = process.env['SVC_TEST_SET']
  const isWhole = set === undefined || file.endsWith('.all.test.ts') || onBoth.includes(file)
  const chosen = isWhole ? all : set === 'rest' ? all.slice(1) : all.slice(0, 1)
  found.splice(0, found.length, ...chosen.filter((name) => asked?.includes(name) ?? true))
  return { hasRun: !isWhole && set === 'rest' }
}

/** Long stories are lived through on one database, and on both where there is time. */
export const isTold = (database: string, usual: DatabaseName): boolean =>
  database === usual || runs(1) > 1

/** The databases that a long story is lived through on. */
export const toldOn = (usual: DatabaseName): readonly DatabaseName[] =>
  databases.filter((name) => isTold(name, usual))
