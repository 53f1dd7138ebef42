/** Histories that went wrong once, each as short as it can be: `histories.test.ts` found them. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Blueprint } from '../../../generator/blueprint/types.js'
import {
  belongsTo,
  boolean,
  dateTime,
  defineManifest,
  email,
  integer,
  json,
  morphMany,
  morphTo,
  repository,
  text,
  type Manifest,
} from '../../../generator/index.js'
import { databases } from '../../support/databases.js'
import { buildBlueprint } from '../../support/with-features.js'
import { HistoryProject } from './histories/project.js'

const nowhere = { file: 'manifest.ts', line: 1, column: 1 }
const sources = { repositories: new Map(), locate: () => nowhere }

const at = `'2026-01-01T00:00:00.000+00:00'`
const done = { kind: 'done', losses: [] }

describe.each(databases)('on %s', (database) => {
  let project: HistoryProject
  beforeEach(async () => void (project = await HistoryProject.open(database)))
  afterEach(() => project.close())

  const blueprintOf = (repositories: Manifest['repositories']): Blueprint => {
    const manifest = defineManifest({ database, repositories } as never)
    const built = buildBlueprint(manifest, { sources, userModel: null })
    if ('problems' in built) throw new Error(JSON.stringify(built.problems))
    return built.blueprint
  }

  /** `svc generate`, and again. */
  const generate = async (repositories: Manifest['repositories']) => {
    const blueprint = blueprintOf(repositories)
    await project.generate(blueprint)
    expect(await project.isSettled(blueprint)).toBe(true)
    return blueprint
  }
  const expectAsNew = async (blueprint: Blueprint) =>
    expect(await project.catalogue()).toEqual(await project.freshCatalogue(blueprint))
  const begin = async (repositories: Manifest['repositories'], isSaved = true) => {
    expect(await project.migrate(await generate(repositories))).toMatchObject(done)
    if (isSaved) await project.save()
  }

  test('a draft of the same SQL, in which text means something else, looks at the rows', async () => {
    const people = (contact: ReturnType<typeof email>) => ({
      people: repository({ fields: { contact } }),
    })
    await begin(people(text()), false)
    await project.query(
      `insert into people (contact, updated_at) values ('none', ${at}), ('a@b.c', ${at}) returning id`,
    )
    const before = project.draft
    const now = await generate(people(email()))
    expect(project.draft).toBe(before)
    const misfits = [{ table: 'people', column: 'contact', says: 'is no email', rows: 1 }]
    expect(await project.migrate(now)).toMatchObject({ kind: 'stops', misfits })
    // Saves the draft unseen.
    await project.save()
    expect(await project.migrate(now)).toMatchObject({ kind: 'stops', misfits })
    const answers = { acceptDataLoss: false, fills: ['people.contact=x@y.zz'] }
    expect(await project.migrate(now, answers)).toMatchObject(done)
    expect(await project.query('select contact from people order by id')).toEqual([
      ['x@y.zz'],
      ['a@b.c'],
    ])
    expect(await project.hasDraft()).toBe(false)
  })

  test('a column may have the name that a renamed one had', async () => {
    const parent = (key: string, more = {}) => ({ [key]: belongsTo('places', more).nullable() })
    const places = (related: object) =>
      ({ places: repository({ fields: { name: text() }, related } as never) }) as never
    const optional = { onDelete: 'restrict' }
    await begin(places(parent('parent', optional)))
    const renamed = parent('owner', { ...optional, renamedFrom: 'parent' })
    await begin(places(renamed))
    await begin(places({ ...renamed, ...parent('parent', optional) }))
    await expectAsNew(await generate(places({ ...renamed, ...parent('parent', optional) })))
  })

  test('a morph whose table is renamed keeps its triggers where a column is filled as well', async () => {
    const owned = (key: string) => ({ owned: morphMany(key, { name: 'owner' }) })
    const owner = { owner: morphTo() }
    const places = repository({ fields: { name: text() }, related: owned('notes') } as never)
    const notes = repository({ fields: { title: text() }, related: owner } as never)
    await begin({ places, notes } as never)
    const insert = (sql: string) => project.query(`insert into ${sql} returning id`)
    await insert(`places (name, updated_at) values ('a', ${at})`)
    await insert(`notes (title, owner_type, owner_id, updated_at) values ('b', 'places', 1, ${at})`)
    const rooms = repository({
      renamedFrom: 'places',
      fields: { name: text(), size: integer() },
      related: owned('notes'),
    } as never)
    const now = await generate({ rooms, notes } as never)
    const fills = ['rooms.size=7']
    expect(await project.answer(now, { fills })).toEqual([])
    expect(await project.migrate(now)).toMatchObject(done)
    expect(await project.query('select name, size from rooms')).toEqual([['a', 7]])
    expect(await project.query('select owner_type, owner_id from notes')).toEqual([['rooms', 1]])
    await expectAsNew(now)
    await expect(project.query('delete from rooms returning id')).rejects.toThrow()
  })

  test('a field that becomes required and is unique no more is filled alike', async () => {
    const events = (starts: ReturnType<typeof dateTime>) => ({
      events: repository({ fields: { name: text(), starts } }),
    })
    await begin(events(dateTime().nullable().unique()))
    await project.query(
      `insert into events (name, updated_at) values ('a', ${at}), ('b', ${at}) returning id`,
    )
    const now = await generate(events(dateTime()))
    const fills = ['events.starts=2026-02-03T04:05:06Z']
    await project.answer(now, { fills })
    expect(await project.migrate(now)).toMatchObject(done)
    expect(await project.query('select count(*) from events where starts is not null')).toEqual([
      [2],
    ])
    await expectAsNew(now)
  })

  test('a repository that is renamed and gets its name back is no rename', async () => {
    const fields = { name: text() }
    const other = (more: object) => repository({ fields: { is_open: boolean(), ...more } })
    await begin({ shops: repository({ fields }), others: other({}) } as never)
    const others = other({ since: dateTime().nullable() })
    const renamed = { stores: repository({ renamedFrom: 'shops', fields }), others }
    expect(await project.migrate(await generate(renamed as never))).toMatchObject(done)
    await project.query(`insert into stores (name, updated_at) values ('a', ${at}) returning id`)
    const back = { shops: repository({ renamedFrom: 'stores', fields }), others }
    const now = await generate(back as never)
    expect(project.draft).not.toContain('Renamed')
    expect(await project.migrate(now)).toMatchObject(done)
    expect(await project.query('select name from shops')).toEqual([['a']])
    await expectAsNew(now)
  })

  test('an index for lists that was saved unseen is made once', async () => {
    const notes = (more: object, sort: readonly string[]) => ({
      notes: repository({ sort, fields: { name: text().nullable(), ...more } } as never),
    })
    await begin(notes({}, []) as never)
    const extra = { extra: integer().nullable() }
    expect(await project.migrate(await generate(notes(extra, [])))).toMatchObject(done)
    const now = await generate(notes(extra, ['name']))
    await project.save()
    expect(await project.migrate(now)).toMatchObject(done)
    await expectAsNew(now)
  })

  test('what was filled, and is not asked for any more, is forgotten at once', async () => {
    const notes = (more: object) => ({ notes: repository({ fields: { name: text(), ...more } }) })
    await begin(notes({}) as never)
    await project.query(`insert into notes (name, updated_at) values ('a', ${at}) returning id`)
    const asking = await generate(notes({ extra: json() }) as never)
    await project.answer(asking, { fills: ['notes.extra=["z"]'] })
    expect(await project.migrate(asking)).toMatchObject(done)
    const now = await generate(notes({ extra: json().nullable() }) as never)
    expect(await project.migrate(now)).toMatchObject(done)
    expect(await project.query('select name from notes')).toEqual([['a']])
    await expectAsNew(now)
  })

  test('what was saved unseen and taken back is not done to the rows', async () => {
    const notes = (size: ReturnType<typeof integer>, more: object = {}) => ({
      notes: repository({ fields: { name: text(), size, ...more } }),
    })
    const others = repository({ fields: { label: text() } })
    await begin(notes(integer().nullable()) as never)
    await project.query(`insert into notes (name, updated_at) values ('a', ${at}) returning id`)
    const extra = { extra: integer().nullable() }
    const first = await generate(notes(integer().nullable(), extra) as never)
    expect(await project.migrate(first)).toMatchObject(done)
    const asking = await generate({ ...notes(integer(), extra), others } as never)
    await project.answer(asking, { fills: ['notes.size=7'] })
    await project.save()
    const now = await generate(notes(integer().nullable(), extra) as never)
    expect(await project.migrate(now)).toMatchObject(done)
    expect(await project.query('select name, size from notes')).toEqual([['a', null]])
    await expectAsNew(now)
  })

  test('a row without a value takes the fill, though the column has a default now', async () => {
    const notes = (size: ReturnType<typeof integer>) => ({
      notes: repository({ fields: { name: text(), size } }),
    })
    await begin(notes(integer().nullable().default(3)) as never)
    await project.query(
      `insert into notes (name, size, updated_at) values ('a', null, ${at}) returning id`,
    )
    const now = await generate(notes(integer().default(3)) as never)
    expect(await project.answer(now, { fills: ['notes.size=7'] })).toEqual([])
    expect(await project.migrate(now)).toMatchObject(done)
    expect(await project.query('select name, size from notes')).toEqual([['a', 7]])
    await expectAsNew(now)
  })
})
