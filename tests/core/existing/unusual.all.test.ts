import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { databases } from '../../support/databases.js'
import { contents, existing, served } from './project.js'

const keyOf = (database: string) =>
  database === 'sqlite' ? 'INTEGER PRIMARY KEY' : 'SERIAL PRIMARY KEY'

test.each(databases)('a pivot table of two words is a relation on %s', async (database) => {
  const key = keyOf(database)
  const from = await existing(
    database,
    `CREATE TABLE "Orders" ("OrderID" ${key}, "ShipName" varchar(40));
     CREATE TABLE "Products" ("ProductID" ${key}, "ProductName" varchar(40));
     CREATE TABLE "Order Details" ("OrderID" integer NOT NULL REFERENCES "Orders", "ProductID" integer NOT NULL REFERENCES "Products",
       "Quantity" integer NOT NULL DEFAULT 1, PRIMARY KEY ("OrderID", "ProductID"));
     INSERT INTO "Orders" ("ShipName") VALUES ('Vins'); INSERT INTO "Products" ("ProductName") VALUES ('Chai'), ('Chang');
     INSERT INTO "Order Details" VALUES (1, 1, 12);`,
  )
  const { ask } = await served(from)
  const attached = await ask('POST', '/api/svc/orders/1/attach/products', {
    products: ['2'],
    Quantity: 7,
  })
  expect(attached.status, JSON.stringify(attached.body)).toBe(201)
  const { body } = await ask('GET', '/api/svc/orders/1?include=products')
  expect(body.data.relationships.products.map((each: { pivots: object }) => each.pivots)).toEqual([
    { Quantity: 7 },
    { Quantity: 12 },
  ])
  expect((await ask('POST', '/api/svc/orders/1/detach/products', { products: ['1'] })).status).toBe(
    204,
  )
  expect(await from.rows('SELECT "ProductID" AS id FROM "Order Details"')).toEqual([{ id: 2 }])
})

test.each(databases)(
  'values that no answer can show are left alone on %s, and said',
  async (database) => {
    const isSqlite = database === 'sqlite'
    const infinite = isSqlite ? '9e999' : `'Infinity'`
    const from = await existing(
      database,
      `CREATE TABLE t (id ${keyOf(database)}, least bigint, ratio ${isSqlite ? 'real' : 'double precision'}, amount numeric(8,2), until timestamp, plain integer);
     INSERT INTO t (least, ratio, plain) VALUES (-9223372036854775808, ${infinite}, 1);
     ${isSqlite ? '' : `INSERT INTO t (amount, until) VALUES ('NaN', 'infinity');`}`,
    )
    const { said, ask } = await served(from)
    const odd = isSqlite
      ? [['ratio', 'Infinity']]
      : [
          ['ratio', 'Infinity'],
          ['amount', 'NaN'],
          ['until', 'infinity'],
        ]
    for (const [name, value] of odd) {
      expect(said.out).toContain(`  t.${name}: it holds ${value}, which no answer can show\n`)
    }
    const { body } = await ask('GET', '/api/svc/ts/1')
    expect(body.data.attributes).toMatchObject({ plain: 1, least: '-9223372036854775808' })
  },
)

test.each(databases)(
  'a key that nothing counts up is named by who makes a record on %s',
  async (database) => {
    const from = await existing(
      database,
      `CREATE TABLE t (id INT NOT NULL PRIMARY KEY, name varchar(9)); INSERT INTO t VALUES (5, 'a');
     CREATE TABLE other (id INT PRIMARY KEY, name varchar(9)); INSERT INTO other VALUES (6, 'b');`,
    )
    const { said, ask } = await served(from)
    expect((await ask('POST', '/api/svc/ts', { name: 'b' })).status).toBe(422)
    expect((await ask('POST', '/api/svc/ts', { id: 5, name: 'b' })).body.errors).toHaveProperty(
      'id',
    )
    expect((await ask('POST', '/api/svc/ts', { id: 7, name: 'b' })).body.data.id).toBe('7')
    expect((await ask('PATCH', '/api/svc/ts/5', { name: 'b' })).status).toBe(200)
    // SQLite would take NULL for a key, and the record could never be asked for.
    if (database === 'sqlite')
      expect(said.out).toContain(`  other: its key 'id' may be NULL, and nothing counts it up`)
    else expect((await ask('POST', '/api/svc/others', { id: 1 })).status).toBe(201)
  },
)

