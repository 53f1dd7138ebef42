import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { toldOn } from '../../support/databases.js'
import { linkModules } from '../../support/project.js'
import { scriptsShareAProcess } from '../../support/resident.js'
import { emptyFolder, svc } from '../cli/project.js'
import { existing, type Existing } from './project.js'

scriptsShareAProcess()

async function projectOn(from: Existing) {
  const root = emptyFolder()
  const { code, errors } = await svc(root, 'init', '.', '--from', from.url)
  expect(code, errors).toBe(0)
  await linkModules(root)
  process.env['DATABASE_URL'] = from.url
  const edit = (name: string, from: string, to: string) => {
    const path = join(root, 'manifest', name)
    const before = readFileSync(path, 'utf8')
    expect(before).toContain(from)
    writeFileSync(path, before.replace(from, to))
  }
  const passes = async (...line: readonly string[]) => {
    const { code, out, errors } = await svc(root, ...line)
    expect(code, out + errors).toBe(0)
  }
  const migrate = async () => {
    await passes('generate')
    await passes('migrate')
  }
  return { root, edit, passes, migrate }
}

/** Each names the column "Weight (g)" or type, in a way of its own. */
const legacy = `
  CREATE TABLE log (line text, type text);
  CREATE TABLE goods (
    id integer primary key, type text NOT NULL UNIQUE, sku text COLLATE NOCASE UNIQUE, "Weight (g)" integer CHECK ("Weight (g)" > 0),
    "price$1" integer NOT NULL DEFAULT 3, twice integer GENERATED ALWAYS AS ("Weight (g)" * 2) VIRTUAL, s varchar(20),
    UNIQUE ("Weight (g)", s));
  CREATE TABLE parts (id integer primary key, "goods type" text REFERENCES goods (type), n integer);
  CREATE INDEX heavy ON goods ("Weight (g)") WHERE type <> 'type';
  CREATE INDEX falling ON goods ("Weight (g)" DESC);
  CREATE UNIQUE INDEX lower_type ON goods (lower(type));
  CREATE TRIGGER goods_changed AFTER UPDATE OF type, "Weight (g)" ON goods BEGIN INSERT INTO log (type) VALUES (new.type || ' of ' || old."Weight (g)"); END;
  INSERT INTO goods (type, sku, "Weight (g)", "price$1", s) VALUES ('t', 'A1', 5, 7, 's');
  INSERT INTO parts ("goods type", n) VALUES ('t', 1);`

describe.each(['in one draft', 'one after the other'])(
  'on sqlite, a column renamed and a table built anew, %s',
  (how) => {
    test('keep every index, check and trigger that names it', async () => {
      const from = await existing('sqlite', legacy)
      const { edit, migrate, passes } = await projectOn(from)
      edit('goods.ts', `.column('Weight (g)')`, `.column('Weight (kg)')`)
      edit('goods.ts', 'type: text().unique()', `type: text().column('the type').unique()`)
      if (how === 'one after the other') {
        await migrate()
        await passes('migrate', 'save', 'names')
      }
      edit('goods.ts', 's: text().max(20).nullable()', `s: text().max(20).nullable().default('q')`)
      edit('parts.ts', 'n: integer().nullable()', 'n: integer().nullable().default(4)')
      await migrate()
      expect(await from.rows('SELECT * FROM goods')).toEqual([
        { id: 1, 'the type': 't', sku: 'A1', 'Weight (kg)': 5, price$1: 7, twice: 10, s: 's' },
      ])
      const made = await from.rows(`SELECT name, sql FROM sqlite_master WHERE tbl_name = 'goods'`)
      const textOf = (name: string) => String(made.find((row) => row['name'] === name)?.['sql'])
      expect(textOf('heavy')).toMatch(/\("Weight \(kg\)"\) WHERE "the type" <> 'type'$/)
      expect(textOf('falling')).toMatch(/\("Weight \(kg\)" DESC\)$/)
      expect(textOf('lower_type')).toMatch(/\(lower\("the type"\)\)$/)
      const insert = (values: string) =>
        from.rows(
          `INSERT INTO goods ("the type", sku, "Weight (kg)", s) VALUES (${values}) RETURNING id, "price$1" AS price`,
        )
      await expect(insert(`'t', 'B', 6, 'x'`)).rejects.toThrow('UNIQUE')
      await expect(insert(`'u', 'a1', 6, 'x'`)).rejects.toThrow('UNIQUE')
      await expect(insert(`'u', 'B', 5, 's'`)).rejects.toThrow('UNIQUE')
      await expect(insert(`'u', 'B', 0, 'x'`)).rejects.toThrow('CHECK')
      expect(await insert(`'u', 'B', 6, 'x'`)).toEqual([{ id: 2, price: 3 }])
      await from.rows(`UPDATE goods SET "the type" = 'v' WHERE id = 2 RETURNING id`)
      expect(await from.rows('SELECT type FROM log')).toEqual([{ type: 'v of 6' }])
      await expect(
        from.rows(`INSERT INTO parts ("goods type") VALUES ('none') RETURNING id`),
      ).rejects.toThrow('FOREIGN KEY')
      await passes('migrate', 'save', 'last')
      process.env['DATABASE_URL'] = `file:${join(emptyFolder(), 'new.sqlite')}`
      await passes('migrate')
    })
  },
)

