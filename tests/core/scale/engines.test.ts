/**
 * Statements to PostgreSQL, looked up in those that CockroachDB and Citus take: docs/scale.md names
 * the rest.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { databases } from '../../support/databases.js'
import { root } from '../plan/fixture.js'
import { refusals } from './refusals.js'
import { statementsOfSession } from './session.js'
import { names, takenWords, wordsOf } from './words.js'

const migrations = ['tests/core/prisma/expected', 'fixtures/every-kind/expected'].flatMap(
  (folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('postgresql.sql'))
      .map((name) => readFileSync(join(root, folder, name), 'utf8')),
)
const page = readFileSync(join(root, 'docs/scale.md'), 'utf8')

const known = new Set([
  ...takenWords,
  ...names,
  ...refusals.flatMap(({ words = '' }) => words.split(/\s+/)),
])

const unknownIn = (statements: readonly string[]) =>
  statements.flatMap((sql) => [...wordsOf(sql)].filter((word) => !known.has(word)))

test('migrations have no word that was not looked up', () => {
  expect(unknownIn(migrations)).toEqual([])
})

test.runIf(databases.includes('postgresql'))(
  'what a server sends has no word that was not looked up, and docs/scale.md has what others refuse of it',
  async () => {
    const sent = await statementsOfSession()
    expect(sent.length).toBeGreaterThan(50)
    expect(unknownIn(sent)).toEqual([])
    for (const { what, engine, isMetBy } of refusals) {
      expect([...sent, ...migrations].some(isMetBy), `${engine}: ${what}`).toBe(true)
      expect(rowsOf(engine)).toContain(what)
    }
  },
)

/** The first cells of the table below the heading of an engine. */
function rowsOf(engine: string): readonly string[] {
  const [, section = ''] = page.split(`\n## ${engine}\n`)
  const [own = ''] = section.split('\n## ')
  return [...own.matchAll(/^\| ([^|]+) \|/gm)].map(([, cell = '']) => cell)
}
