/** `softDeletes` in a project that has rows: on, it costs nothing; off, it asks what becomes of those in the trash. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  belongsTo,
  belongsToMany,
  defineManifest,
  email,
  password,
  repository,
  text,
} from '../../../generator/index.js'
import { HistoryProject } from '../../core/prisma/histories/project.js'
import { databases } from '../../support/databases.js'
import { buildBlueprint } from '../../support/with-features.js'

const nowhere = { file: 'manifest.ts', line: 1, column: 1 }
const sources = { repositories: new Map(), locate: () => nowhere }
const at = `'2026-01-01T00:00:00.000+00:00'`
const done = { kind: 'done', losses: [] }

describe.each(databases)('on %s', (database) => {
  let project: HistoryProject
  beforeEach(async () => void (project = await HistoryProject.open(database)))
  afterEach(() => project.close())

  /** `svc generate` and the new blueprint. */
  const generate = async (softDeletes: boolean, more: object = {}) => {
    const users = repository({
      softDeletes,
      fields: { email: email().unique(), password: password() },
    })
    const notes = repository({
      softDeletes,
      unique: [['user_id', 'slug']],
      fields: { name: text().max(40).unique(), slug: text().max(40), ...more },
      related: { user: belongsTo(), tags: belongsToMany() },
    })
    const tags = repository({ fields: { name: text() } })
    const manifest = defineManifest({ database, repositories: { users, notes, tags } })
    const built = buildBlueprint(manifest, { sources, userModel: null })
    if ('problems' in built) throw new Error(JSON.stringify(built.problems))
    await project.generate(built.blueprint)
    expect(await project.isSettled(built.blueprint)).toBe(true)
    return built.blueprint
  }
  const note = (name: string, slug: string) =>
    project.query(
      `insert into notes (name, slug, user_id, updated_at) values ('${name}', '${slug}', 1, ${at}) returning id`,
    )
  const seed = async () => {
    await project.query(
      `insert into users (email, password, updated_at) values ('a@b.c', '!', ${at}) returning id`,
    )
    await note('one', 'x')
    await note('two', 'y')
    await project.query(`insert into tags (name, updated_at) values ('t', ${at}) returning id`)
    await project.query('insert into note_tag (note_id, tag_id) values (1, 1), (2, 1) returning 1')
  }
  const stamp = (table: string, id: number) =>
    project.query(`update ${table} set deleted_at = ${at} where id = ${id} returning id`)

  test('keys that begin alike have an index each, however long their names are', async () => {
    const long = 'a_name_that_goes_on_and_on_until_nothing_of_it_is_left'
    const fields = Object.fromEntries(
      ['one', 'two'].map((end) => [`${long}_${end}`, text().max(9).nullable().unique()]),
    )
    const on = await generate(true, fields)
    expect(await project.migrate(on)).toMatchObject(done)
    await project.save()
    await seed()
    const set = (end: string, id: number) =>
      project.query(`update notes set ${long}_${end} = 'x' where id = ${id} returning id`)
    for (const end of ['one', 'two']) {
      await set(end, 1)
      await expect(set(end, 2)).rejects.toThrow(/unique/i)
    }
    const off = await generate(true)
    expect(await project.migrate(off, { acceptDataLoss: true, fills: [] })).toMatchObject({
      kind: 'done',
    })
    expect(await project.catalogue()).toEqual(await project.freshCatalogue(off))
  })

  test('it is switched on without a question; what is unique is so among the rows that are there', async () => {
    expect(await project.migrate(await generate(false))).toMatchObject(done)
    await project.save()
    await seed()
    const on = await generate(true)
    expect(await project.migrate(on)).toMatchObject(done)
    await project.save()
    expect(await project.catalogue()).toEqual(await project.freshCatalogue(on))
    expect(await project.query('select name, deleted_at from notes order by id')).toEqual([
      ['one', null],
      ['two', null],
    ])
    await expect(note('one', 'z')).rejects.toThrow(/unique/i)
    await expect(note('three', 'x')).rejects.toThrow(/unique/i)
    await stamp('notes', 1)
    await note('one', 'x')
    await stamp('users', 1)
    await project.query(
      `insert into users (email, password, updated_at) values ('a@b.c', '!', ${at}) returning id`,
    )
    const twin = project.query(
      `insert into users (email, password, updated_at) values ('A@B.c', '!', ${at}) returning id`,
    )
    await expect(twin).rejects.toThrow(/unique/i)
  })

  test('a table that is built anew keeps its indexes', async () => {
    expect(await project.migrate(await generate(true))).toMatchObject(done)
    await project.save()
    const more = await generate(true, { body: text().default('-') })
    expect(await project.migrate(more)).toMatchObject(done)
    await project.save()
    expect(await project.catalogue()).toEqual(await project.freshCatalogue(more))
  })

  test('it is switched off where nothing is in the trash', async () => {
    await project.migrate(await generate(true))
    await project.save()
    await seed()
    const off = await generate(false)
    expect(await project.migrate(off)).toMatchObject({ kind: 'done' })
    expect(await project.catalogue()).toEqual(await project.freshCatalogue(off))
    expect(await project.query('select name from notes order by id')).toEqual([['one'], ['two']])
  })

  test('and asks of what is there: without an answer it stays, with one it goes, and nothing else', async () => {
    await project.migrate(await generate(true))
    await project.save()
    await seed()
    await stamp('notes', 1)
    await note('one', 'x')
    const off = await generate(false)
    expect(await project.migrate(off)).toMatchObject({ kind: 'stops' })
    expect(await project.query('select id from notes order by id')).toEqual([[1], [2], [3]])
    const answers = { acceptDataLoss: true, fills: [] }
    expect(await project.migrate(off, answers)).toMatchObject({ kind: 'done' })
    expect(await project.catalogue()).toEqual(await project.freshCatalogue(off))
    expect(await project.query('select id, name from notes order by id')).toEqual([
      [2, 'two'],
      [3, 'one'],
    ])
    expect(await project.query('select note_id, tag_id from note_tag')).toEqual([[2, 1]])
  })
})
