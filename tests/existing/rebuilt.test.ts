import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { emptyFolder, svc } from '../cli/project.js'
import { databases } from '../support/databases.js'
import { linkModules } from '../support/project.js'
import { existing, type Existing } from './project.js'

async function projectOn(from: Existing) {
  const root = emptyFolder()
  const { code, out, errors } = await svc(root, 'init', '.', '--from', from.url)
  expect(code, errors).toBe(0)
  await linkModules(root)
  process.env['DATABASE_URL'] = from.url
  const file = (name: string) => join(root, 'manifest', name)
  return {
    root,
    said: out,
    text: (name: string) => readFileSync(file(name), 'utf8'),
    migrate: async (name: string, from: string, to: string) => {
      const before = readFileSync(file(name), 'utf8')
      expect(before).toContain(from)
      writeFileSync(file(name), before.replace(from, to))
      const made = await svc(root, 'generate')
      const { code, out, errors } = await svc(root, 'migrate')
      expect(code, made.errors + out + errors).toBe(0)
      return out
    },
  }
}

test.each(databases)(
  'unique keys of texts and of foreign keys are read on %s',
  async (database) => {
    const key = database === 'sqlite' ? 'integer primary key' : 'serial primary key'
    const from = await existing(
      database,
      `CREATE TABLE p (id ${key}, email text NOT NULL UNIQUE, long text UNIQUE);
     CREATE TABLE c (id ${key}, p_id integer NOT NULL REFERENCES p (id), s varchar(20) NOT NULL, UNIQUE (p_id, s));
     CREATE TABLE a (id ${key}, x text NOT NULL, y text NOT NULL, word text NOT NULL DEFAULT 'w' UNIQUE, UNIQUE (x, y));
     INSERT INTO p (email, long) VALUES ('a@x.y', '${'long'.repeat(200)}');`,
    )
    const { root, said, text } = await projectOn(from)
    expect(text('ps.ts')).toContain('email: text().unique(),')
    expect(text('ps.ts')).toContain('long: textarea().nullable(),')
    expect(text('cs.ts')).toContain(`unique: [['p_id', 's']],`)
    expect(text('as.ts')).toContain(`unique: [['x', 'y']],`)
    const why = 'svc has no word for it; the database refuses what is not unique'
    expect(said).toContain(`  p: unique (long): ${why}\n`)
    expect(said).toContain(`  a: unique (word): ${why}\n`)
    expect((await svc(root, 'generate', '--check')).code).toBe(0)
    expect((await svc(root, 'migrate')).code).toBe(0)
  },
)

/** All that SQLite would forget of a table that is built anew. */
const legacy = `
  CREATE TABLE p (id integer primary key, name text UNIQUE);
  CREATE TABLE log (line text);
  CREATE TABLE c (
    id integer primary key, -- its key, and no more
    p_id integer NOT NULL REFERENCES p (id),
    word text NOT NULL DEFAULT 'w' UNIQUE,
    "odd col" text CHECK ("odd col" <> 'a,b(c'),
    [geo] geometry DEFAULT (1 + 1),
    photo blob,
    empty_key text REFERENCES p(name),
    n integer CHECK (n BETWEEN 1 AND 5),
    twice integer GENERATED ALWAYS AS (n * 2) VIRTUAL,
    at datetime NOT NULL DEFAULT current_timestamp,
    s varchar(20) NOT NULL,
    UNIQUE (p_id, s), UNIQUE ("odd col", s),
    FOREIGN KEY (p_id, "odd col") REFERENCES p (id, name));
  CREATE UNIQUE INDEX some_words ON c (s) WHERE n > 3;
  CREATE INDEX lower_s ON c (lower(s));
  CREATE INDEX by_n ON c (n);
  CREATE TRIGGER c_made AFTER INSERT ON c BEGIN INSERT INTO log VALUES (new.s || '; made'); END;
  CREATE VIEW words AS SELECT s FROM c;
  CREATE UNIQUE INDEX p_both ON p (id, name);
  INSERT INTO p VALUES (1, 'o');
  INSERT INTO c (p_id, word, "odd col", photo, n, s) VALUES (1, 'v', 'o', x'00ff', 4, 's');`

