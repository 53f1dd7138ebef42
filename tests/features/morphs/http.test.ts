/** A record that belongs to a record of one of several repositories. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openManifest } from '../../support/own-manifest.js'
import { databases, type Project } from '../../support/project.js'

const policies = {
  Animal: { show: '(user) => ({ owner_id: user?.id })' },
  Note: {
    show: `(user) => any({ subject: { is: { animals: { owner_id: user?.id }, rooms: true, notes: true } } }, { subject: { isNot: true } })`,
    update: `(user) => ({ subject: { isNot: { rooms: { clinic: { is: { name: 'Closed' } } } } } })`,
  },
}

describe.each(databases)('morphs on %s', (name) => {
  let project: Project
  let ada: number
  let bob: number
  let rex: number
  let tom: number
  let open: string
  let closed: string
  const notes: Record<string, string> = {}

  const noted = async (path: string, body: string, as: number) => {
    const answer = await project.post(`/api/svc/${path}`, { body }, as)
    expect(answer.status, JSON.stringify(answer.body)).toBe(201)
    notes[body] = answer.body.data.id
  }

  beforeAll(async () => {
    project = await openManifest(
      { manifest: 'tests/features/morphs/manifests/notes.ts', policies },
      name,
    )
    ada = await project.user('Ada')
    bob = await project.user('Bob')
    rex = await project.insert('animals', { name: 'Rex', owner_id: ada })
    tom = await project.insert('animals', { name: 'Tom', owner_id: bob })
    const room = async (label: string, clinic: string) => {
      const clinic_id = await project.insert('clinics', { name: clinic })
      const { body } = await project.post('/api/svc/rooms', { name: label, clinic_id }, ada)
      return body.data.id
    }
    open = await room('One', 'Open')
    closed = await room('Two', 'Closed')
    await noted(`animals/${rex}/notes`, 'of Rex', ada)
    await noted(`animals/${tom}/notes`, 'of Tom', bob)
    await noted(`rooms/${open}/notes`, 'of One', ada)
    await noted(`rooms/${closed}/notes`, 'of Two', ada)
    await noted(`notes/${notes['of Rex']}/replies`, 'of a note', ada)
    notes['alone'] = (await project.post('/api/svc/notes', { body: 'alone' }, ada)).body.data.id
  })
  afterAll(() => project.close())

  const bodies = ({ body }: { body: { data: { attributes: { body: string } }[] } }) =>
    body.data.map(({ attributes }) => attributes.body).toSorted()

  it('are included, each as what it is, with one statement for each repository', async () => {
    const answer = await project.get(
      '/api/svc/notes?include=subject.owner[name].nothing,subject.clinic,subject.subject&sort=id',
      ada,
    )
    const found = Object.fromEntries(
      answer.body.data.map(
        (each: { attributes: { body: string }; relationships: { subject: unknown } }) =>
          [each.attributes.body, each.relationships.subject] as const,
      ),
    )
    expect(found).toMatchObject({
      'of Rex': {
        id: String(rex),
        type: 'animals',
        attributes: { name: 'Rex', owner_id: String(ada) },
        relationships: { owner: { type: 'users', attributes: { name: 'Ada' } } },
      },
      'of One': {
        id: open,
        type: 'rooms',
        attributes: { label: 'green' },
        relationships: { clinic: { attributes: { name: 'Open' } } },
      },
      'of a note': {
        type: 'notes',
        relationships: { subject: { type: 'animals', id: String(rex) } },
      },
      alone: null,
    })
    expect(found).not.toHaveProperty(['of Tom'])
    // The token, the page, its total; animals, rooms, notes; below them one each.
    expect(answer.statements.length).toBeLessThanOrEqual(9)
    const columns = await project.get(
      `/api/svc/notes/${notes['of One']}?include=subject[label]`,
      ada,
    )
    expect(columns.body.data.relationships.subject.attributes).toEqual({ label: 'green' })
  })

  it('do not show what the user may not see, nor count it', async () => {
    await project.insert('notes', { body: 'hidden', pictured_type: 'animals', pictured_id: tom })
    const { body } = await project.get('/api/svc/notes?include=pictured', ada)
    const hidden = body.data.find(
      (each: { attributes: { body: string } }) => each.attributes.body === 'hidden',
    )
    expect(hidden.relationships).toEqual({ pictured: null })
  })

  it('decide in conditions who sees and who changes a record', async () => {
    expect(bodies(await project.get('/api/svc/notes?perPage=50', ada))).toEqual([
      'alone',
      'hidden',
      'of One',
      'of Rex',
      'of Two',
      'of a note',
    ])
    expect(bodies(await project.get('/api/svc/notes?perPage=50', bob))).toEqual([
      'alone',
      'hidden',
      'of One',
      'of Tom',
      'of Two',
      'of a note',
    ])
    expect((await project.get(`/api/svc/notes/${notes['of Tom']}`, ada)).status).toBe(404)
    const change = async (body: string) =>
      (await project.patch(`/api/svc/notes/${notes[body]}`, { body }, ada)).status
    expect(await change('of One')).toBe(200)
    expect(await change('of Two')).toBe(403)
    expect(await change('alone')).toBe(200)
    expect(await change('of Rex')).toBe(200)
  })

  it('are filtered by type and id', async () => {
    const about = (query: string) => project.get(`/api/svc/notes?${query}`, ada)
    expect(bodies(await about('subject_type=rooms'))).toEqual(['of One', 'of Two'])
    expect(bodies(await about(`subject_type=animals&subject_id=${rex}`))).toEqual(['of Rex'])
    expect(bodies(await about('subject_type=null'))).toEqual(['alone', 'hidden'])
  })

  it('are reached by nested routes, in both directions', async () => {
    const below = (body: string, rest = '') =>
      project.get(`/api/svc/notes/${notes[body]}/subject${rest}`, ada)
    expect((await below('of Rex')).body.data).toMatchObject([{ id: String(rex), type: 'animals' }])
    expect((await below('of One', `/${open}`)).body.data).toMatchObject({ id: open, type: 'rooms' })
    expect((await below('of One', `/${closed}`)).status).toBe(404)
    expect((await below('alone')).status).toBe(404)
    expect((await below('of Tom')).status).toBe(404)
    const path = `/api/svc/notes/${notes['of One']}/subject`
    expect((await project.patch(`${path}/${open}`, { label: 'blue' }, ada)).status).toBe(405)
    expect((await project.post(path, { name: 'Three' }, ada)).status).toBe(405)
    expect(bodies(await project.get(`/api/svc/rooms/${open}/notes`, ada))).toEqual(['of One'])
  })

  it('may be unique with other columns', async () => {
    const again = await project.post(`/api/svc/animals/${rex}/notes`, { body: 'of Rex' }, ada)
    expect([again.status, Object.keys(again.body.errors)]).toEqual([
      422,
      ['subject_type', 'subject_id', 'body'],
    ])
    expect(
      (await project.post(`/api/svc/animals/${tom}/notes`, { body: 'of Rex' }, bob)).status,
    ).toBe(201)
  })
})

describe.each(databases)('a record that others belong to, on %s', (name) => {
  let project: Project
  let ada: number

  beforeAll(async () => {
    project = await openManifest({ manifest: 'tests/features/morphs/manifests/kept.ts' }, name)
    ada = await project.user('Ada')
  })
  afterAll(() => project.close())

  const made = async (path: string, body: object): Promise<string> => {
    const answer = await project.post(`/api/svc/${path}`, body, ada)
    expect(answer.status, JSON.stringify(answer.body)).toBe(201)
    return answer.body.data.id
  }
  const gone = async (path: string) => (await project.delete(`/api/svc/${path}`, ada)).status
  const read = (path: string) => project.get(`/api/svc/${path}`, ada)
  /** Books of a place that is not there. */
  const orphans = async () => {
    const rows = await project.database.query(
      {
        sql: `select b.name from books b where place_type is not null
          and not exists (select 1 from shelves s where place_type = 'shelves' and cast(s.id as text) = place_id)
          and not exists (select 1 from boxes s where place_type = 'boxes' and cast(s.id as text) = place_id)
          and not exists (select 1 from bags s where place_type = 'bags' and cast(s.id as text) = place_id)
          and not exists (select 1 from books s where place_type = 'books' and cast(s.id as text) = place_id)`,
        access: 'read',
      },
      [],
    )
    return rows.flat()
  }

  it('stays while it has them, unless the manifest says otherwise', async () => {
    const shelf = await made('shelves', { name: 'one' })
    const book = await made(`shelves/${shelf}/books`, { name: 'first' })
    expect(await gone(`shelves/${shelf}`)).toBe(409)
    expect(await gone(`books/${book}`)).toBe(204)
    expect(await gone(`shelves/${shelf}`)).toBe(204)
  })

  it('takes them along, to any depth, or leaves them alone', async () => {
    const box = await made('boxes', { name: 'box', user_id: ada })
    let book = await made(`boxes/${box}/books`, { name: 'whole' })
    for (const part of ['a', 'b', 'c']) book = await made(`books/${book}/parts`, { name: part })
    expect(await gone(`boxes/${box}`)).toBe(204)
    expect((await read(`books/${book}`)).status).toBe(404)
    const bag = await made('bags', { name: 'bag' })
    const carried = await made(`bags/${bag}/book`, { name: 'carried' })
    expect(await gone(`bags/${bag}`)).toBe(204)
    const { place_type, place_id } = (await read(`books/${carried}`)).body.data.attributes
    expect([place_type, place_id]).toEqual([null, null])
    expect(await orphans()).toEqual([])
  })

  it('takes them along when it goes with another, whoever deletes that', async () => {
    const bob = await project.user('Bob')
    const box = await made('boxes', { name: 'of Bob', user_id: bob })
    const book = await made(`boxes/${box}/books`, { name: 'of Bob' })
    const sql = `delete from users where name = 'Bob' returning name`
    expect(await project.database.query({ sql, access: 'write' }, [])).toEqual([['Bob']])
    expect((await read(`books/${book}`)).status).toBe(404)
    const shelf = await made('shelves', { name: 'two' })
    const cara = await project.user('Cara')
    const hers = await made('boxes', { name: 'of Cara', user_id: cara })
    await made(`shelves/${shelf}/books`, { name: 'kept' })
    expect(await gone(`boxes/${hers}`)).toBe(204)
    expect(await orphans()).toEqual([])
  })

  it('keeps them when its key changes', async () => {
    const key = '11234567-89ab-7def-8123-456789abcdef'
    const places = [
      ['shelves', 1_000_001],
      ['boxes', `'${key}'`],
    ] as const
    for (const [path, to] of places) {
      const more = path === 'boxes' ? { user_id: ada } : {}
      const place = await made(path, { name: 'moved', ...more })
      const book = await made(`${path}/${place}/books`, { name: 'stays in it' })
      const from = path === 'boxes' ? `'${place}'` : place
      const sql = `update ${path} set id = ${to} where id = ${from} returning id`
      expect(await project.database.query({ sql, access: 'write' }, [])).toHaveLength(1)
      const { place_id } = (await read(`books/${book}`)).body.data.attributes
      expect(place_id).toBe(String(to).replaceAll("'", ''))
    }
    expect(await orphans()).toEqual([])
  })

  it('is never pointed at when it is not there, whoever writes the row', async () => {
    const wrong = [
      ['shelves', '999'],
      ['boxes', '01234567-89ab-7def-8123-456789abcdef'],
      ['nothing', '1'],
      ['shelves', 'one'],
      // Equal to its number, and another text.
      ['shelves', '01500000000'],
    ]
    await project.insert('shelves', { id: 1_500_000_000, name: 'far' })
    for (const [place_type, place_id] of wrong) {
      const row = project.insert('books', { name: 'lost', place_type, place_id })
      await expect(row).rejects.toMatchObject({ kind: 'foreign', columns: ['place_id'] })
    }
    await made('shelves/1500000000/books', { name: 'far' })
    const book = await project.insert('books', { name: 'found' })
    const sql = `update books set place_type = 'bags', place_id = '999' where id = ${book} returning id`
    await expect(project.database.query({ sql, access: 'write' }, [])).rejects.toMatchObject({
      kind: 'foreign',
    })
  })

  it('has no orphan after a race of those that write and those that delete', async () => {
    for (let round = 0; round < 12; round++) {
      const [path, below] = round % 2 === 0 ? ['boxes', 'books'] : ['shelves', 'books']
      const place = await made(path ?? '', {
        name: 'raced',
        ...(path === 'boxes' ? { user_id: ada } : {}),
      })
      const stores = Array.from({ length: 4 }, () =>
        project.post(`/api/svc/${path}/${place}/${below}`, { name: 'raced' }, ada),
      )
      const all = await Promise.all([
        ...stores,
        project.delete(`/api/svc/${path}/${place}`, ada),
        ...stores,
      ])
      const allowed = new Set([201, 204, 404, 409, 422])
      expect(all.map(({ status }) => status).filter((status) => !allowed.has(status))).toEqual([])
    }
    expect(await orphans()).toEqual([])
  })
})