test.each(databases)(
  'what a trigger of its own refuses on %s is 422, and no word of other records',
  async (database) => {
    const trigger =
      database === 'sqlite'
        ? ['UPDATE', 'DELETE', 'INSERT']
            .map(
              (event) =>
                `CREATE TRIGGER no_${event} BEFORE ${event} ON t BEGIN SELECT RAISE(ABORT, 'frozen') WHERE ${event === 'INSERT' ? 'new' : 'old'}.n > 5; END;`,
            )
            .join('\n')
        : `CREATE FUNCTION no() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
           IF TG_OP = 'INSERT' THEN IF NEW.n > 5 THEN RAISE EXCEPTION 'frozen'; END IF; RETURN NEW; END IF;
           IF OLD.n > 5 THEN RAISE EXCEPTION 'frozen'; END IF; RETURN OLD; END $$;
         CREATE TRIGGER no BEFORE INSERT OR UPDATE OR DELETE ON t FOR EACH ROW EXECUTE FUNCTION no();`
    const from = await existing(
      database,
      `CREATE TABLE p (id ${keyOf(database)}, name varchar(9)); INSERT INTO p (name) VALUES ('p');
     CREATE TABLE t (id ${keyOf(database)}, n integer NOT NULL, p_id integer REFERENCES p (id));
     INSERT INTO t (n) VALUES (9); ${trigger}`,
    )
    const { ask } = await served(from)
    for (const [method, path, body] of [
      ['POST', 'ts', { n: 7, p_id: '1' }],
      ['PATCH', 'ts/1', { p_id: '1' }],
      ['DELETE', 'ts/1', undefined],
    ] as const) {
      const answer = await ask(method, `/api/svc/${path}`, body)
      expect([answer.status, answer.body], method).toEqual([
        422,
        { message: 'The given data was invalid.' },
      ])
    }
  },
)

test.each(databases)(
  'what a CHECK of its own refuses on %s is 422 with its field',
  async (database) => {
    const from = await existing(
      database,
      `CREATE TABLE t (id ${keyOf(database)}, "Code" text CHECK (length("Code") <= 5), a integer, b integer, n integer,
       CONSTRAINT "in order" CHECK (a < b OR (a = 9)), CHECK (n <> 7));`,
    )
    const { ask } = await served(from)
    const refused = async (body: object) => {
      const answer = await ask('POST', '/api/svc/ts', body)
      return [answer.status, Object.keys(answer.body.errors ?? {})]
    }
    const code = Object.keys((await ask('POST', '/api/svc/ts', {})).body.data.attributes)[0] ?? ''
    expect(await refused({ [code]: 'longer' })).toEqual([422, [code]])
    expect(await refused({ n: 7 })).toEqual([422, ['n']])
    expect(await refused({ a: 2, b: 1 })).toEqual([422, ['a', 'b']])
    expect((await ask('POST', '/api/svc/ts', { a: 1, b: 2, n: 1 })).status).toBe(201)
  },
)

test('what a PostgreSQL schema is made of is there elsewhere: types of parts, ranges, columns worked out when read', async () => {
  const from = await existing(
    'postgresql',
    `CREATE TYPE place AS (street text, nr integer); CREATE TYPE span AS RANGE (SUBTYPE = time);
     CREATE TABLE t (id serial PRIMARY KEY, at place, open span, n integer, code varchar(9), note text, twice integer GENERATED ALWAYS AS (n * 2) VIRTUAL);
     CREATE UNIQUE INDEX by_code ON t (code) INCLUDE (note);`,
  )
  const { root, ask } = await served(from)
  const text = readFileSync(join(root, 'manifest/ts.ts'), 'utf8')
  expect(text).toContain('code: text().max(9).nullable().unique(),')
  expect(text).not.toContain('unique: [')
  const made = await ask('POST', '/api/svc/ts', { n: 4, code: 'a' })
  expect(made.body.data.attributes).toMatchObject({ n: 4, twice: 8 })
  expect((await ask('POST', '/api/svc/ts', { code: 'a' })).status).toBe(422)
  const baseline = readFileSync(
    join(root, 'prisma/migrations/19700101000000_baseline/migration.sql'),
    'utf8',
  )
  const elsewhere = await existing('postgresql', baseline)
  expect((await contents(elsewhere)).schema).toEqual((await contents(from)).schema)
})

test('on sqlite, no name of a table or a column keeps a database from being read', async () => {
  const from = await existing(
    'sqlite',
    `CREATE TABLE users (id integer primary key, "" text, "price$1" integer, name text); CREATE TABLE new_users (id integer primary key);
     INSERT INTO users ("price$1") VALUES (3);`,
  )
  const { said, ask } = await served(from)
  expect(said.out).toContain('  users.: its name cannot be written in a migration\n')
  expect(said.out).toContain(`  new_users: SQLite needs that name to rebuild 'users'\n`)
  const { body } = await ask('GET', '/api/svc/users/1')
  expect(body.data.attributes).toEqual({ price_1: 3, name: null })
})

test('what looks like a secret is left alone, whoever named it', async () => {
  const from = await existing(
    'sqlite',
    `CREATE TABLE t (id integer primary key, user_pass text, "userPass" text, api_key text, "PrivateKey" text, passphrase text, compass text, passenger text, keynote text);
     INSERT INTO t (user_pass, compass) VALUES ('$P$B', 'north');`,
  )
  const { said, ask } = await served(from)
  for (const name of ['user_pass', 'userPass', 'api_key', 'PrivateKey', 'passphrase']) {
    expect(said.out).toContain(`  t.${name}: it looks like a secret\n`)
  }
  const { body } = await ask('GET', '/api/svc/ts/1')
  expect(body.data.attributes).toEqual({ compass: 'north', passenger: null, keynote: null })
})
