/** After `svc init`, the manifest and the database agree: what a field says from now on, the database takes. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { toldOn } from '../../support/databases.js'
import { existing, served } from './project.js'

const table = (column: string) =>
  `CREATE TABLE t (id serial primary key, n integer NOT NULL, ${column});`
const inserted = `INSERT INTO t (n) VALUES (1);`

const cases = [
  {
    what: 'another option of a select with a CHECK',
    sql: table(`x text NOT NULL CHECK (x IN ('a', 'b'))`),
    change: [`select(['a', 'b'])`, `select(['a', 'b', 'c'])`],
    value: 'c',
    refused: `INSERT INTO t (n, x) VALUES (1, 'd')`,
  },
  {
    what: 'another option of a select with an enum type',
    sql: `CREATE TYPE k AS ENUM ('a', 'b'); ${table('x k NOT NULL')}`,
    change: [`select(['a', 'b'])`, `select(['a', 'b', 'c'])`],
    value: 'c',
    refused: `INSERT INTO t (n, x) VALUES (1, 'd')`,
  },
  {
    what: 'other options of a select with an enum type',
    sql: `CREATE TYPE k AS ENUM ('a', 'b'); ${table('x k NOT NULL')} INSERT INTO t (n, x) VALUES (1, 'a');`,
    change: [`select(['a', 'b'])`, `select(['a', 'd'])`],
    value: 'd',
  },
  {
    what: 'text instead of an enum type',
    sql: `CREATE TYPE k AS ENUM ('a', 'b'); ${table('x k NOT NULL')} INSERT INTO t (n, x) VALUES (1, 'a');`,
    change: [`select(['a', 'b']).enumType('k')`, `text()`],
    value: 'word',
  },
  {
    what: 'text instead of words in a CHECK',
    sql: table(`x text NOT NULL CHECK (x IN ('a', 'b'))`),
    change: [`select(['a', 'b'])`, `text()`],
    value: 'word',
  },
  {
    what: 'a longer text',
    sql: table('x varchar(5) NOT NULL'),
    change: ['max(5)', 'max(50)'],
    value: 'more than five',
    refused: `INSERT INTO t (n, x) VALUES (1, repeat('x', 51))`,
  },
  {
    what: 'what was worked out',
    sql: `${table('x integer GENERATED ALWAYS AS (n * 2) STORED')} ${inserted}`,
    change: ['.generated()', ''],
    value: 7,
  },
  {
    what: 'what was counted',
    sql: `${table('x integer GENERATED ALWAYS AS IDENTITY')} ${inserted}`,
    change: ['.generated()', ''],
    value: 7,
  },
] as const

test.each(toldOn('postgresql').flatMap(() => cases))(
  'on postgresql, $what is taken by the database too',
  async ({ sql, change: [from, to], value, ...more }) => {
    const db = await existing('postgresql', sql)
    const before = await db.rows('SELECT * FROM t')
    const { ask, run } = await served(db, {
      'manifest/ts.ts': (text) => {
        expect(text).toContain(from)
        const names = /import \{ (.*) \}/.exec(text)?.[1] ?? ''
        const all = [...new Set([...names.split(', '), 'text'])].join(', ')
        return text.replace(names, all).replace(from, to)
      },
    })
    const { code, out, errors } = await run('migrate')
    expect(code, out + errors).toBe(0)
    expect(await db.rows('SELECT * FROM t')).toEqual(before)
    const made = await ask('POST', '/api/svc/ts', { n: 1, x: value })
    expect(made).toMatchObject({ status: 201, body: { data: { attributes: { x: value } } } })
    if ('refused' in more) await expect(db.rows(more.refused)).rejects.toThrow()
    expect((await run('generate', '--check')).code).toBe(0)
  },
)

test('on postgresql, a view that reads a column whose type changes is named, with what lets it through', async () => {
  const view = 'CREATE VIEW v AS SELECT x FROM t'
  const db = await existing('postgresql', `${table('x numeric(6, 2) NOT NULL')} ${view};`)
  const { root, run } = await served(db, {
    'manifest/ts.ts': (text) => text.replace('decimal(6, 2)', 'decimal(8, 2)'),
  })
  const stopped = await run('migrate')
  expect([stopped.code, stopped.errors]).toEqual([
    1,
    expect.stringContaining('rule _RETURN on view v depends on column "x"'),
  ])
  const [, drop = ''] = /Write (DROP VIEW .*?;)/.exec(stopped.errors) ?? []
  const draft = join(root, 'prisma/migrations/draft.sql')
  writeFileSync(draft, `${drop}\n${readFileSync(draft, 'utf8')}\n${view};\n`)
  const { code, out, errors } = await run('migrate')
  expect(code, out + errors).toBe(0)
  await db.rows(`INSERT INTO t (n, x) VALUES (1, 123456.12)`)
  expect(await db.rows('SELECT x::text FROM v')).toEqual([{ x: '123456.12' }])
})
