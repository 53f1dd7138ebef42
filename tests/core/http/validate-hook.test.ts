/** `validate` of hooks: what is wrong with fields together, wherever a record is written. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openManifest } from '../../support/own-manifest.js'
import { databases, type Project } from '../../support/project.js'
const eventHooks = `import type { EventModel, HooksFor } from '#app/Models.js'

export const EventHooks: HooksFor<EventModel> = {
  validate: async (_, { starts_at, ends_at, title, seats, room_id }) => {
    return {
      ...(starts_at && ends_at && ends_at < starts_at ? { ends_at: ['must be after starts at'] } : {}),
      ...(title === 'full' && seats === 0 ? { seats: ['There is no seat.', 'must be more'], title: [] } : {}),
      ...(title === 'roomless' && room_id ? { room_id: ['must be empty'] } : {}),
    }
  },
}
`

const userHooks = `import type { HooksFor, UserModel } from '#app/Models.js'

export const UserHooks: HooksFor<UserModel> = {
  validate: (_, { name, email }) => {
    if (name && email?.startsWith(name)) return { name: ['must not be part of the email'] }
  },
}
`

const path = '/api/svc/events'
const wrong = { starts_at: '2026-02-02T00:00:00Z', ends_at: '2026-02-01T00:00:00Z' }
const said = { ends_at: ['The ends at must be after starts at.'] }

describe.each(databases)('on %s', (database) => {
  let project: Project
  let ada = 0
  beforeAll(async () => {
    const files = {
      'app/Hooks/EventHooks.ts': eventHooks,
      'app/Hooks/UserHooks.ts': userHooks,
    }
    project = await openManifest(
      { manifest: 'tests/core/http/manifests/validate-hook.ts', files },
      database,
    )
    ada = await project.user('ada')
  })
  afterAll(() => project.close())
  beforeEach(() => project.database.query({ sql: 'delete from events', access: 'write' }, []))

  const make = async (body: object) => {
    const { status, body: answer } = await project.post(path, { title: 'Talk', ...body }, ada)
    expect(status).toBe(201)
    return answer.data.id as string
  }
  const refused = async (answer: Promise<{ status: number; body: { errors?: unknown } }>) => {
    const { status, body } = await answer
    return [status, body.errors]
  }

  test('a new record is asked whole, with its defaults', async () => {
    expect(await refused(project.post(path, { title: 'Talk', ...wrong }, ada))).toEqual([422, said])
    const full = { title: 'full', seats: 0, ...wrong }
    expect(await refused(project.post(path, full, ada))).toEqual([
      422,
      { ...said, seats: ['There is no seat.', 'The seats must be more.'] },
    ])
    expect(await refused(project.post(path, { title: 'full' }, ada))).toEqual([201, undefined])
  })

  test('each field passes its own rule first', async () => {
    const body = { title: 'x'.repeat(21), ...wrong }
    expect(await refused(project.post(path, body, ada))).toEqual([
      422,
      { title: ['The title must not be longer than 20 characters.'] },
    ])
  })

  test('a PATCH is asked with the row as it is below it, in one statement more', async () => {
    const id = await make({ starts_at: wrong.starts_at })
    const patch = (body: object) => project.patch(`${path}/${id}`, body, ada)
    expect(await refused(patch({ ends_at: wrong.ends_at }))).toEqual([422, said])
    const right = await patch({ ends_at: '2026-02-03T00:00:00Z' })
    expect(right.status).toBe(200)
    // The token, the row before, the write.
    expect(right.statements.length).toBe(3)
    expect(await refused(project.put(`${path}/${id}`, { title: 'T', ...wrong }, ada))).toEqual([
      422,
      said,
    ])
  })

  test('a PATCH of a record that is not there is 404', async () => {
    expect(await refused(project.patch(`${path}/999`, wrong, ada))).toEqual([404, undefined])
  })

  test('lists are asked row by row, and answered together', async () => {
    const list = [{ title: 'A', ...wrong }, { title: 'B' }, { title: 'C', ...wrong }]
    const answer = await refused(project.post(`${path}/bulk`, list, ada))
    expect(answer).toEqual([422, { '0.ends_at': said.ends_at, '2.ends_at': said.ends_at }])
    const id = await make({ starts_at: wrong.starts_at })
    const changes = [{ id, ends_at: wrong.ends_at }]
    expect(await refused(project.patch(`${path}/bulk`, changes, ada))).toEqual([
      422,
      { '0.ends_at': said.ends_at },
    ])
  })

  test('a list that changes some and makes others is answered together', async () => {
    await make({ code: 'a', starts_at: wrong.starts_at })
    const list = [
      { code: 'b', title: 'B', ...wrong },
      { code: 'a', ends_at: wrong.ends_at },
    ]
    expect(await refused(project.post(`${path}/bulk?upsertBy=code`, list, ada))).toEqual([
      422,
      { '0.ends_at': said.ends_at, '1.ends_at': said.ends_at },
    ])
  })

  test('below a parent, with its id', async () => {
    const room = await project.insert('rooms', { name: 'Red' })
    const below = project.post(`/api/svc/rooms/${room}/events`, { title: 'roomless' }, ada)
    expect(await refused(below)).toEqual([422, { room_id: ['The room id must be empty.'] }])
  })

  test('in GraphQL', async () => {
    const query = `mutation { createEvent(input: { title: "T", starts_at: "${wrong.starts_at}", ends_at: "${wrong.ends_at}" }) { id } }`
    const { body } = await project.post('/graphql', { query }, ada)
    expect(body.errors[0].extensions).toMatchObject({ errors: said })
  })

  test('in a dry run', async () => {
    const answer = project.post(`${path}?dryRun=true`, { title: 'Talk', ...wrong }, ada)
    expect(await refused(answer)).toEqual([422, said])
  })

  test('in their own profile', async () => {
    const profile = project.patch('/api/svc/profile', { email: 'ada@example.org' }, ada)
    const name = ['The name must not be part of the email.']
    expect(await refused(profile)).toEqual([422, { name }])
  })
})
