/** PostgreSQL says that a value is too long or too large, and not where: the answer names the field all the same. */
import { expect, test } from 'vitest'
import { databases, isTold } from '../../support/databases.js'
import { existing, served } from './project.js'

const wide = `
  CREATE TYPE tone AS ENUM ('low', 'high');
  CREATE TABLE "Item" (
    id serial PRIMARY KEY,
    "Label" text NOT NULL DEFAULT 'x',
    padded varchar(40),
    size integer,
    wide bigint,
    price numeric(10,2),
    weight double precision,
    tone tone,
    ref text
  )`

const narrowed = `
  CREATE DOMAIN code AS varchar(10);
  CREATE DOMAIN short_code AS code;
  ALTER TABLE "Item" ALTER "Label" TYPE varchar(5), ALTER padded TYPE char(4), ALTER size TYPE smallint,
    ALTER wide TYPE integer, ALTER price TYPE numeric(5,2), ALTER weight TYPE real,
    ALTER ref TYPE short_code, ALTER tone TYPE text;
  DROP TYPE tone;
  CREATE TYPE tone AS ENUM ('low');
  ALTER TABLE "Item" ALTER tone TYPE tone USING tone::tone`

test.runIf(isTold('postgresql', 'postgresql'))(
  'a value that a column on postgresql does not hold is 422 with its field',
  async () => {
    const from = await existing('postgresql', wide)
    const project = await served(from)
    await from.rows(narrowed)
    const write = async (method: string, path: string, body: unknown) => {
      const answer = await project.ask(method, `/api/svc/items${path}`, body)
      return [answer.status, Object.keys(answer.body.errors ?? {})]
    }
    const held = {
      Label: 'äöü€𝄞',
      padded: 'abcd   ',
      size: -32_768,
      wide: '2147483647',
      price: '999.99',
      weight: 1.5,
      tone: 'low',
      ref: 'abcdefghij',
    }
    expect(await write('POST', '', held)).toEqual([201, []])
    const wrong = {
      Label: 'sixsix',
      padded: 'abcde',
      size: 32_768,
      wide: '-2147483649',
      price: '1000.00',
      weight: 1e39,
      tone: 'high',
      ref: 'abcdefghijk',
    }
    for (const [field, value] of Object.entries(wrong)) {
      expect(await write('POST', '', { ...held, [field]: value }), field).toEqual([422, [field]])
      expect(await write('PATCH', '/1', { [field]: value }), field).toEqual([422, [field]])
    }
    expect(await write('PATCH', '/1', { weight: 1e-60 })).toEqual([422, ['weight']])
    expect(await write('PATCH', '/1', wrong)).toEqual([422, Object.keys(wrong)])
    expect(await from.rows('SELECT count(*)::int AS n FROM "Item"')).toEqual([{ n: 1 }])
  },
)

test.each(databases)('what %s refuses of a pivot table names the field', async (database) => {
  const key = database === 'sqlite' ? 'INTEGER PRIMARY KEY' : 'SERIAL PRIMARY KEY'
  const from = await existing(
    database,
    `CREATE TABLE orders (id ${key}, name varchar(40));
     CREATE TABLE products (id ${key}, name varchar(40));
     CREATE TABLE order_products (order_id integer NOT NULL REFERENCES orders, product_id integer NOT NULL REFERENCES products,
       quantity integer NOT NULL DEFAULT 1 CHECK (quantity % 2 = 1), PRIMARY KEY (order_id, product_id));
     INSERT INTO orders (name) VALUES ('Vins'); INSERT INTO products (name) VALUES ('Chai'), ('Chang');`,
  )
  const project = await served(from)
  const attach = async (quantity: number) => {
    const body = { products: ['1'], quantity }
    const answer = await project.ask('POST', '/api/svc/orders/1/attach/products', body)
    return [answer.status, Object.keys(answer.body.errors ?? {})]
  }
  expect(await attach(2)).toEqual([422, ['quantity']])
  if (database === 'postgresql') {
    await from.rows('ALTER TABLE order_products ALTER quantity TYPE smallint')
    expect(await attach(32_769)).toEqual([422, ['quantity']])
  }
  expect(await attach(3)).toEqual([201, []])
})

test.runIf(isTold('postgresql', 'postgresql'))(
  'on postgresql a number beyond a smallint is the key of no record, and found nowhere',
  async () => {
    const from = await existing(
      'postgresql',
      `CREATE TABLE kinds (id smallserial PRIMARY KEY, name varchar(9), rank smallint, total integer);
       INSERT INTO kinds (name, rank, total) VALUES ('a', 1, 1);
       CREATE TABLE things (id serial PRIMARY KEY, name varchar(9), kind_id smallint REFERENCES kinds (id));`,
    )
    const project = await served(from, {
      'manifest/kinds.ts': (text) =>
        text
          .replace('sort:', "match: { rank: 'integer', total: 'integer' }, sort:")
          .replace('total: integer()', 'total: bigInteger()')
          .replace('import { ', 'import { bigInteger, '),
    })
    await from.rows('ALTER TABLE kinds ALTER total TYPE integer')
    const ask = async (method: string, path: string, body?: unknown) => {
      const answer = await project.ask(method, `/api/svc/${path}`, body)
      return [answer.status, answer.body.data?.length ?? Object.keys(answer.body.errors ?? {})]
    }
    expect(await ask('GET', 'kinds/40000')).toEqual([404, []])
    expect(await ask('PATCH', 'kinds/40000', { name: 'b' })).toEqual([404, []])
    expect(await ask('DELETE', 'kinds/40000')).toEqual([404, []])
    expect(await ask('GET', 'kinds?rank=40000')).toEqual([200, 0])
    expect(await ask('GET', 'kinds?-rank=-40000')).toEqual([200, 1])
    expect(await ask('GET', 'kinds?total=3000000000')).toEqual([200, 0])
    expect(await ask('POST', 'things', { name: 'x', kind_id: '40000' })).toEqual([422, ['kind_id']])
    expect(await ask('POST', 'things', { name: 'x', kind_id: '1' })).toEqual([201, []])
  },
)
