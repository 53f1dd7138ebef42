/** Repositories in the developer's own code. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openManifest } from '../../support/own-manifest.js'
import { databases, type Project } from '../../support/project.js'

const manifest = {
  manifest: 'tests/core/http/manifests/own-code.ts',
  policies: {
    Team: {
      attachUsers: '(user) => user?.is_admin === true',
      show: `(user) => user !== null && { name: { not: 'Hidden' } }`,
    },
  },
  files: {
    'routes/api.ts': `import { Hono } from 'hono'
import type { AppEnv } from '#app/Models.js'
import { db } from '#app/database.js'
import { svcAuth } from '#app/Http/auth.js'
import { middleware } from '#app/Http/middleware.js'
import { svcResources } from '#app/Http/resources.js'
import { TeamRepository } from '#app/Repositories/TeamRepository.js'
import { conflict } from '#runtime/errors.js'
import { attach, detach, sync } from '#runtime/features/pivots/in-code.js'
import { inside } from '#runtime/features/transactions/inside-hooks.js'
import { readBody } from '#runtime/http/request.js'
import { indexQuery } from '#runtime/query/in-code.js'

export const api = new Hono<AppEnv>()
svcAuth(api)
svcResources(api)
api.use('/own/*', ...middleware(['auth:optional']))
api.get('/own/who', (c) => c.json({ id: c.get('user')?.id ?? null }))
api.get('/own/teams', async (c) => {
  const query = indexQuery({ sort: '-name', perPage: 2, name: ['Red', 'Blue', 'Hidden'], page: undefined })
  const where = { users: { some: { id: c.get('user')?.id } } }
  const asked = c.req.query('mine') === 'true' ? { ...query, where } : query
  const user = c.get('user')
  const names = (await TeamRepository.list(user, asked)).map(({ attributes }) => attributes['name'])
  return c.json({ names, total: (await TeamRepository.index(user, asked)).total, count: await TeamRepository.count(user, asked) })
})
api.post('/own/teams/:id/:does', async (c) => {
  const { ids } = await readBody(c) as { ids: number[] }
  const pivots = { id: c.req.param('id'), relation: 'users', ids }
  const user = c.get('user')
  if (c.req.param('does') === 'attach') return c.json(await attach(TeamRepository, user, { ...pivots, values: { is_lead: true } }))
  if (c.req.param('does') === 'sync') return c.json(await sync(TeamRepository, user, pivots))
  await detach(TeamRepository, user, pivots)
  return c.json([])
})
api.post('/own/teams', async (c) => {
  const body = await readBody(c)
  const { name = '' } = body as { name?: string }
  const work = inside(db, async (own, team) => {
    await own.insertInto('events').values({ what: 'made', team_id: Number(team['id']), created_at: '2026-01-01T00:00:00.000Z', updated_at: '2026-01-01T00:00:00.000Z' }).execute()
    if (name === 'Bad') throw conflict('No such team.')
    if (name === 'Waits') await db.deleteFrom('events').execute()
    if (name === 'Calls') await TeamRepository.store(c.get('user'), { name: 'Inner' })
  })
  return c.json(await TeamRepository.store(c.get('user'), body, work), 201)
})
`,
  },
}

describe.each(databases)('code of the owner, on %s', (name) => {
  let project: Project
  let ann: number
  let root: number
  let red: number

  beforeAll(async () => {
    project = await openManifest(manifest, name)
    ann = await project.user('Ann')
    root = await project.user('Root', { is_admin: true })
    red = await project.insert('teams', { name: 'Red' })
    for (const team of ['Blue', 'Green', 'Hidden']) await project.insert('teams', { name: team })
  })
  afterAll(() => project.close())

  const countOf = async (table: string) => {
    const [row] = await project.database.query(
      { sql: `select count(*) from ${table}`, access: 'read' },
      [],
    )
    return Number(row?.[0])
  }

  it('a route behind auth:optional takes guests and users, and no token that is wrong', async () => {
    expect((await project.get('/api/own/who')).body).toEqual({ id: null })
    expect((await project.get('/api/own/who', ann)).body).toEqual({ id: ann })
    const send = (authorization: string) =>
      project.request('GET', '/api/own/who', { headers: { authorization } })
    expect((await send('Bearer made-up')).status).toBe(401)
    expect((await send(`Token ${project.token(ann)}`)).body).toEqual({ id: ann })
    expect((await send(`Basic ${project.token(ann)}`)).status).toBe(401)
  })

  it('a query is written with the parameters of an address, under the policy', async () => {
    const { body } = await project.get('/api/own/teams', ann)
    expect(body).toEqual({ names: ['Red', 'Blue'], total: 2, count: 2 })
  })

  it('many-to-many relations are changed as by the routes, and limit a list as a condition', async () => {
    const change = (does: string, ids: number[], as: number) =>
      project.post(`/api/own/teams/${red}/${does}`, { ids }, as)
    expect((await change('attach', [ann], ann)).status).toBe(403)
    const attached = await change('attach', [ann], root)
    expect(attached.body).toMatchObject([{ user_id: String(ann), is_lead: true }])
    expect((await project.get('/api/own/teams?mine=true', ann)).body).toEqual({
      ...{ names: ['Red'], total: 1, count: 1 },
    })
    expect((await change('sync', [root], root)).status).toBe(200)
    expect((await project.get('/api/own/teams?mine=true', ann)).body.total).toBe(0)
    expect((await change('detach', [root], root)).status).toBe(200)
    expect(await countOf('team_user')).toBe(0)
  })

  it('a write of code runs in the transaction of the repository, and rolls both back', async () => {
    const before = [await countOf('teams'), await countOf('events')]
    expect((await project.post('/api/own/teams', { name: 'New' }, root)).status).toBe(201)
    const after = before.map((count) => count + 1)
    expect([await countOf('teams'), await countOf('events')]).toEqual(after)
    expect((await project.post('/api/own/teams', { name: 'Bad' }, root)).status).toBe(409)
    expect([await countOf('teams'), await countOf('events')]).toEqual(after)
  })

  it.each(['Waits', 'Calls'])(
    'work inside a write is refused what leaves its transaction: %s',
    async (team) => {
      const before = [await countOf('teams'), await countOf('events')]
      const { status, body } = await project.post('/api/own/teams', { name: team }, root)
      expect([status, body.errors]).toEqual([500, undefined])
      expect([await countOf('teams'), await countOf('events')]).toEqual(before)
      expect((await project.post('/api/own/teams', { name: 'After' }, root)).status).toBe(201)
    },
  )
})
