/** SQLite changes most columns by building their table anew, and forgets with the old one what Prisma's schema does not say. */
import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { users } from '../../support/own-manifest.js'
import { liveProject } from './live-project.js'
import { query } from './query.js'

const now = `'2026-01-01T00:00:00.000+00:00'`

describe('a table that SQLite builds anew', () => {
  const { path, run, ok, manifest } = liveProject('sqlite')
  const things = (fields: string) =>
    manifest(`${users} things: repository({ fields: { ${fields} } }),`)
  const ask = (sql: string) => query('sqlite', process.env['DATABASE_URL'] ?? '', sql)
  const insert = async (word: string) => {
    await ask(`INSERT INTO things (word, n, updated_at) VALUES ('${word}', 1, ${now})`)
    const [{ id }] = (await ask('SELECT max(id) AS id FROM things')) as [{ id: number }]
    return id
  }
  const objects = async () => {
    const found = await ask(
      `SELECT name FROM sqlite_master WHERE type IN ('index', 'trigger', 'view') AND name NOT LIKE 'sqlite%' ORDER BY 1`,
    )
    return found.map((row) => (row as { name: string }).name)
  }

  async function start() {
    things('word: text(), n: integer().nullable()')
    await ok('generate', '--no-compile')
    await ok('migrate', 'save', 'init')
    await ok('migrate')
  }
  async function change() {
    things('word: text(), n: integer().default(7)')
    await ok('generate', '--no-compile')
  }

  test('gives no id a second time', async () => {
    await start()
    await insert('a')
    await insert('b')
    await ask('DELETE FROM things')
    await change()
    await ok('migrate')
    expect(await insert('c')).toBe(3)
    await ask('DELETE FROM things')
    await ok('migrate', 'save', 'seven')
    things('word: text(), n: integer()')
    await ok('generate', '--no-compile')
    await ok('migrate')
    expect(await insert('d')).toBe(4)
  })

  test('keeps indexes, triggers and views that somebody made beside the migrations', async () => {
    await start()
    const before = await objects()
    for (const sql of [
      'CREATE TABLE log (word TEXT)',
      'CREATE INDEX by_word ON things(word)',
      'CREATE INDEX word ON things(word) WHERE n > 3',
      'CREATE TRIGGER logging AFTER INSERT ON things BEGIN INSERT INTO log VALUES (new.word); END',
      'CREATE VIEW words AS SELECT word FROM things',
    ])
      await ask(sql)
    await change()
    await ok('migrate')
    expect(await objects()).toEqual([...before, 'by_word', 'logging', 'word', 'words'].toSorted())
    await insert('c')
    expect(await ask('SELECT * FROM log')).toEqual([{ word: 'c' }])
  })

  test('keeps what its owner wrote into a migration', async () => {
    things('word: text(), n: integer().nullable()')
    await ok('generate', '--no-compile')
    const draft = path('prisma/migrations/draft.sql')
    const written =
      '"word" VARCHAR(5) NOT NULL COLLATE NOCASE CONSTRAINT a_word CHECK (word <> \'\'),'
    const text = readFileSync(draft, 'utf8').replace('"word" TEXT NOT NULL,', written)
    expect(text).toContain(written)
    writeFileSync(draft, `${text}\nCREATE INDEX mine ON things(n, word);\n`)
    await ok('migrate', 'save', 'init')
    await ok('migrate')
    await change()
    await ok('migrate')
    await insert('Word')
    expect(await ask(`SELECT id FROM things WHERE word = 'wORD'`)).toEqual([{ id: 1 }])
    expect(await ask(`SELECT type FROM pragma_table_info('things') WHERE name = 'word'`)).toEqual([
      { type: 'VARCHAR(5)' },
    ])
    expect(await objects()).toContain('mine')
    await expect(insert('')).rejects.toThrow('CHECK constraint failed: a_word')
  })

  test.each([
    ['index', 'CREATE INDEX by_n ON things(n)', "index 'by_n' of 'things'"],
    [
      'trigger',
      'CREATE TRIGGER t AFTER INSERT ON things BEGIN SELECT new.n; END',
      "trigger 't' of 'things'",
    ],
    [
      'trigger of another table',
      'CREATE TRIGGER t AFTER INSERT ON users BEGIN UPDATE things SET n = 1; END',
      "trigger 't' of 'users'",
    ],
    ['view', 'CREATE VIEW t AS SELECT n FROM things', "view 't'"],
  ])(
    'is refused where a column that goes is read by a %s, which is named with the way out',
    async (_, sql, named) => {
      await start()
      await ask(sql)
      await insert('a')
      things('word: text().nullable()')
      await ok('generate', '--no-compile')
      const before = await ask('SELECT * FROM things')
      const { code, errors, out } = await run('migrate', '--accept-data-loss')
      expect([code, errors + out]).toEqual([
        1,
        expect.stringContaining(`It would break the ${named}: `),
      ])
      expect(await ask('SELECT * FROM things')).toEqual(before)
      const [, drop = ''] = /write (DROP .*?;)/.exec(errors + out) ?? []
      const draft = path('prisma/migrations/draft.sql')
      writeFileSync(draft, `${drop}\n${readFileSync(draft, 'utf8')}`)
      await ok('migrate', '--accept-data-loss')
      expect(await ask('SELECT word FROM things')).toEqual([{ word: 'a' }])
    },
  )

  test('loses the indexes that the manifest takes back in the same change', async () => {
    manifest(
      `${users} things: repository({ indexes: [['word', 'n']], fields: { word: text().unique(), n: integer().nullable() } }),`,
    )
    await ok('generate', '--no-compile')
    await ok('migrate', 'save', 'init')
    await ok('migrate')
    const before = await objects()
    await change()
    await ok('migrate')
    expect(before.filter((name) => name.startsWith('things_'))).toEqual([
      'things_word_key',
      'things_word_n_idx',
    ])
    expect((await objects()).filter((name) => name.startsWith('things_'))).toEqual([])
  })
})