const theirs = `{ subject: { is: { animals: { owner_id: user?.id } } } }`

describe.each(databases)('a record that is held to what it belongs to, on %s', (name) => {
  let project: Project
  beforeAll(async () => {
    const own = { store: `(user) => (${theirs})`, update: `(user) => (${theirs})` }
    project = await openManifest(
      { manifest: 'tests/features/morphs/manifests/owned.ts', policies: { Note: own } },
      name,
    )
  })
  afterAll(() => project.close())

  it('is stored and changed below what the policy admits, and nowhere else', async () => {
    const [ada, bob] = [await project.user('Ada'), await project.user('Bob')]
    const rex = await project.insert('animals', { name: 'Rex', owner_id: ada })
    const tom = await project.insert('animals', { name: 'Tom', owner_id: bob })
    const store = (path: string) => project.post(`/api/svc/${path}`, { body: 'a' }, ada)
    const made = await store(`animals/${rex}/notes`)
    expect(made.status).toBe(201)
    expect((await store(`animals/${tom}/notes`)).status).toBe(403)
    expect((await store('notes')).status).toBe(403)
    const path = `/api/svc/notes/${made.body.data.id}`
    expect((await project.patch(path, { body: 'b' }, ada)).status).toBe(200)
    expect((await project.patch(path, { body: 'b' }, bob)).status).toBe(403)
  })
})
