import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { databases, isTold } from '../../support/databases.js'
import { contents, existing, served, type Existing, type Served } from './project.js'
import { music, rentals } from './schemas.js'

interface Resource {
  readonly id: string
  readonly attributes: Readonly<Record<string, unknown>>
}

async function asked(project: Served, method: string, path: string, body?: unknown) {
  const answer = await project.ask(method, path, body)
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
  return answer.body
}

const read = (project: Served, path: string) => asked(project, 'GET', `/api/svc/${path}`)
const refused = async (project: Served, method: string, path: string, body?: unknown) =>
  (await project.ask(method, `/api/svc/${path}`, body)).status

/** Each record of the API is its row, column by column. */
async function expectRows(
  project: Served,
  from: Existing,
  path: string,
  table: string,
  key: string,
) {
  const rows = await from.rows(`SELECT * FROM "${table}" ORDER BY "${key}"`)
  const { data } = await read(project, `${path}?sort=id&perPage=100`)
  const records: readonly Resource[] = data
  expect(records.map(({ id }) => id)).toEqual(rows.map((row) => String(row[key])))
  for (const [at, { attributes }] of records.entries()) {
    for (const [name, value] of Object.entries(attributes)) {
      expect(plain(value), `${table}.${name}`).toEqual(plain(rows[at]?.[name]))
    }
  }
}

/** Keys and decimals are text in JSON; the driver makes dates of instants. */
function plain(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value
}