test.each(toldOn('postgresql'))(
  'a key whose names the database chose is renamed on %s',
  async (database) => {
    const key = database === 'sqlite' ? 'integer primary key' : 'serial primary key'
    const from = await existing(
      database,
      `CREATE TABLE users (id ${key}, "E-Mail" varchar(80) NOT NULL, nick varchar(80) NOT NULL, CONSTRAINT one_nick UNIQUE (nick));
     CREATE UNIQUE INDEX index_users_on_email ON users ("E-Mail");
     CREATE TABLE posts (id ${key}, author_id integer NOT NULL, CONSTRAINT fk_rails_1 FOREIGN KEY (author_id) REFERENCES users (id));
     INSERT INTO users ("E-Mail", nick) VALUES ('a@x.y', 'a'); INSERT INTO posts (author_id) VALUES (1);`,
    )
    const { edit, migrate, passes } = await projectOn(from)
    edit('users.ts', `.column('E-Mail')`, `.column('mail')`)
    edit('users.ts', 'nick: text().max(80)', `nick: text().max(80).column('Nick')`)
    edit('posts.ts', `foreignKey: 'author_id'`, `foreignKey: 'author_id', column: 'Written by'`)
    await migrate()
    expect(
      await from.rows(
        'SELECT mail, "Nick", "Written by" AS by FROM users JOIN posts ON "Written by" = users.id',
      ),
    ).toEqual([{ mail: 'a@x.y', Nick: 'a', by: 1 }])
    for (const values of [`'a@x.y', 'b'`, `'b@x.y', 'a'`]) {
      await expect(
        from.rows(`INSERT INTO users (mail, "Nick") VALUES (${values}) RETURNING id`),
      ).rejects.toThrow(/unique/i)
    }
    await passes('migrate', 'save', 'names')
    // Objects of svc have names of their own, which are renamed too.
    edit('posts.ts', 'fields: {', `fields: {\n    word: text().max(9).nullable().unique(),`)
    edit('posts.ts', 'repository }', 'repository, text }')
    await migrate()
    edit('posts.ts', '.nullable().unique()', `.nullable().unique().column('the word')`)
    await migrate()
    const names =
      database === 'sqlite'
        ? `SELECT name FROM sqlite_master WHERE name LIKE 'posts_%'`
        : `SELECT indexname AS name FROM pg_indexes WHERE indexname LIKE 'posts_%word%'`
    expect(await from.rows(names)).toEqual([{ name: 'posts_the word_key' }])
  },
)
