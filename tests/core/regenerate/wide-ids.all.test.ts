/** Ids of 32 bits that get 64, with rows and all that points at them, and the way back. */
import { describe, expect, test } from 'vitest'
import { toldOn } from '../../support/databases.js'
import { users } from '../../support/own-manifest.js'
import { liveProject } from './live-project.js'
import { query } from './query.js'

const far = '9007199254740993'

/** SQLite has one kind of whole numbers, of which nothing is converted. */
describe.each(toldOn('postgresql'))('on %s', (name) => {
  const { run, ok, manifest } = liveProject(name)
  const asked = (sql: string) => query(name, process.env['DATABASE_URL'] ?? '', sql)

  const books = (id: 'integer' | 'bigint', field: 'integer' | 'bigInteger') =>
    manifest(`${users}
      shelves: repository({ id: '${id}', fields: { name: text() }, related: { books: hasMany(), notes: morphMany({ name: 'about' }) } }),
      books: repository({
        id: '${id}',
        fields: { name: text(), pages: ${field}().unique(), bytes: ${field}().default(7) },
        related: { shelf: belongsTo('shelves'), tags: belongsToMany({ pivot: { weight: ${field}().nullable() } }) },
      }),
      tags: repository({ id: '${id}', fields: { name: text() }, related: { books: belongsToMany() } }),
      notes: repository({ fields: { body: text() }, related: { about: morphTo() } }),`)
  const texts = async (sql: string) =>
    (await asked(sql)).map((row) => Object.values(row as object).map(String))
  const now = `'2026-01-01T00:00:00.000+00:00', '2026-01-01T00:00:00.000+00:00'`
  const stamps = 'created_at, updated_at'
  const rows = () =>
    texts(
      `SELECT cast(b.id AS text), cast(b.shelf_id AS text), cast(b.pages AS text), cast(b.bytes AS text), cast(t.tag_id AS text), cast(t.weight AS text)
       FROM books b LEFT JOIN book_tag t ON t.book_id = b.id ORDER BY b.id`,
    )

  test('they keep their values, and the way back is refused while one does not fit', async () => {
    books('integer', 'integer')
    await ok('generate')
    await ok('migrate', 'save', 'first')
    await ok('migrate')
    await asked(`INSERT INTO shelves (name, ${stamps}) VALUES ('a', ${now})`)
    await asked(
      `INSERT INTO books (name, pages, shelf_id, ${stamps}) VALUES ('a', 2147483647, 1, ${now})`,
    )
    await asked(`INSERT INTO tags (name, ${stamps}) VALUES ('a', ${now})`)
    await asked('INSERT INTO book_tag (book_id, tag_id, weight) VALUES (1, 1, 5)')
    await asked(
      `INSERT INTO notes (body, about_type, about_id, ${stamps}) VALUES ('x', 'shelves', 1, ${now})`,
    )
    books('bigint', 'bigInteger')
    await ok('generate')
    const said = await ok('migrate', 'save', 'wide')
    await ok('migrate')
    expect(said).not.toMatch(/cut|stop it|accept/)
    expect(await rows()).toEqual([['1', '1', '2147483647', '7', '1', '5']])
    await asked(`INSERT INTO shelves (id, name, ${stamps}) VALUES (${far}, 'b', ${now})`)
    await asked(
      `INSERT INTO books (name, pages, bytes, shelf_id, ${stamps}) VALUES ('b', ${far}, ${far}, ${far}, ${now})`,
    )
    await asked(
      `INSERT INTO notes (body, about_type, about_id, ${stamps}) VALUES ('y', 'shelves', ${far}, ${now})`,
    )
    expect((await rows())[1]?.slice(0, 4)).toEqual(['2', far, far, far])
    // Its own number goes on beyond 32 bits.
    if (name === 'postgresql') await asked(`SELECT setval('tags_id_seq', 4294967296)`)
    else await asked(`UPDATE sqlite_sequence SET seq = 4294967296 WHERE name = 'tags'`)
    await asked(`INSERT INTO tags (name, ${stamps}) VALUES ('b', ${now})`)
    expect(await texts('SELECT cast(max(id) AS text) FROM tags')).toEqual([['4294967297']])
    await expect(
      asked(
        `INSERT INTO notes (body, about_type, about_id, ${stamps}) VALUES ('z', 'shelves', 9007199254740992, ${now})`,
      ),
    ).rejects.toThrow()

    books('integer', 'integer')
    await ok('generate')
    const refused = await run('migrate')
    expect(refused.code).not.toBe(0)
    const why = refused.out + refused.errors
    for (const column of ['shelves.id', 'tags.id', 'books.pages', 'books.bytes'])
      expect(why).toContain(column)
    expect((await rows())[1]?.slice(0, 4)).toEqual(['2', far, far, far])

    await asked(`DELETE FROM notes WHERE body = 'y'`)
    await asked(`DELETE FROM books WHERE name = 'b'`)
    await asked(`DELETE FROM shelves WHERE name = 'b'`)
    await asked(`DELETE FROM tags WHERE name = 'b'`)
    await ok('migrate')
    expect(await rows()).toEqual([['1', '1', '2147483647', '7', '1', '5']])
    await asked(`INSERT INTO tags (name, ${stamps}) VALUES ('c', ${now})`)
    expect(await texts('SELECT cast(max(id) AS text) FROM tags')).toEqual([['2']])
  })
})