describe.each(databases)('a music shop on %s', (database) => {
  let from: Existing
  let before: Awaited<ReturnType<typeof contents>>
  let project: Served
  beforeAll(async () => {
    from = await existing(database, music(database))
    before = await contents(from)
    project = await served(from)
  })

  test('becomes a project that says what it leaves out, and nothing of it changes', async () => {
    expect(await contents(from)).toEqual(before)
    expect(project.said.out).toContain(
      'InvoiceNote: its primary key is several columns (InvoiceId, Line)',
    )
    expect(project.said.out).toContain('ImportLog: it has no primary key')
    expect(project.said.out).toMatch(/Track\.Sample: svc has no field for (blob|bytea)\n/)
    const invoices = readFileSync(join(project.root, 'manifest/invoices.ts'), 'utf8')
    expect(invoices).toContain(`State: select(['open', 'paid']).default('open'),`)
    expect((await project.run('generate', '--check')).code).toBe(0)
  })

  test('is served, row by row, with what belongs to each', async () => {
    await expectRows(project, from, 'artists', 'Artist', 'ArtistId')
    await expectRows(project, from, 'albums', 'Album', 'AlbumId')
    await expectRows(project, from, 'employees', 'Employee', 'EmployeeId')
    await expectRows(project, from, 'tracks', 'Track', 'TrackId')
    await expectRows(project, from, 'playlists', 'Playlist', 'PlaylistId')
    await expectRows(project, from, 'invoices', 'Invoice', 'InvoiceId')

    const { data } = await read(project, 'albums/1?include=artist,producer,tracks.playlists')
    const { artist, producer, tracks } = data.relationships
    expect([artist.attributes.Name, producer.attributes.Name]).toEqual(['The Early', 'The Late'])
    expect(tracks.map((each: Resource) => each.attributes['Name'])).toEqual(['Mist', 'Dew'])
    const boss = await read(project, 'employees/1?include=employees')
    expect(boss.data.relationships.employees).toHaveLength(2)
    const sorted = await read(project, 'albums?sort=-Title&search=o')
    expect(sorted.data.map((each: Resource) => each.attributes['Title'])).toEqual([
      'Noon',
      'Morning',
    ])
  })

  test('is written, and what its database refuses is a refusal', async () => {
    const made = await asked(project, 'POST', '/api/svc/albums', { Title: 'Dawn', ArtistId: '2' })
    const { id } = made.data
    await asked(project, 'PATCH', `/api/svc/albums/${id}`, { Title: 'Dusk', ProducerId: '3' })
    expect(
      await from.rows(
        `SELECT "Title", "ArtistId", "ProducerId" FROM "Album" WHERE "AlbumId" = ${id}`,
      ),
    ).toEqual([
      database === 'sqlite'
        ? { Title: 'Dusk', ArtistId: 2, ProducerId: 3 }
        : { Title: 'Dusk', ArtistId: '2', ProducerId: '3' },
    ])
    await asked(project, 'PATCH', `/api/svc/albums/${id}`, {})
    expect(await refused(project, 'POST', 'albums', { Title: 'Noon', ArtistId: '1' })).toBe(422)
    expect(await refused(project, 'POST', 'albums', { Title: 'Late', ArtistId: '77' })).toBe(422)
    expect(await refused(project, 'DELETE', 'artists/1')).toBe(409)
    const paid = await asked(project, 'POST', '/api/svc/invoices', {
      InvoiceDate: '2026-05-06T07:08:09.000Z',
      Total: '7.50',
    })
    expect(paid.data.attributes).toMatchObject({ State: 'open', Total: '7.50' })
    expect(await refused(project, 'PATCH', `invoices/${paid.data.id}`, { State: 'lost' })).toBe(422)
    await asked(project, 'DELETE', `/api/svc/invoices/${paid.data.id}`)
  })

  test('has its pivot table, its child lists and GraphQL', async () => {
    await asked(project, 'POST', '/api/svc/playlists/2/attach/tracks', { tracks: ['2', '3'] })
    await asked(project, 'POST', '/api/svc/playlists/1/detach/tracks', { tracks: ['1'] })
    const nested = await read(project, 'playlists/2/tracks?sort=id')
    expect(nested.data.map((each: Resource) => each.id)).toEqual(['2', '3'])
    expect(await from.rows('SELECT count(*) AS pairs FROM "PlaylistTrack"')).toEqual([
      { pairs: database === 'sqlite' ? 3 : '3' },
    ])
    const below = await asked(project, 'POST', '/api/svc/albums/1/tracks', {
      Name: 'Fog',
      Milliseconds: 1,
    })
    expect(below.data.attributes).toMatchObject({ AlbumId: '1', UnitPrice: '0.99' })

    const answer = await asked(project, 'POST', '/graphql', {
      query: `{ albumList(sort: ["id"], first: 1) { id Title artist { id Name } tracks { id UnitPrice } } }`,
    })
    expect(answer.errors).toBeUndefined()
    expect(answer.data.albumList).toMatchObject([
      { id: '1', Title: 'Morning', artist: { id: '1' } },
    ])
  })

  test('is filtered by its keys, whatever their columns are called', async () => {
    const from = await existing(database, music(database))
    const project = await served(from, {
      'manifest/artists.ts': (text) => text.replace('fields:', `match: { id: 'integer' }, fields:`),
    })
    const ids = async (query: string) => {
      const { data } = await read(project, `artists?sort=id&${query}`)
      return data.map(({ id }: Resource) => id)
    }
    const [first, second, ...others] = await ids('')
    expect(await ids(`id=${first},${second}`)).toEqual([first, second])
    expect(await ids(`-id=${first}`)).toEqual([second, ...others])
    expect(await ids('id=null')).toEqual([])
    expect(await refused(project, 'GET', 'artists?id=x')).toBe(400)
  })

  if (isTold(database, 'sqlite'))
    test('is made anew elsewhere by its first migration, and changes like any other', async () => {
      const from = await existing(database, music(database))
      const project = await served(from)
      const elsewhere = await existing(database, migration(project))
      expect((await contents(elsewhere)).schema).toEqual((await contents(from)).schema)
      edit(project, 'manifest/albums.ts', (text) =>
        text
          .replace('fields: {', 'fields: { year: integer().nullable(),')
          .replace('import {', 'import { integer,'),
      )
      expect((await project.run('generate', '--no-compile')).errors).toBe('')
      const draft = readFileSync(join(project.root, 'prisma/migrations/draft.sql'), 'utf8')
      expect(
        draft
          .replaceAll(/^--.*\n/gm, '')
          .replaceAll(/ +/g, ' ')
          .trim(),
      ).toBe('ALTER TABLE "Album" ADD COLUMN "year" INTEGER;')
    })
})

