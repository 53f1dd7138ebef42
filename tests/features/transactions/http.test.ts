import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGate } from '../../support/gate.js'
import { databases, openProject, type Project } from '../../support/project.js'

describe.each(databases)('transactions across a wait on %s', (name) => {
  let blog: Project
  let ann: number

  beforeAll(async () => {
    blog = await openProject('blog', name)
    ann = await blog.user('Ann')
  })
  afterAll(() => blog.close())

  it('do not block the process, and no answered write is lost', async () => {
    const { database } = blog
    const company = await blog.insert('companies', { name: 'Acme' })
    const order: string[] = []
    const gate = createGate()
    const insert = (n: number) => ({
      sql: `insert into roles (name, created_at, updated_at) values ('held ${n}', ${now}, ${now})`,
      name: `held_${n}`,
      access: 'write' as const,
    })
    const now = name === 'sqlite' ? `'2026-01-01T00:00:00.000+00:00'` : 'now()'
    const held = [0, 1].map((n) =>
      database.transaction(async (connection) => {
        await connection.query(insert(n), [])
        await gate.opened
        await connection.query(insert(n + 10), [])
        order.push(`held ${n}`)
        if (n === 1) throw new Error('rolled back')
      }),
    )
    const outcome = Promise.allSettled(held)
    const stores = Promise.all(
      Array.from({ length: 24 }, (_, n) =>
        blog.post('/api/svc/posts', { title: `Post ${n}` }, ann),
      ),
    )
    const attaches = Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        blog.post(
          `/api/svc/companies/${company}/attach/users`,
          { users: [ann], is_admin: n % 2 === 0 },
          ann,
        ),
      ),
    )
    // Reads do not wait for the writers, nor does the process, all the writes being on their way.
    for (let read = 0; read < 20; read += 1) {
      expect((await blog.get('/api/svc/users', ann)).status).toBe(200)
      await turnOfTheLoop()
    }
    order.push('read')
    gate.open()
    const answers = [...(await stores), ...(await attaches)]
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    expect((await outcome).map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    const { body } = await blog.get('/api/svc/posts?perPage=100', ann)
    const stored = answers.slice(0, 24).map(({ body: { data } }) => data.id)
    expect(body.data.map(({ id }: { id: string }) => id).toSorted()).toEqual(stored.toSorted())
    const roles = await blog.get('/api/svc/roles?search=held', ann)
    expect(
      roles.body.data
        .map((role: { attributes: { name: string } }) => role.attributes.name)
        .toSorted(),
    ).toEqual(['held 0', 'held 10'])
    expect(order[0]).toBe('read')
  })
})
