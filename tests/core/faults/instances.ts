/** Two emitted servers on one database, asked in turns as a round-robin proxy does: nobody can tell that they are two. */
import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { emit } from '../compile/emit.js'
import { startServer, type ServerProcess } from './server-process.js'

const env = {
  ...{ APP_KEY: 'k'.repeat(32), FRONTEND_APP_URL: 'https://front.example', MAIL_MAILER: 'log' },
  ...{ DATABASE_POOL: '3', MIGRATE_ON_START: 'true', THROTTLE_STORE: 'database' },
}

/** @param url Of a database without tables. */
export async function liveOnTwoInstances(url: string): Promise<void> {
  const folder = await emit('blog', 'postgresql')
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const migrations = join(folder, 'prisma/migrations')
  mkdirSync(join(migrations, '1_init'))
  renameSync(join(migrations, 'draft.sql'), join(migrations, '1_init/migration.sql'))

  // Both migrate at their start, and one of them finds that it is done.
  const start = () => startServer(folder, { ...env, DATABASE_URL: url })
  const servers = await Promise.all([start(), start()])
  let turn = 0
  const next = (): ServerProcess => servers[(turn += 1) % 2] ?? servers[0]
  const applied = servers.flatMap((server) => server.log().map(({ msg }) => String(msg)))
  expect(applied.filter((line) => line.includes('1_init applied'))).toHaveLength(1)

  const person = { name: 'Ann', email: 'ann@example.test', password: 'long enough for it' }
  const form = { ...person, password_confirmation: person.password }
  const registered = await next().send('POST', '/api/register', form)
  expect(registered.status, JSON.stringify(registered.body)).toBe(200)
  const token: string = registered.body.meta.token

  // One instance reads at once what the other wrote; many at a time, on few connections.
  const writing = Array.from({ length: 40 }, async (_, n) => {
    const stored = await next().send('POST', '/api/svc/posts', { title: `Post ${n}` }, token)
    expect(stored.status, JSON.stringify(stored.body)).toBe(201)
    const { id } = stored.body.data
    const shown = await next().send('GET', `/api/svc/posts/${id}?include=owner`, undefined, token)
    expect([shown.status, shown.body.data.attributes.title]).toEqual([200, `Post ${n}`])
    expect(shown.body.data.relationships.owner.attributes.name).toBe('Ann')
    const tags = await next().send('POST', `/api/svc/posts/${id}/attach/tags`, { tags: [] }, token)
    expect(tags.status).toBeLessThan(500)
    return id
  })
  const ids = await Promise.all(writing)
  expect(new Set(ids).size).toBe(40)
  const listed = await next().send('GET', '/api/svc/posts?search=post&sort=-id', undefined, token)
  expect(listed.body.meta.total).toBe(40)
  // Days and times are read in UTC, whichever connection reads them.
  expect(listed.body.data[0].attributes.created_at).toMatch(
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  )

  // A token that is ended by one is ended at the other.
  const profile = () => next().send('GET', '/api/svc/profile', undefined, token)
  expect([(await profile()).status, (await profile()).status]).toEqual([200, 200])
  expect((await next().send('POST', '/api/logout', {}, token)).status).toBe(200)
  expect([(await profile()).status, (await profile()).status]).toEqual([401, 401])

  // They count attempts together.
  const wrong = { email: person.email, password: 'not the password' }
  const statuses: number[] = []
  for (let n = 0; n < 8; n += 1)
    statuses.push((await next().send('POST', '/api/login', wrong)).status)
  expect(statuses.filter((status) => status !== 429).length).toBeLessThanOrEqual(6)
  expect(statuses.slice(-2)).toEqual([429, 429])
  for (const server of servers) {
    expect(server.log().filter(({ level }) => Number(level) >= 50)).toEqual([])
  }
}