test('a video rental on postgresql is served, what svc has no field for left alone', async () => {
  const from = await existing('postgresql', rentals)
  const before = await contents(from)
  const project = await served(from)
  expect(await contents(from)).toEqual(before)
  for (const line of [
    'payment: its primary key is several columns (payment_id, paid_on)',
    'film.special_features: svc has no field for text[]',
    'film.fulltext: svc has no field for tsvector',
    'film_actor.last_update: the database fills it',
    'staff.password: it looks like a secret',
  ]) {
    expect(project.said.out).toContain(`  ${line}\n`)
  }
  await expectRows(project, from, 'languages', 'language', 'language_id')
  await expectRows(project, from, 'actors', 'actor', 'actor_id')
  await expectRows(project, from, 'films', 'film', 'film_id')
  await expectRows(project, from, 'staff', 'staff', 'staff_id')
  await expectRows(project, from, 'customers', 'customer', 'id')
  const { data } = await read(project, 'films/1?include=language,original_language,actors')
  expect(data.relationships.original_language.attributes.name.trim()).toBe('Italian')
  expect(
    data.relationships.actors.map((each: Resource & { pivots: object }) => each.pivots),
  ).toEqual([{ role: null }, { role: 'lead' }])

  const made = await asked(project, 'POST', '/api/svc/films', {
    title: 'New',
    language_id: '2',
    rating: 'PG-13',
  })
  expect(made.data.attributes).toMatchObject({
    rating: 'PG-13',
    rental_rate: '4.99',
    rental_duration: 3,
    is_new: true,
  })
  expect(made.data.attributes.last_update).toMatch(/Z$/)
  await asked(project, 'PATCH', `/api/svc/films/${made.data.id}`, {
    rating: 'PG',
    details: { a: [1] },
  })
  expect(await from.rows(`SELECT rating, details FROM film WHERE title = 'New'`)).toEqual([
    { rating: 'PG', details: { a: [1] } },
  ])
  expect(await refused(project, 'PATCH', `films/${made.data.id}`, { rating: 'X' })).toBe(422)
  expect(await refused(project, 'PATCH', `films/${made.data.id}`, { release_year: 1700 })).toBe(422)
  expect(await refused(project, 'POST', 'films', { title: 'Dawn', language_id: '1' })).toBe(422)
  await asked(project, 'POST', `/api/svc/films/${made.data.id}/attach/actors`, {
    actors: ['2'],
    role: 'cook',
  })
  const customer = await asked(project, 'POST', '/api/svc/customers', { email: 'd@example.com' })
  expect(customer.data.id).toMatch(/^[\da-f-]{36}$/)
  const elsewhere = await existing('postgresql', migration(project))
  expect((await contents(elsewhere)).schema).toEqual(before.schema)
})

test('policies hold for an enum type, before a write and after it', async () => {
  const from = await existing('postgresql', rentals)
  const open = `update: () => ({ rating: { in: ['PG', 'PG-13'] } })`
  const store = `store: () => ({ rating: { not: 'PG-13' } })`
  const project = await served(from, {
    'app/Policies/FilmPolicy.ts': (text) =>
      text
        .replace('update: () => true', open)
        .replace('store: () => true', store)
        .replace('show: () => true', `show: () => ({ rating: { gte: 'G' } })`),
  })
  const { data } = await read(project, 'films')
  expect(data).toHaveLength(1)
  expect(
    await refused(project, 'POST', 'films', { title: 'A', language_id: '1', rating: 'PG-13' }),
  ).toBe(401)
  expect(
    await refused(project, 'POST', 'films', { title: 'A', language_id: '1', rating: 'PG' }),
  ).toBe(201)
  expect(await refused(project, 'PATCH', 'films/1', { rating: 'G' })).toBe(401)
  expect(await refused(project, 'PATCH', 'films/1', { rating: 'PG' })).toBe(200)
})

const migration = ({ root }: Served) =>
  readFileSync(join(root, 'prisma/migrations/19700101000000_baseline/migration.sql'), 'utf8')

function edit({ root }: Served, path: string, change: (text: string) => string): void {
  const file = join(root, path)
  const text = readFileSync(file, 'utf8')
  expect(change(text)).not.toBe(text)
  writeFileSync(file, change(text))
}
