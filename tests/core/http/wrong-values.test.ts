/** Rows that other programs wrote hold what a field cannot. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openManifest } from '../../support/own-manifest.js'
import { databases, load, type Project } from '../../support/project.js'
describe.each(databases)('an integer that holds more than 32 bits on %s', (name) => {
  let project: Project
  let ada: number
  let room: number
  let wrong: number
  const logged: string[] = []

  const sql = (text: string) => project.database.query({ sql: text, access: 'write' }, [])

  beforeAll(async () => {
    project = await openManifest({ manifest: 'tests/core/http/manifests/wrong-values.ts' }, name)
    ada = await project.user('Ada')
    const { log } = await load(project.folder, 'app/log.ts')
    vi.spyOn(log, 'error').mockImplementation((line) => {
      logged.push((line as { err: Error }).err.message)
    })
    if (name === 'postgresql') {
      await sql('alter table rooms alter column beds type bigint, alter column secret type bigint')
      await sql('alter table room_user alter column level type bigint')
    }
    room = await project.insert('rooms', { name: 'right', beds: 2147483647 })
    wrong = await project.insert('rooms', { name: 'wrong', beds: '2147483648', parent_id: room })
  })
  afterAll(async () => {
    vi.restoreAllMocks()
    await project.close()
  })

  const message = () => `The stored 'beds' of rooms ${wrong} is not an integer.`

  it('is an error that says where it is, in REST', async () => {
    for (const path of [
      `rooms/${wrong}`,
      'rooms',
      `rooms/${room}?include=children`,
      `rooms/${room}/children`,
    ]) {
      const answer = await project.get(`/api/svc/${path}`, ada)
      expect([path, answer.status, answer.body]).toEqual([path, 500, { message: message() }])
    }
    expect((await project.get(`/api/svc/rooms/${room}`, ada)).status).toBe(200)
  })

  it('and in GraphQL', async () => {
    const query = `{ room(id: "${wrong}") { name beds } }`
    const { body } = await project.post('/graphql', { query }, ada)
    expect(body.data).toEqual({ room: null })
    expect(body.errors).toMatchObject([
      { message: message(), path: ['room'], extensions: { code: 'WRONG_STORED_VALUE' } },
    ])
  })

  it('whatever its size', async () => {
    await sql(`update rooms set beds = 9223372036854775807 where id = ${wrong}`)
    const answer = await project.get(`/api/svc/rooms/${wrong}`, ada)
    expect([answer.status, answer.body]).toEqual([500, { message: message() }])
  })

  it('and is mended by writing it', async () => {
    const answer = await project.patch(`/api/svc/rooms/${wrong}`, { beds: 5 }, ada)
    expect([answer.status, answer.body.data?.attributes.beds]).toEqual([200, 5])
  })

  it('tells nobody of a field that nobody sees', async () => {
    await sql(`update rooms set secret = 4000000000 where id = ${wrong}`)
    expect((await project.get(`/api/svc/rooms/${wrong}`, ada)).status).toBe(200)
    await sql(`update rooms set secret = 1 where id = ${wrong}`)
  })

  it('stands in a pivot too', async () => {
    await project.link('room_user', { room_id: room, user_id: ada, level: '3000000000' })
    for (const path of [`rooms/${room}?include=users`, `rooms/${room}/users`]) {
      const answer = await project.get(`/api/svc/${path}`, ada)
      expect([path, answer.status, answer.body]).toEqual([
        path,
        500,
        { message: `The stored 'level' of room_user ${room} is not an integer.` },
      ])
    }
  })

  it('is logged with its place and value', () => {
    expect(logged.join()).toContain(`'beds' of rooms ${wrong} holds 2147483648`)
  })
})
