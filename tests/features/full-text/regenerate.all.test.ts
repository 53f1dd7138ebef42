/** Full text lives through changes of its table, and leaves nothing behind. */
import { appendFileSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { liveProject } from '../../core/regenerate/live-project.js'
import { query } from '../../core/regenerate/query.js'
import { databases } from '../../support/databases.js'
import { users } from '../../support/own-manifest.js'

const at = `'2026-01-01T00:00:00.000+00:00'`

describe.each(databases)('a table with full text on %s', (name) => {
  const { path, run, ok, asked, manifest } = liveProject(name)
  const become = async (repository: string, ...more: string[]) => {
    manifest(`${users} ${repository}`)
    await ok('generate', '--no-compile')
    await ok('migrate', ...more)
    expect(await ok('generate', '--no-compile')).toContain('unchanged')
  }
  const found = async (word: string, table = 'books', keys = false) => {
    const index = keys
      ? `select "key" from ${table}_search join ${table}_search_keys on "row" = ${table}_search.rowid where ${table}_search match '${word}'`
      : `select rowid from ${table}_search where ${table}_search match '${word}'`
    const ofRow = name === 'sqlite' ? `id in (${index})` : `search_vector @@ '${word}'::tsquery`
    return (await asked(`select id from ${table} where ${ofRow} order by id`)).flat()
  }
  /** What the database has of it beside the table. */
  const objects = async () =>
    (
      await asked(
        name === 'sqlite'
          ? `select name from sqlite_schema where name like '%search%' order by name`
          : `select attname from pg_attribute join pg_class on pg_class.oid = attrelid where attname like '%search%' and relkind = 'r' union all select relname from pg_class where relname like '%search%' order by 1`,
      )
    ).flat()
  const books = (searchable: string, fields: string, more = '') =>
    `books: repository({ ${more} ${searchable} fields: { ${fields} } }),`
  const title = 'title: text().nullable(), body: textarea().nullable()'
  const english = `searchable: fullText(['title', 'body'], { language: 'english' }),`

  test('finds rows that were there, after whatever becomes of the table', async () => {
    await become(books('', title))
    await asked(
      `insert into books (title, body, updated_at) values ('lamps', 'red', ${at}), ('chairs', null, ${at}) returning id`,
    )
    // On, in a table with rows.
    await become(books(english, title))
    expect([await found('lamp'), await found('chair'), await found('red')]).toEqual([[1], [2], [1]])
    await ok('migrate', 'save', 'words')
    await ok('migrate')
    expect(await found('lamp')).toEqual([1])
    // Other columns, another language.
    await become(books(`searchable: fullText(['title']),`, title))
    expect([await found('lamps'), await found('red')]).toEqual([[1], []])
    await become(books(english, title))
    // A column that becomes required: SQLite builds the table anew.
    const required = 'title: text(), body: textarea().nullable()'
    await become(books(english, required))
    await asked(`insert into books (title, updated_at) values ('a lamp', ${at}) returning id`)
    expect(await found('lamp')).toEqual([1, 3])
    // Names that change, of a column and of the table.
    const renamed = `name: text().renamedFrom('title'), body: textarea().nullable()`
    const named = `searchable: fullText(['name', 'body'], { language: 'english' }),`
    await become(books(named, renamed))
    await asked(`update books set name = 'a desk' where id = 3`)
    expect([await found('lamp'), await found('desk')]).toEqual([[1], [3]])
    await ok('migrate', 'save', 'names')
    await ok('migrate')
    const tomes = (fields: string, searchable = named) =>
      books(searchable, fields, `renamedFrom: 'books',`).replace('books:', 'tomes:')
    const plain = 'name: text(), body: textarea().nullable()'
    await become(tomes(plain))
    await asked(`update tomes set body = 'blue' where id = 2`)
    expect([await found('lamp', 'tomes'), await found('blue', 'tomes')]).toEqual([[1], [2]])
    expect((await objects()).some((each) => String(each).includes('books'))).toBe(false)
    await ok('migrate', 'save', 'tomes')
    await ok('migrate')
    // A column that goes, and one that gets another type.
    await become(
      tomes('name: text(), body: integer().nullable()', `searchable: fullText(['name']),`),
      '--accept-data-loss',
    )
    expect(await found('lamps', 'tomes')).toEqual([1])
    // Off: the table is as if it had never been.
    await become(tomes(plain.replace('textarea', 'integer'), `searchable: ['name'],`))
    expect(await objects()).toEqual([])
    await asked(`update tomes set name = 'written' where id = 1`)
  })

  test('is no loss where it is made anew, or goes, whatever the kind of its keys', async () => {
    const notes = (said: string, key = 'notes') =>
      `${key}: repository({ id: 'uuid', ${said} fields: { text: text() } }),`
    const saved = async (step: string, repository: string) => {
      await become(repository)
      expect(await ok('migrate', 'save', step)).not.toContain('Careful')
      await ok('migrate')
    }
    const simple = `searchable: fullText(['text']),`
    await saved('on', notes(simple))
    await asked(
      `insert into notes (id, text, updated_at) values ('0190a000-0000-7000-8000-000000000001', 'lamps', ${at}) returning id`,
    )
    await saved('renamed', notes(`${simple} renamedFrom: 'notes',`, 'letters'))
    expect(await found('lamps', 'letters', true)).toHaveLength(1)
    await saved('off', notes('', 'letters'))
    expect(await objects()).toEqual([])
  })

  test('is refused behind a migration of another branch that renames one of its columns', async () => {
    const fields = 'title: text(), place: text().nullable(), body: textarea().nullable()'
    const renamed = fields.replace('body: textarea()', `content: textarea().renamedFrom('body')`)
    const base = path('prisma/migrations/base.prisma')
    const saved = async (step: string, repository: string) => {
      manifest(`${users} ${repository}`)
      await ok('generate', '--no-compile')
      await ok('migrate', 'save', step)
      const folders = readdirSync(path('prisma/migrations'))
      return path(`prisma/migrations/${folders.find((each) => each.endsWith(`_${step}`))}`)
    }
    await saved('start', books('', fields))
    const start = readFileSync(base, 'utf8')
    const other = await saved('renamed', books('', renamed))
    const aside = path('renamed')
    renameSync(other, aside)
    const line = /^ +content .*$/m.exec(readFileSync(base, 'utf8'))?.[0] ?? ''
    // As the other branch has it, which knows nothing of the name.
    writeFileSync(base, start)
    await saved('words', books(english, fields))
    renameSync(aside, other)
    const merged = readFileSync(base, 'utf8').replace(/^ +body .*$/m, line)
    writeFileSync(base, merged)
    manifest(`${users} ${books(english.replace('body', 'content'), renamed)}`)
    for (const command of ['generate', 'migrate']) {
      const { code, out, errors } = await run(command)
      expect([code, out + errors]).toEqual([
        1,
        expect.stringMatching(
          /_words[^]*it changes 'body' of 'books', which \d+_renamed renamed to 'content' on another branch/,
        ),
      ])
    }
  })

  test('has the words that a column gets where its table is built anew', async () => {
    await become(books(english, title))
    await asked(
      `insert into books (body, updated_at) values ('red', ${at}), ('blue', ${at}) returning id`,
    )
    await ok('migrate', 'save', 'words')
    await ok('migrate')
    const required = 'title: text(), body: textarea().nullable()'
    await become(books(english, required), '--fill', 'books.title=lamp')
    expect([await found('lamp'), await found('red')]).toEqual([[1, 2], [1]])
    // Whoever applies it: SQLite drops triggers with the table that they are on.
    const draft = readFileSync(path('prisma/migrations/draft.sql'), 'utf8')
    if (name === 'sqlite') expect(draft).toContain('CREATE TRIGGER "books_search_update"')
  })

  test('has the words of a column whose values are converted and filled', async () => {
    await become(books(`searchable: fullText(['code']),`, 'code: locale()'))
    await asked(
      `insert into books (code, updated_at) values ('en', ${at}), ('de', ${at}) returning id`,
    )
    const phone = books(`searchable: fullText(['code']),`, 'code: phone()')
    await become(phone, '--fill', 'books.code=+1234567')
    expect([await found('1234567'), await found('en')]).toEqual([[1, 2], []])
  })

  test('goes with its table', async () => {
    const notes = (id: string) =>
      `books: repository({ fields: { title: text() } }), notes: repository({ ${id} searchable: fullText(['text']), fields: { text: text() } }),`
    await become(notes(`id: 'uuid',`))
    await asked(
      `insert into notes (id, text, updated_at) values ('0190a000-0000-7000-8000-000000000001', 'lamp', ${at}) returning id`,
    )
    expect(await found('lamp', 'notes', true)).toHaveLength(1)
    expect((await objects()).length).toBeGreaterThan(0)
    await become('books: repository({ fields: { title: text() } }),', '--accept-data-loss')
    expect(await objects()).toEqual([])
  })
})

describe("a developer's own statements beside it", () => {
  const { ok, run, manifest, path } = liveProject('sqlite')

  test('are on every database, under whatever name, and its own are there once', async () => {
    const tables = (searchable: string) =>
      manifest(
        `${users} pages: repository({ fields: { title: text() } }),
        books: repository({ ${searchable} fields: { title: text() } }),`,
      )
    const urls = ['here', 'there'].map((each) => `file:${path(`storage/${each}.sqlite`)}`)
    tables('')
    await ok('generate', '--no-compile')
    for (const url of urls) {
      process.env['DATABASE_URL'] = url
      await ok('migrate')
    }
    tables(`searchable: fullText(['title']),`)
    await ok('generate', '--no-compile')
    const own = `CREATE VIRTUAL TABLE "pages_search" USING fts5(a);
CREATE TRIGGER "pages_search_insert" AFTER INSERT ON "pages" BEGIN
  INSERT INTO "pages_search" (rowid, a) VALUES (NEW.id, NEW.title);
END;
`
    appendFileSync(path('prisma/migrations/draft.sql'), own)
    process.env['DATABASE_URL'] = urls[0]
    await ok('migrate')
    await ok('migrate', 'save', 'words')
    for (const url of urls) {
      process.env['DATABASE_URL'] = url
      await ok('migrate')
      const rows = `insert into pages (title, updated_at) values ('lamp', ${at}); insert into books (title, updated_at) values ('lamp', ${at});`
      await query('sqlite', url, rows)
      for (const index of ['pages_search', 'books_search']) {
        const found = await query('sqlite', url, `select rowid from ${index}('lamp')`)
        expect([url, index, found.length]).toEqual([url, index, 1])
      }
    }
  })

  test('a table of words of their own does not go unasked', async () => {
    const pages = (fields: string) =>
      manifest(`${users} pages: repository({ fields: { ${fields} } }),`)
    const change = async (fields: string, sql: string) => {
      pages(fields)
      await ok('generate', '--no-compile')
      appendFileSync(path('prisma/migrations/draft.sql'), sql)
    }
    await change(
      'title: text()',
      `CREATE VIRTUAL TABLE "pages_search" USING fts5(title);
INSERT INTO "pages_search" (title) VALUES ('lamp');\n`,
    )
    await ok('migrate')
    await ok('migrate', 'save', 'first')
    await change('title: text(), body: text().nullable()', 'DROP TABLE "pages_search";\n')
    const { code, out, errors } = await run('migrate')
    expect(code).not.toBe(0)
    expect(out + errors).toContain('pages_search')
    await ok('migrate', '--accept-data-loss')
  })
})
