import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { databases } from '../../support/databases.js'
import { linkModules } from '../../support/project.js'
import { scriptsShareAProcess } from '../../support/resident.js'
import { emptyFolder, svc } from '../cli/project.js'
import { existing, type Existing } from './project.js'

scriptsShareAProcess()

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

  test.each([
    ['never again', 'id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT', [1, 3]],
    ['never again', 'id INTEGER, name TEXT, PRIMARY KEY ("id" AUTOINCREMENT)', [1, 3]],
    ['again', 'id INTEGER PRIMARY KEY, name TEXT', [1, 2]],
    ['again', "id INTEGER, name TEXT, CHECK (name <> 'AUTOINCREMENT'), PRIMARY KEY (id)", [1, 2]],
  ])('gives ids of deleted rows %s where it did so: %s', async (_, body, ids) => {
    const from = await existing(
      'sqlite',
      `CREATE TABLE t (${body});
       INSERT INTO t (name) VALUES ('a'), ('b');
       DELETE FROM t WHERE id = 2;`,
    )
    const { root, migrate } = await projectOn(from)
    await migrate('ts.ts', 'name: textarea().nullable()', `name: textarea().default('a')`)
    expect(readFileSync(join(root, 'prisma/migrations/draft.sql'), 'utf8')).toContain('"new_t"')
    await from.rows(`INSERT INTO t (name) VALUES ('c') RETURNING id`)
    expect((await from.rows('SELECT id FROM t ORDER BY id')).map(({ id }) => id)).toEqual(ids)
    // A second time, from a saved migration.
    expect((await svc(root, 'migrate', 'save', 'first')).code).toBe(0)
    await from.rows(`DELETE FROM t WHERE name = 'c' RETURNING id`)
    await migrate('ts.ts', `.default('a')`, `.default('b')`)
    const [last] = await from.rows(`INSERT INTO t (name) VALUES ('d') RETURNING id`)
    expect(last).toEqual({ id: ids[1] === 2 ? 2 : 4 })
  })

  test('keeps what its foreign keys do and when they are checked', async () => {
    const from = await existing(
      'sqlite',
      `CREATE TABLE p (id INTEGER PRIMARY KEY, code TEXT UNIQUE, UNIQUE (id, code));
       CREATE TABLE t (
         id INTEGER PRIMARY KEY,
         p_id INTEGER NOT NULL REFERENCES p (id) ON UPDATE RESTRICT DEFERRABLE INITIALLY DEFERRED,
         q_id INTEGER CONSTRAINT mine REFERENCES p (id) ON DELETE SET NULL NOT DEFERRABLE INITIALLY DEFERRED,
         r_id INTEGER, p_code TEXT, name TEXT,
         FOREIGN KEY ([r_id]) REFERENCES p (id) ON UPDATE SET NULL ON DELETE CASCADE,
         FOREIGN KEY (p_id, p_code) REFERENCES p (id, code) DEFERRABLE INITIALLY DEFERRED);
       INSERT INTO p VALUES (1, 'p');
       INSERT INTO t VALUES (1, 1, 1, 1, 'p', 'a');`,
    )
    const { root, migrate } = await projectOn(from)
    const keys = () =>
      from.rows(
        `SELECT "from", "to", on_update, on_delete FROM pragma_foreign_key_list('t') ORDER BY 1, 2`,
      )
    const deferred = async () => {
      const [{ sql } = {}] = await from.rows(`SELECT sql FROM sqlite_master WHERE name = 't'`)
      return String(sql).match(/(?<!NOT )DEFERRABLE INITIALLY DEFERRED/g)?.length
    }
    const had = [await keys(), await deferred()] as const
    expect(had[1]).toBe(2)
    await migrate('ts.ts', 'name: textarea().nullable()', `name: textarea().default('a')`)
    expect(readFileSync(join(root, 'prisma/migrations/draft.sql'), 'utf8')).toContain('"new_t"')
    expect([await keys(), await deferred()]).toEqual(had)
    // The manifest has the last word of what it says.
    await migrate('ts.ts', `foreignKey: 'p_id'`, `foreignKey: 'p_id', onDelete: 'cascade'`)
    const cascading = had[0].map((each) =>
      each['from'] === 'p_id' && each['on_update'] === 'RESTRICT'
        ? { ...each, on_delete: 'CASCADE' }
        : each,
    )
    expect([await keys(), await deferred()]).toEqual([cascading, 2])
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

  test('keeps the words of its columns, the names of its indexes and its last id', async () => {
    const from = await existing(
      'sqlite',
      `CREATE TABLE t (
         id INTEGER PRIMARY KEY AUTOINCREMENT,
         code VARCHAR(5) NOT NULL CHECK (length(code) < 6),
         at DATETIME,
         kind TEXT NOT NULL CHECK (kind IN ('a', 'b')),
         n INT,
         big UNSIGNED BIG INT,
         price NUMERIC(10,2),
         word CHARACTER(20) COLLATE NOCASE,
         CONSTRAINT "long enough" CHECK (length(code) > 1));
       CREATE UNIQUE INDEX my_code ON t (code);
       CREATE INDEX by_kind_n ON t (kind, n);
       CREATE INDEX by_part ON t (n) WHERE n > 3;
       INSERT INTO t (code, kind, n, price) VALUES ('abc', 'a', 1, 1.5), ('abd', 'b', 2, 2);
       DELETE FROM t WHERE id = 2;`,
    )
    const { root, migrate } = await projectOn(from)
    const indexes = () =>
      from.rows(`SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = 't' ORDER BY 1`)
    const types = () => from.rows(`SELECT name, type FROM pragma_table_info('t')`)
    const had = [await indexes(), await types()]
    await migrate('ts.ts', 'big: bigInteger().nullable()', 'big: bigInteger().default(3)')
    expect([await indexes(), await types()]).toEqual(had)
    const insert = (values: string) =>
      from.rows(`INSERT INTO t (code, kind, word) VALUES (${values}) RETURNING id`)
    await expect(insert(`'abcdefg', 'a', 'x'`)).rejects.toThrow('CHECK')
    await expect(insert(`'a', 'a', 'x'`)).rejects.toThrow('CHECK constraint failed: long enough')
    await expect(insert(`'xyz', 'c', 'x'`)).rejects.toThrow('CHECK')
    expect(await insert(`'xyz', 'b', 'Word'`)).toEqual([{ id: 3 }])
    expect(await from.rows(`SELECT id FROM t WHERE word = 'WORD'`)).toEqual([{ id: 3 }])

    // Once saved: the other words of the select are words of the CHECK too.
    expect((await svc(root, 'migrate', 'save', 'first')).code).toBe(0)
    await migrate('ts.ts', `select(['a', 'b'])`, `select(['a', 'b', 'c'])`)
    expect([await indexes(), await types()]).toEqual(had)
    await insert(`'xyy', 'c', 'x'`)
    await expect(insert(`'xyw', 'd', 'x'`)).rejects.toThrow('CHECK')
    await migrate('ts.ts', `code: text().max(5).unique()`, `code: text().max(5)`)
    expect(await indexes()).toEqual([{ name: 'by_kind_n' }, { name: 'by_part' }])
  })

  test('says what does not stay, before it goes', async () => {
    const from = await existing(
      'sqlite',
      `CREATE TABLE t (id INTEGER PRIMARY KEY, code TEXT NOT NULL UNIQUE, n INT CHECK (n > 0), kind TEXT CHECK (kind IN ('a', 'b')));
       CREATE INDEX by_n ON t (n, code);
       CREATE INDEX positive ON t (code) WHERE n > 3;
       CREATE TRIGGER made AFTER INSERT ON t WHEN new.n > 3 BEGIN SELECT 1; END;
       INSERT INTO t VALUES (1, 'c', 2, 'a');`,
    )
    const { root, text } = await projectOn(from)
    const file = join(root, 'manifest/ts.ts')
    const changed = text('ts.ts')
      .replace(/\n +n: .*/, '')
      .replace(/kind: select\(.*?\)/, 'kind: text()')
    writeFileSync(file, changed.replace('select, ', ''))
    const made = await svc(root, 'generate', '--no-compile')
    expect(made.code, made.errors).toBe(0)
    for (const said of [
      "leaves out the index 'by_n' of 't', which names 'n'",
      "leaves out the index 'positive' of 't', which names 'n'",
      "leaves out the trigger 'made' of 't', which names 'n'",
      "leaves out CHECK (n > 0) of 't', which names 'n'",
      "leaves out CHECK (kind IN ('a', 'b')) of 't': it is no select any more",
    ])
      expect(made.out).toContain(said)
    const done = await svc(root, 'migrate', '--accept-data-loss')
    expect(done.code, done.errors + done.out).toBe(0)
    expect(await from.rows('SELECT * FROM t')).toEqual([{ id: 1, code: 'c', kind: 'a' }])
    await expect(from.rows(`INSERT INTO t (code) VALUES ('c') RETURNING id`)).rejects.toThrow(
      'UNIQUE',
    )

    // A key that the table itself declares goes with it.
    writeFileSync(file, readFileSync(file, 'utf8').replace('.unique()', ''))
    expect((await svc(root, 'generate', '--no-compile')).code).toBe(0)
    const last = await svc(root, 'migrate', '--accept-data-loss')
    expect(last.code, last.errors + last.out).toBe(0)
    expect(await from.rows(`INSERT INTO t (code) VALUES ('c') RETURNING id`)).toEqual([{ id: 2 }])
  })

  test('says which words of a key no field and no index has', async () => {
    const from = await existing(
      'sqlite',
      `CREATE TABLE t (
         id INTEGER PRIMARY KEY ON CONFLICT REPLACE,
         code TEXT NOT NULL ON CONFLICT IGNORE COLLATE NOCASE,
         name TEXT UNIQUE ON CONFLICT FAIL,
         n INT CHECK (n > 0),
         CONSTRAINT both UNIQUE (code, n) ON CONFLICT ROLLBACK,
         UNIQUE (name COLLATE NOCASE, n))`,
    )
    const { root, text } = await projectOn(from)
    const file = join(root, 'manifest/ts.ts')
    writeFileSync(file, text('ts.ts').replace('n: integer().nullable()', 'n: integer().default(1)'))
    const made = await svc(root, 'generate', '--no-compile')
    expect(made.out.match(/leaves out .*/g), made.out + made.errors).toEqual([
      "leaves out ON CONFLICT REPLACE of 'id' in 't': a write that breaks the rule fails",
      "leaves out ON CONFLICT IGNORE of 'code' in 't': a write that breaks the rule fails",
      "leaves out ON CONFLICT FAIL of 'name' in 't': a write that breaks the rule fails",
      "leaves out ON CONFLICT ROLLBACK of CONSTRAINT both UNIQUE (code, n) in 't': a write that breaks the rule fails",
      "leaves out COLLATE NOCASE of UNIQUE (name COLLATE NOCASE, n) in 't': it compares as its column does",
    ])
    expect((await svc(root, 'migrate')).code).toBe(0)

    // They are gone, and a later change says nothing of them.
    expect((await svc(root, 'migrate', 'save', 'first')).code).toBe(0)
    writeFileSync(file, readFileSync(file, 'utf8').replace('.default(1)', '.default(2)'))
    expect((await svc(root, 'generate', '--no-compile')).out).not.toContain('leaves out')
  })

  test('without a key that the table itself declared, though nothing else changes', async () => {
    const from = await existing(
      'sqlite',
      `CREATE TABLE t (id INTEGER PRIMARY KEY, code TEXT NOT NULL UNIQUE)`,
    )
    const { migrate } = await projectOn(from)
    await migrate('ts.ts', '.unique()', '')
    await from.rows(`INSERT INTO t (code) VALUES ('c'), ('c') RETURNING id`)
  })

  test('is STRICT as before', async () => {
    const from = await existing(
      'sqlite',
      `CREATE TABLE t (id INTEGER PRIMARY KEY, code TEXT NOT NULL, n INT) STRICT`,
    )
    const { root, migrate, text } = await projectOn(from)
    const imports = text('ts.ts').replace('import { ', 'import { boolean, decimal, ')
    writeFileSync(join(root, 'manifest/ts.ts'), imports)
    await migrate(
      'ts.ts',
      'n: integer().nullable()',
      'n: integer().default(1), ok: boolean().default(true), fee: decimal(6, 2).nullable()',
    )
    await from.rows(`INSERT INTO t (code, fee) VALUES ('c', 1.25) RETURNING id`)
    await expect(
      from.rows(`INSERT INTO t (code, n) VALUES ('d', 'x') RETURNING id`),
    ).rejects.toThrow('cannot store TEXT')
  })
})

test.each(databases)(
  'a column that counted the writes of a table goes on counting on %s, and after the table is built anew',
  async (database) => {
    const key = database === 'sqlite' ? 'integer primary key' : 'serial primary key'
    const from = await existing(
      database,
      `CREATE TABLE pages (id ${key}, name varchar(80), lock_version integer NOT NULL DEFAULT 0);
     INSERT INTO pages (name, lock_version) VALUES ('a', 7);`,
    )
    const { migrate } = await projectOn(from)
    const counted = async () => {
      await from.rows(`UPDATE pages SET name = 'b' RETURNING id`)
      return (await from.rows('SELECT lock_version FROM pages')).map((row) => row['lock_version'])
    }
    expect(await counted()).toEqual([7])
    const versioned = "repository({\n  versioned: { column: 'lock_version' },"
    await migrate('pages.ts', 'repository({', versioned)
    expect(await counted()).toEqual([8])
    // SQLite builds the table anew.
    await migrate('pages.ts', 'name: text().max(80).nullable()', 'name: text().max(80)')
    expect(await counted()).toEqual([9])
    await migrate('pages.ts', versioned, 'repository({')
    expect(await counted()).toEqual([9])
  },
)
