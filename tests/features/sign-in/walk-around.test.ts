/** No surface is a way around the throttles of another. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../../support/project.js'
import { openAuth, type AuthProject } from './project.js'

const taken = { email: ['The email has already been taken.'] }

describe.each(databases)('the e-mail of an account, on %s', (name) => {
  let project: AuthProject
  beforeAll(async () => {
    project = await openAuth(name, { env: { THROTTLE_LIMIT: '4' } })
    await project.register('victim@example.test')
  })
  afterAll(() => project.close())

  /** Every way to ask for an e-mail of one's own: what it answers, as a status of REST. */
  const doors = async (email: string) => {
    const { body } = await project.register(email)
    const { token } = body.meta
    const path = `/api/svc/users/${body.id}`
    const rest =
      (method: string, at: string, more = {}) =>
      async (wanted: string) => {
        const answer = await project.as(token, method, at, { email: wanted, ...more })
        return { status: answer.status, errors: answer.body.errors, body: answer.body }
      }
    const graphql = async (wanted: string) => {
      const query = `mutation ($id: ID!, $email: String!) { updateUser(id: $id, input: { email: $email }) { email } }`
      const variables = { id: body.id, email: wanted }
      const answer = await project.as(token, 'POST', '/graphql', { query, variables })
      const { message, extensions } = answer.body.errors?.[0] ?? {}
      const statuses: Record<string, number> = { TOO_MANY_REQUESTS: 429, VALIDATION_FAILED: 422 }
      const status = statuses[extensions?.code] ?? answer.status
      return { status, errors: extensions?.errors, body: { message } }
    }
    return {
      profile: rest('PATCH', '/api/svc/profile'),
      patch: rest('PATCH', path),
      put: rest('PUT', path, { name: 'Ann' }),
      graphql,
    }
  }

  test('is answered alike by every surface, registering included, and counted by all together', async () => {
    const ask = await doors('ann@example.test')
    const registered = await project.register('victim@example.test')
    expect(registered).toMatchObject({ status: 422, body: { errors: taken } })
    for (const [door, change] of Object.entries(ask)) {
      const answer = await change('Victim@example.test')
      expect({ door, ...answer }).toMatchObject({ door, status: 422, errors: taken })
    }
    for (const [door, change] of Object.entries(ask)) {
      for (const email of ['victim@example.test', 'free@example.test']) {
        const answer = await change(email)
        const body = { message: 'Too many attempts.' }
        expect({ door, ...answer }).toMatchObject({ door, status: 429, body })
      }
      // What asks for no other e-mail is no attempt.
      expect((await change('ANN@example.test')).status, door).toBe(200)
    }
  })

  test('is changed as often as any other route lets', async () => {
    const { patch, graphql } = await doors('bob@example.test')
    const statuses = []
    for (let at = 0; at < 6; at++) {
      statuses.push((await (at % 2 ? graphql : patch)(`bob${at}@example.test`)).status)
    }
    expect(statuses).toEqual([200, 200, 200, 200, 429, 429])
  })
})

test.each(databases)(
  'whoever may add users adds any number, and finds out few e-mails that are taken, on %s',
  async (name) => {
    const project = await openAuth(name, { env: { THROTTLE_LIMIT: '1' } })
    const { body } = await project.register('ann@example.test')
    const add = (email: string) =>
      project.as(body.meta.token, 'POST', '/api/svc/users', {
        ...{ name: 'X', email, password: 'long enough' },
      })
    const statuses = async (count: number, emailOf: (at: number) => string) => {
      const all = []
      for (let at = 0; at < count; at++) all.push((await add(emailOf(at))).status)
      return all
    }
    expect(await statuses(12, (at) => `new${at}@example.test`)).toEqual(Array(12).fill(201))
    const found = await statuses(11, () => 'new0@example.test')
    expect(found).toEqual([...Array(10).fill(422), 429])
    expect((await add('another@example.test')).status).toBe(429)
    await project.close()
  },
)

const forms = [
  'POST /api/register',
  'POST /api/login',
  'POST /api/svc/forgotPassword',
  'POST /api/svc/resetPassword',
  'PUT /api/password',
  'PATCH /api/svc/profile',
  'PUT /api/svc/profile',
]

describe('forms of signing in', () => {
  let project: AuthProject
  let token = ''
  beforeAll(async () => {
    project = await openAuth('sqlite', { env: { THROTTLE_LIMIT: '2' } })
    token = (await project.register('ann@example.test')).body.meta.token
  })
  afterAll(() => project.close())

  /** A body that notes how much of it was read. */
  const send = async (form: string, size: number) => {
    const [method = '', path = ''] = form.split(' ')
    const read = { bytes: 0 }
    const body = new ReadableStream(
      {
        pull: (controller) => {
          if (read.bytes >= size) return controller.close()
          read.bytes += 1024
          controller.enqueue(new Uint8Array(1024).fill(32))
        },
      },
      { highWaterMark: 0 },
    )
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
    const init = { method, headers, body, duplex: 'half' } as RequestInit
    const answer = await project.fetch(new Request(`http://localhost${path}`, init))
    return { status: answer.status, text: await answer.text(), bytes: read.bytes }
  }

  test.each(forms)('%s takes 16 KB, and reads no more', async (form) => {
    const { status, text, bytes } = await send(form, 1_000_000)
    const message = 'The request body is larger than 16384 bytes.'
    expect({ status, body: JSON.parse(text) }).toEqual({ status: 413, body: { message } })
    expect(bytes).toBe(17 * 1024)
  })

  test.each(forms.filter((each) => !each.includes('profile')))(
    '%s is 429 before its body is read',
    async (form) => {
      const answers = []
      for (let at = 0; at < 12; at++) answers.push(await send(form, 4096))
      const last = answers.at(-1)
      expect({ status: last?.status, bytes: last?.bytes }).toEqual({ status: 429, bytes: 0 })
    },
  )
})
