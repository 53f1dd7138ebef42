/** A record that belongs to a record of one of several repositories. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openManifest, users } from '../support/own-manifest.js'
import { databases, type Project } from '../support/project.js'

const repositories = `${users}
  clinics: repository({ fields: { name: text() } }),
  animals: repository({
    searchable: ['name'],
    fields: { name: text() },
    related: { owner: belongsTo('users'), notes: morphMany({ name: 'subject' }), photo: morphOne('notes', { name: 'pictured' }) },
  }),
  rooms: repository({
    id: 'uuid',
    fields: { name: text(), label: text().default('green') },
    related: { clinic: belongsTo(), notes: morphMany({ name: 'subject' }) },
  }),
  notes: repository({
    match: { subject_type: 'text', subject_id: 'text' },
    unique: [['subject_type', 'subject_id', 'body']],
    fields: { body: text().max(100) },
    related: {
      subject: morphTo({ description: 'What it is about.' }),
      pictured: morphTo(),
      replies: morphMany('notes', { name: 'subject' }),
    },
  }),`

const policies = {
  Animal: { show: '(user) => ({ owner_id: user?.id })' },
  Note: {
    show: `(user) => any({ subject: { is: { animals: { owner_id: user?.id }, rooms: true, notes: true } } }, { subject: { is: null } })`,
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
    project = await openManifest({ repositories, policies }, name)
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
    const renamed = await project.patch(`${path}/${open}`, { label: 'blue' }, ada)
    expect([renamed.status, renamed.body.data.attributes.label]).toEqual([200, 'blue'])
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
