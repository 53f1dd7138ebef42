/** What counts the writes of a record lives through changes of its table, on, off and on again. */
import { expect, describe, test } from 'vitest'
import { liveProject } from '../../core/regenerate/live-project.js'
import { toldOn } from '../../support/databases.js'
import { users } from '../../support/own-manifest.js'

const at = `'2026-01-01T00:00:00.000+00:00'`

describe.each(toldOn('postgresql'))('a table whose records have versions on %s', (name) => {
  const { ok, run, asked, manifest } = liveProject(name)
  const become = async (repository: string, ...more: string[]) => {
    manifest(`${users} ${repository}`)
    await ok('generate', '--no-compile')
    await ok('migrate', ...more)
    expect(await ok('generate', '--no-compile')).toContain('unchanged')
  }
  const write = async (table: string, column = 'version') => {
    await asked(`update ${table} set name = 'written'`)
    return (await asked(`select ${column} from ${table} order by id`)).flat()
  }

  test('counts after it is built anew, renamed, without, and with them again', async () => {
    const plain = 'fields: { name: text().nullable() }'
    await become(`books: repository({ ${plain} }),`)
    await asked(
      `insert into books (name, updated_at) values ('a', ${at}), ('b', ${at}) returning id`,
    )
    // On, in a table with rows.
    await become(`books: repository({ versioned: true, ${plain} }),`)
    expect(await write('books')).toEqual([2, 2])
    await ok('migrate', 'save', 'versions')
    await ok('migrate')
    expect(await write('books')).toEqual([3, 3])
    // A column that becomes required: SQLite builds the table anew.
    const required = 'fields: { name: text() }'
    await become(`books: repository({ versioned: true, ${required} }),`)
    expect(await write('books')).toEqual([4, 4])
    await become(`tomes: repository({ renamedFrom: 'books', versioned: true, ${required} }),`)
    expect(await write('tomes')).toEqual([5, 5])
    await ok('migrate', 'save', 'tomes')
    await ok('migrate')
    expect(await write('tomes')).toEqual([6, 6])
    await asked(`delete from tomes where name = 'nothing'`)
    // The numbers are lost, and that is asked first.
    manifest(`${users} tomes: repository({ ${required} }),`)
    await ok('generate', '--no-compile')
    const { code, out, errors } = await run('migrate')
    expect(code).not.toBe(0)
    expect(out + errors).toMatch(/version/)
    await ok('migrate', '--accept-data-loss')
    await asked(`update tomes set name = 'still'`)
    await become(`tomes: repository({ versioned: 'required', ${required} }),`)
    expect(await write('tomes')).toEqual([2, 2])
    expect((await asked('select name from tomes')).flat()).toEqual(['written', 'written'])
  })

  test('takes a column that is there with its numbers, and gives it back', async () => {
    const field = 'lock_version: integer().default(0)'
    await become(`books: repository({ fields: { name: text(), ${field} } }),`)
    await asked(
      `insert into books (name, lock_version, updated_at) values ('a', 7, ${at}) returning id`,
    )
    const versioned = "versioned: { column: 'lock_version' },"
    await become(`books: repository({ ${versioned} fields: { name: text(), ${field} } }),`)
    expect(await write('books', 'lock_version')).toEqual([8])
    await asked('update books set lock_version = 20')
    expect(await write('books', 'lock_version')).toEqual([21])
    await become(`books: repository({ fields: { name: text(), ${field} } }),`)
    expect(await write('books', 'lock_version')).toEqual([21])
  })

  test('counts under a long name, also where a database that has a draft meets it saved', async () => {
    const long = 'every_book_ever_printed_in_this_or_any_other_towns'
    const plain = 'fields: { name: text() }'
    await become(`books: repository({ ${plain} }),`)
    manifest(
      `${users} books: repository({ ${plain} }), ${long}: repository({ versioned: true, ${plain} }),`,
    )
    await ok('generate', '--no-compile')
    await ok('migrate', 'save', 'long')
    await ok('migrate')
    await asked(`insert into ${long} (name, updated_at) values ('a', ${at}) returning id`)
    expect(await write(long)).toEqual([2])
  })

  if (name === 'postgresql')
    test('counts where its table went and its function stayed', async () => {
      const books = 'books: repository({ versioned: true, fields: { name: text() } }),'
      await become(books)
      await ok('migrate', 'save', 'books')
      await ok('migrate')
      const found = await asked(
        `select string_agg(format('%I', tablename), ', ') from pg_tables where schemaname = 'public'`,
      )
      await asked(`drop table ${String(found[0]?.[0])} cascade`)
      await ok('migrate')
      await asked(`insert into books (name, updated_at) values ('a', ${at}) returning id`)
      expect(await write('books')).toEqual([2])
    })
})
