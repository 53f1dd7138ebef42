/** Where rows of a table go, what else goes from it is named with its numbers, before and where it was accepted. */
import { describe, expect, test } from 'vitest'
import { liveProject } from '../../core/regenerate/live-project.js'
import { toldOn } from '../../support/databases.js'
import { users } from '../../support/own-manifest.js'

const at = `'2026-01-01T00:00:00.000+00:00'`

describe.each(toldOn('sqlite'))('what goes beside rows of the trash on %s', (name) => {
  const { run, ok, asked, manifest } = liveProject(name)
  const become = async (repositories: string) => {
    manifest(`${users} ${repositories}`)
    await ok('generate', '--no-compile')
    await ok('migrate')
  }
  /** It stops with these lines, and only these, and a run that accepts them says them again. */
  const loses = async (repositories: string, misfits: string[], losses: string[]) => {
    manifest(`${users} ${repositories}`)
    await ok('generate', '--no-compile')
    const stopped = await run('migrate')
    expect([stopped.code, linesOf(stopped.out + stopped.errors)]).toEqual([
      1,
      ['Rows prevent it:', ...misfits, 'And this would be dropped:', ...losses],
    ])
    expect(linesOf(await ok('migrate', '--accept-data-loss'))).toEqual([
      'Cut, emptied or deleted, as you accepted:',
      ...misfits,
      'Dropped, as you accepted:',
      ...losses,
    ])
  }
  const fill = (table: string, columns: string, rows: readonly string[]) =>
    asked(
      `insert into ${table} (${columns}, updated_at) values ${rows.map((row) => `(${row}, ${at})`).join(', ')} returning id`,
    )
  const number = async (sql: string) => Number((await asked(sql))[0]?.[0])

  test('are the columns that go too', async () => {
    await become(
      `posts: repository({ softDeletes: true, versioned: true, fields: { title: text(), secret: text() } }),`,
    )
    const rows = [...Array(10).keys()].map(
      (post) => `'${post}', 'PRECIOUS', ${post === 0 ? at : 'null'}`,
    )
    await fill('posts', 'title, secret, deleted_at', rows)
    await loses(
      `posts: repository({ fields: { title: text() } }),`,
      [expect.stringMatching(/^ {2}posts\.deleted_at .*: 1 row/)],
      ['  posts.secret: 10 values', '  posts.version: 10 values'],
    )
    expect(await number('select count(*) from posts')).toBe(9)
  })

  test('are rows that hang on those of the trash, and columns of theirs', async () => {
    const fields = 'name: text(), note: text().nullable()'
    const posts = 'related: { posts: hasMany() }'
    const post = (more: string) =>
      `posts: repository({ ${more} related: { topic: belongsTo({ onDelete: 'cascade' }) }, fields: { title: text().max(9), secret: text().nullable() } }),`
    await become(
      `topics: repository({ softDeletes: true, ${posts}, fields: { ${fields} } }), ${post('versioned: true,')}`,
    )
    await fill('topics', 'name, note, deleted_at', [
      `'a', null, ${at}`,
      `'b', 'kept', null`,
      `'c', null, null`,
    ])
    await fill('posts', 'title, secret, topic_id', [
      `'one', 'x', 1`,
      `'two', null, 1`,
      `'three', 'y', 2`,
      `'four', null, 3`,
    ])
    await loses(
      `topics: repository({ ${posts}, fields: { name: text() } }),
         ${post('').replace('max(9)', 'max(4)').replace(', secret: text().nullable()', '')}`,
      [
        expect.stringMatching(/^ {2}posts\.title is no text max 4: 1 row, 'three'/),
        expect.stringMatching(/^ {2}topics\.deleted_at .*: 1 row/),
      ],
      [
        '  posts: 2 rows',
        '  posts.secret: 2 values',
        '  posts.version: 4 values',
        '  topics.note: 1 value',
      ],
    )
    expect(await number('select count(*) from posts')).toBe(2)
  })

  test('are all generations below them in a tree', async () => {
    const node = (more: string) =>
      `nodes: repository({ ${more} fields: { title: text() }, related: { parent: belongsTo('nodes', { onDelete: 'cascade' }).nullable() } }),`
    await become(node('softDeletes: true,'))
    await fill('nodes', 'title, parent_id, deleted_at', [
      `'gone', null, ${at}`,
      `'child', 1, null`,
      `'grandchild', 2, null`,
      `'great-grandchild', 3, null`,
      `'apart', null, null`,
    ])
    manifest(`${users} ${node('')}`)
    await ok('generate', '--no-compile')
    expect((await run('migrate')).code).toBe(1)
    await ok('migrate', '--accept-data-loss')
    expect(await asked('select title from nodes')).toEqual([['apart']])
  })

  test('are values that rows which stay had', async () => {
    const post = `related: { post: belongsTo({ onDelete: 'setNull' }).nullable() }, fields: { text: text() }`
    await become(
      `posts: repository({ softDeletes: true, fields: { title: text() } }), notes: repository({ softDeletes: true, ${post} }),`,
    )
    await fill('posts', 'title, deleted_at', [`'a', ${at}`, `'b', null`])
    await fill('notes', 'text, post_id, deleted_at', [
      `'one', 1, null`,
      `'two', 2, null`,
      `'three', null, ${at}`,
      `'four', 2, ${at}`,
    ])
    await loses(
      `posts: repository({ fields: { title: text() } }), notes: repository({ ${post} }),`,
      [
        expect.stringMatching(/^ {2}posts\.deleted_at .*: 1 row/),
        expect.stringMatching(/^ {2}notes\.deleted_at .*: 2 rows/),
      ],
      ['  notes.post_id: 1 value'],
    )
    expect(await asked('select text, post_id from notes order by id')).toEqual([
      ['one', null],
      ['two', 2],
    ])
  })
})

/** Headings and what stands below them, without the ways out. */
const linesOf = (text: string): readonly string[] =>
  text.split('\n').filter((line) => /^ {2}\w+(\.\w+)?( .*)?: \d+ |^\w.*:$/.test(line))