describe('on sqlite, a change that builds a table anew', () => {
  test('keeps what the manifest does not name', async () => {
    const from = await existing('sqlite', legacy)
    const { root, migrate } = await projectOn(from)
    const rows = `SELECT *, twice FROM c`
    const [before] = await from.rows(rows)
    const names = async () => [
      await from.rows(`SELECT name FROM pragma_table_xinfo('c') ORDER BY name`),
      await from.rows(
        `SELECT group_concat(name) AS columns FROM (SELECT l.name AS key, i.name FROM pragma_index_list('c') l, pragma_index_info(l.name) i
           WHERE l."unique" = 1 ORDER BY l.name, i.seqno) GROUP BY key ORDER BY 1`,
      ),
      await from.rows(
        `SELECT "from", "table", "to" FROM pragma_foreign_key_list('c') ORDER BY "table", "from"`,
      ),
      await from.rows(
        `SELECT name FROM sqlite_master WHERE tbl_name = 'c' AND name IN ('some_words', 'lower_s', 'c_made') ORDER BY 1`,
      ),
      await from.rows(
        `SELECT count(*) AS by_n FROM pragma_index_list('c') l, pragma_index_info(l.name) i WHERE i.name = 'n' AND l.partial = 0`,
      ),
    ]
    const had = await names()
    const said = await migrate('cs.ts', 's: text().max(20),', `s: text().max(40).default('q'),`)
    expect(said).toContain('draft migration applied')
    expect(readFileSync(join(root, 'prisma/migrations/draft.sql'), 'utf8')).toContain('"new_c"')
    expect(await from.rows(rows)).toEqual([before])
    expect(await names()).toEqual(had)
    const insert = (values: string) =>
      from.rows(`INSERT INTO c (p_id, word, "odd col", n, s) VALUES (${values}) RETURNING id`)
    await expect(insert(`1, 'v', NULL, 1, 't'`)).rejects.toThrow('UNIQUE')
    await expect(insert(`1, 'x', NULL, 9, 't'`)).rejects.toThrow('CHECK')
    await expect(insert(`1, 'x', 'a,b(c', 1, 't'`)).rejects.toThrow('CHECK')
    await expect(insert(`1, 'x', NULL, 1, 's'`)).rejects.toThrow('UNIQUE')
    expect(await insert(`1, 'x', NULL, 2, 't'`)).toEqual([{ id: 2 }])
    expect(await from.rows('SELECT twice FROM c WHERE id = 2')).toEqual([{ twice: 4 }])
    expect(await from.rows('SELECT line FROM log ORDER BY rowid DESC LIMIT 1')).toEqual([
      { line: 't; made' },
    ])

    // Once saved, elsewhere, and a second time.
    expect((await svc(root, 'migrate', 'save', 'first')).code).toBe(0)
    await migrate('cs.ts', `.default('q')`, `.default('r')`)
    expect(await names()).toEqual(had)
    process.env['DATABASE_URL'] = `file:${join(root, 'new.sqlite')}`
    const elsewhere = await svc(root, 'migrate')
    expect(elsewhere.code, elsewhere.errors).toBe(0)
  })

  test('forgets the checks and indexes of a column that goes, and keeps the others', async () => {
    const beside = legacy.replace(/ +twice .*\n/, '').replace('n > 3', `s <> ''`)
    const from = await existing('sqlite', beside)
    const { root, text } = await projectOn(from)
    writeFileSync(join(root, 'manifest/cs.ts'), text('cs.ts').replace(/\n +n: .*/, ''))
    expect((await svc(root, 'generate')).code).toBe(0)
    const { code, out, errors } = await svc(root, 'migrate', '--accept-data-loss')
    expect(code, out + errors).toBe(0)
    expect(await from.rows('SELECT s, "odd col" FROM c')).toEqual([{ s: 's', 'odd col': 'o' }])
    const [{ sql } = {}] = await from.rows(`SELECT sql FROM sqlite_master WHERE name = 'c'`)
    expect(sql).not.toContain('BETWEEN')
    expect(sql).toContain(`CHECK ("odd col" <> 'a,b(c')`)
  })
})
