/**
 * An accepted loss belongs to one run and the rows it counted: every other run counts, and asks,
 * again.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { toldOn } from '../../support/databases.js'
import { users } from '../../support/own-manifest.js'
import { freshDatabase } from '../../support/postgres.js'
import { program } from '../../support/program.js'
import { liveProject } from './live-project.js'
import { query } from './query.js'

const fieldsBefore = `word: text(), fee: decimal(6, 2).nullable(), size: float().nullable(),
  mood: select(['good', 'bad']).nullable(), met: dateTime().nullable(), more: text().nullable()`
const fieldsAfter = `word: text().max(5), fee: decimal(6, 1).nullable(), size: integer().nullable(),
  mood: select(['good']).nullable(), met: date().nullable(), more: text().nullable()`

const now = `'2026-01-01T00:00:00.000+00:00'`
const rows = `INSERT INTO things (word, fee, size, mood, met, more, updated_at) VALUES
  ('abcdefg', 1.25, 1.75, 'bad', '2026-02-03T10:20:30.000+00:00', 'kept', ${now}),
  ('abc', 1.5, 2, 'good', '2026-02-03T00:00:00.000+00:00', NULL, ${now})`

const found = [
  "  things.word is no text max 5: 1 row, 'abcdefg'\n",
  "  things.fee is no decimal(6, 1): 1 row, '1.25'\n",
  "  things.size is no integer: 1 row, '1.75'\n",
  `  things.mood is no select("good"): 1 row, 'bad'\n`,
  '  things.met is no date: 1 row, ',
]
const allOf = (texts: readonly string[]) => texts.map((text) => expect.stringContaining(text))

describe.each(toldOn('sqlite'))('what is lost on %s', (name) => {
  const { path, run, ok, manifest } = liveProject(name)
  const things = (fields: string) =>
    manifest(`${users} things: repository({ fields: { ${fields} } }),`)
  const ask = (sql: string) => query(name, process.env['DATABASE_URL'] ?? '', sql)
  const values = async () => {
    const met = name === 'sqlite' ? 'substr(met, 1, 16)' : `to_char(met, 'YYYY-MM-DD"T"HH24:MI')`
    const all = await ask(
      `SELECT word, CAST(fee AS REAL) AS fee, size, mood, ${met} AS met FROM things ORDER BY id`,
    )
    return all.map((row) => Object.values(row as object))
  }
  const kept = [
    ['abcdefg', 1.25, 1.75, 'bad', '2026-02-03T10:20'],
    ['abc', 1.5, 2, 'good', '2026-02-03T00:00'],
  ]
  const cut = [
    ['abcde', 1.2, 1, null, '2026-02-03T00:00'],
    ['abc', 1.5, 2, 'good', '2026-02-03T00:00'],
  ]
  const stands = async (texts: readonly string[], ...line: string[]) => {
    const { code, out, errors } = await run(...line)
    expect([code, ...texts.map(() => out + errors)]).toEqual([1, ...allOf(texts)])
    expect(await values()).toEqual(kept)
  }
  const npmRunMigrate = async (...more: string[]) => {
    const line = [await program(path(''), 'app/migrate.ts'), ...more]
    const { status, stdout, stderr } = spawnSync(process.execPath, line, { cwd: path('') })
    return { code: status, out: String(stdout), errors: String(stderr) }
  }

  test('is not saved where rows would be equal then, in what is unique together', async () => {
    const pairs = (word: string) =>
      manifest(
        `${users} pairs: repository({ unique: [['word', 'kind']], fields: { word: ${word}, kind: text().max(9) } }),`,
      )
    pairs('text()')
    await ok('generate', '--no-compile')
    await ok('migrate', 'save', 'start')
    await ok('migrate')
    await ask(
      `INSERT INTO pairs (word, kind, updated_at) VALUES ('abc', 'k', ${now}), ('abd', 'k', ${now})`,
    )
    pairs('text().max(2)')
    await ok('generate', '--no-compile')
    const { code, out, errors } = await run('migrate', 'save', 'short', '--accept-data-loss')
    expect([code, out + errors]).toEqual([1, expect.stringContaining('Not saved.\n')])
    expect(errors).toContain("pairs.word is not unique with 'kind': 2 rows")
  })

  test('is asked for again by every other run, with the numbers of its rows', async () => {
    things(fieldsBefore)
    await ok('generate', '--no-compile')
    await ok('migrate', 'save', 'start')
    await ok('migrate')
    await ask(rows)
    // The losses behind these rows are in the way as well: that is no migration to save.
    things(`${fieldsAfter}, note: text()`)
    await ok('generate', '--no-compile')
    await stands(['--fill things.note=<value>'], 'migrate', 'save', 'cut', '--accept-data-loss')
    things(fieldsAfter)
    await ok('generate', '--no-compile')
    await stands(['Rows prevent it:\n', ...found], 'migrate')
    const accepted = await ok('migrate', '--accept-data-loss')
    expect([accepted, accepted]).toEqual(allOf(['as you accepted:\n', found[0] ?? '']))
    expect(await values()).toEqual(cut)

    // A colleague has the same draft, and rows of their own.
    const mine = process.env['DATABASE_URL']
    process.env['DATABASE_URL'] =
      name === 'sqlite' ? `file:${join(path('storage'), 'theirs.sqlite')}` : await freshDatabase()
    await ok('migrate', 'deploy')
    await ask(rows)
    await stands(found, 'migrate')
    await stands(['Not saved', ...found], 'migrate', 'save', 'cut')
    expect(await ok('migrate', 'save', 'cut', '--accept-data-loss')).toContain(found[0])
    await stands(['_cut:\n', ...found], 'migrate')
    await stands(
      ['_cut:\n', 'svc migrate deploy --accept-data-loss', ...found],
      'migrate',
      'deploy',
    )
    const production = await npmRunMigrate()
    expect([production.code, production.errors]).toEqual([
      1,
      expect.stringMatching(/max 5: 1 row\n[^]*is no date: 1 row\n[^]*npm run migrate -- --accept/),
    ])
    expect(await values()).toEqual(kept)
    expect(await npmRunMigrate('--accept-data-loss')).toMatchObject({
      code: 0,
      out: expect.stringContaining('loss accepted: things.word is no text max 5: 1 row;'),
    })
    expect(await values()).toEqual(cut)

    // The dropped column was reviewed, but a developer is asked before it is gone here.
    things(fieldsAfter.replace(', more: text().nullable()', ''))
    await ok('generate', '--no-compile')
    await ok('migrate', 'save', 'less', '--accept-data-loss')
    const dropping = await run('migrate')
    expect([dropping.code, dropping.out]).toEqual([
      1,
      expect.stringMatching(/Migration '\d+_less' would drop data[^]*\n {2}things.more: 1 value\n/),
    ])
    expect(await ok('migrate', '--accept-data-loss')).toContain('  things.more: 1 value\n')
    process.env['DATABASE_URL'] = mine
    expect(await ok('migrate', 'deploy')).toMatch(/_cut applied\nmigration \d+_less applied\n$/)
  })
})
