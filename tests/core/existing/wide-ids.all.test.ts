/** Tables whose records have ids of 64 bits, or texts: of Rails, Anki, chats, and of those with keys of their own. */
import { expect, test } from 'vitest'
import { databases } from '../../support/databases.js'
import { existing, served } from './project.js'

const beyond32 = '2147483649'
const snowflake = '1193873871982346241'

test.each(databases)('a database with keys of 64 bits is served whole on %s', async (database) => {
  const key = database === 'sqlite' ? 'integer PRIMARY KEY AUTOINCREMENT' : 'bigserial PRIMARY KEY'
  const from = await existing(
    database,
    `CREATE TABLE authors (id ${key}, name varchar(80) NOT NULL);
     CREATE TABLE books (id ${key}, title varchar(80) NOT NULL, author_id bigint NOT NULL REFERENCES authors (id), read_at bigint);
     CREATE TABLE tags (id ${key}, name varchar(80) NOT NULL);
     CREATE TABLE book_tag (book_id bigint NOT NULL REFERENCES books (id), tag_id bigint NOT NULL REFERENCES tags (id), PRIMARY KEY (book_id, tag_id));
     INSERT INTO authors (id, name) VALUES (${beyond32}, 'Ada'), (${snowflake}, 'Bob');
     INSERT INTO books (id, title, author_id, read_at) VALUES (${snowflake}, 'One', ${beyond32}, 1700000000001);
     INSERT INTO tags (id, name) VALUES (${snowflake}, 'red');
     INSERT INTO book_tag VALUES (${snowflake}, ${snowflake});
     ${database === 'sqlite' ? '' : "SELECT setval('books_id_seq', 1193873871982346241)"}`,
  )
  const { ask } = await served(from)
  const shown = await ask('GET', `/api/svc/books/${snowflake}?include=author,tags`)
  expect(shown.body.data).toMatchObject({
    id: snowflake,
    attributes: { author_id: beyond32, read_at: '1700000000001' },
    relationships: { author: { id: beyond32 }, tags: [{ id: snowflake }] },
  })
  const made = await ask('POST', '/api/svc/books', { title: 'Two', author_id: snowflake })
  expect(made.body.data.id).toBe('1193873871982346242')
  const moved = await ask('PATCH', `/api/svc/books/${snowflake}`, { author_id: snowflake })
  expect(moved.body.data.attributes.author_id).toBe(snowflake)
  expect(
    (await ask('POST', '/api/svc/books', { title: 'x', author_id: '1193873871982346240' })).status,
  ).toBe(422)
  expect((await ask('GET', `/api/svc/authors/${snowflake}/books`)).body.meta.total).toBe(2)
  const attached = { tags: [snowflake] }
  expect(
    (await ask('POST', '/api/svc/books/1193873871982346242/attach/tags', attached)).status,
  ).toBe(201)
  expect((await ask('GET', `/api/svc/tags/${snowflake}/books?sort=id`)).body.data).toHaveLength(2)
  const last = '/api/svc/books/1193873871982346242'
  expect((await ask('DELETE', last)).status).toBe(409)
  expect((await ask('POST', `${last}/detach/tags`, attached)).status).toBe(204)
  expect((await ask('DELETE', last)).status).toBe(204)
})

test.each(databases)('a database with keys of text is served whole on %s', async (database) => {
  const from = await existing(
    database,
    `CREATE TABLE countries (code varchar(2) NOT NULL PRIMARY KEY, name varchar(80) NOT NULL);
     CREATE TABLE people (id varchar(30) NOT NULL PRIMARY KEY, name varchar(80) NOT NULL, country varchar(2) REFERENCES countries (code));
     CREATE TABLE pages (slug text NOT NULL PRIMARY KEY, body text NOT NULL, author_id varchar(30) REFERENCES people (id));
     INSERT INTO countries VALUES ('DE', 'Germany');
     INSERT INTO people VALUES ('ckv3x9q8b0000v3mh9p2z4x5y', 'Ada', 'DE');
     INSERT INTO pages VALUES ('how/to do it?', 'so', 'ckv3x9q8b0000v3mh9p2z4x5y');`,
  )
  const { ask } = await served(from)
  const page = `/api/svc/pages/${encodeURIComponent('how/to do it?')}`
  const shown = await ask('GET', `${page}?include=author`)
  expect(shown.body.data).toMatchObject({
    id: 'how/to do it?',
    relationships: { author: { id: 'ckv3x9q8b0000v3mh9p2z4x5y' } },
  })
  expect((await ask('PATCH', page, { body: 'or so' })).body.data.attributes.body).toBe('or so')
  expect((await ask('POST', '/api/svc/countries', { name: 'France' })).status).toBe(422)
  expect((await ask('POST', '/api/svc/countries', { id: 'FRA', name: 'France' })).status).toBe(422)
  expect((await ask('POST', '/api/svc/countries', { id: 'FR', name: 'France' })).body.data.id).toBe(
    'FR',
  )
  const bob = await ask('POST', '/api/svc/people', { name: 'Bob', country: 'FR' })
  expect(bob.body.data.id).toMatch(/^[0-9A-Z]{26}$/)
  expect((await ask('POST', '/api/svc/people', { id: 'carol', name: 'Carol' })).body.data.id).toBe(
    'carol',
  )
  expect((await ask('POST', '/api/svc/people', { name: 'Dan', country: 'XX' })).status).toBe(422)
  expect(
    (await ask('GET', '/api/svc/countries/FR/people')).body.data.map(
      ({ id }: { id: string }) => id,
    ),
  ).toEqual([bob.body.data.id])
  expect((await ask('DELETE', page)).status).toBe(204)
})

/** Anki's cards: milliseconds as keys, which its own program makes. */
test('keys that are milliseconds are of 64 bits on sqlite', async () => {
  const from = await existing(
    'sqlite',
    `CREATE TABLE notes (id integer primary key, flds text not null, mod integer not null);
     CREATE TABLE cards (id integer primary key, nid integer not null references notes (id), due integer not null);
     INSERT INTO notes VALUES (1700000000123, 'front', 1700000000); INSERT INTO cards VALUES (1700000000456, 1700000000123, 3);`,
  )
  const { ask } = await served(from)
  const { body } = await ask('GET', '/api/svc/cards/1700000000456?include=n')
  expect(body.data.attributes).toMatchObject({ nid: '1700000000123', due: 3 })
  expect((await ask('POST', '/api/svc/cards', { nid: '1700000000123', due: 1 })).body.data.id).toBe(
    '1700000000457',
  )
})
