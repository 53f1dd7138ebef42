/** Pivot rows that records of several tables share: they go with their record, and never point at nothing. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { generatePrismaClient } from '../../../generator/write/prisma-client.js'
import { openManifest } from '../../support/own-manifest.js'
import { load, databases, type Project } from '../../support/project.js'

describe.each(databases)('pivot rows of a morphToMany on %s', (name) => {
  let project: Project
  let ada: number
  let tag: number

  beforeAll(async () => {
    project = await openManifest({ manifest: 'tests/features/morphs/manifests/pivots.ts' }, name)
    await generatePrismaClient(project.folder)
    ada = await project.user('Ada')
    tag = await project.insert('tags', { name: 'red' })
  })
  afterAll(() => project.close())

  const loadOwn = (path: string) => load(project.folder, path)
  const sent = (sql: string) => project.database.query({ sql, access: 'write' }, [])

  const made = async (path: 'posts' | 'boxes', author = ada): Promise<string> => {
    const body = { name: 'a', ...(path === 'posts' ? { author_id: author } : {}) }
    const answer = await project.post(`/api/svc/${path}`, body, ada)
    expect(answer.status, JSON.stringify(answer.body)).toBe(201)
    return answer.body.data.id
  }
  const attach = (path: string, id: string) =>
    project.post(`/api/svc/${path}/${id}/attach/tags`, { tags: [tag] }, ada)
  const tagged = async (path: 'posts' | 'boxes'): Promise<string> => {
    const id = await made(path)
    expect((await attach(path, id)).status).toBe(201)
    return id
  }
  const left = () => sent(`select taggable_type, taggable_id from taggables`)

  const doors: Readonly<Record<string, (path: 'posts' | 'boxes', id: string) => Promise<unknown>>> =
    {
      REST: (path, id) => project.delete(`/api/svc/${path}/${id}`, ada),
      GraphQL: (path, id) => {
        const query = `mutation { ${path === 'posts' ? 'deletePost' : 'deleteBox'}(id: "${id}") }`
        return project.post('/graphql', { query }, ada)
      },
      db: async (path, id) =>
        (await loadOwn('app/database.ts')).db.deleteFrom(path).where('id', '=', id).execute(),
      prisma: async (path, id) => {
        const { prisma } = await loadOwn('app/prisma.ts')
        if (path === 'posts') return prisma.post.delete({ where: { id: Number(id) } })
        return prisma.box.delete({ where: { id } })
      },
      SQL: (path, id) => sent(`delete from ${path} where id = '${id}'`),
    }

  it.each(Object.entries(doors))('go with a record that is deleted through %s', async (_, gone) => {
    for (const path of ['posts', 'boxes'] as const) {
      const [id, other] = [await tagged(path), await tagged(path)]
      await gone(path, id)
      expect((await project.get(`/api/svc/${path}/${id}`, ada)).status).toBe(404)
      expect((await left()).map(([type, key]) => [type, String(key)])).toEqual([[path, other]])
      await gone(path, other)
      expect(await left()).toEqual([])
    }
  })

  it('go with a record that goes with another, and with what is attached', async () => {
    const bob = await project.user('Bob')
    expect((await attach('posts', await made('posts', bob))).status).toBe(201)
    await sent(`delete from users where id = ${bob}`)
    expect(await left()).toEqual([])
    await tagged('boxes')
    await sent(`delete from tags where id = ${tag}`)
    expect(await left()).toEqual([])
    tag = await project.insert('tags', { name: 'red' })
  })

  it('never point at a record that is not there, whoever writes them', async () => {
    const post = await tagged('posts')
    const box = await made('boxes')
    const wrong = [
      ['posts', '999999'],
      ['posts', box],
      ['posts', `0${post}`],
      ['boxes', post],
      ['tags', String(tag)],
    ]
    for (const [taggable_type = '', taggable_id = ''] of wrong) {
      const row = project.link('taggables', { taggable_type, taggable_id, tag_id: tag })
      await expect(row).rejects.toMatchObject({ kind: 'foreign', columns: ['taggable_id'] })
      const change = `update taggables set taggable_type = '${taggable_type}', taggable_id = '${taggable_id}'`
      await expect(sent(change)).rejects.toMatchObject({ kind: 'foreign' })
    }
    await project.link('labelleds', { labelled_type: 'boxes', labelled_id: box, tag_id: tag })
    await sent(`delete from boxes where id = '${box}'`)
    expect(await sent('select * from labelleds')).toEqual([])
    await sent('delete from posts')
    expect(await left()).toEqual([])
  })

  it('are none after a race of those that attach and those that delete', async () => {
    for (let round = 0; round < 10; round++) {
      const path = round % 2 === 0 ? 'posts' : 'boxes'
      const id = await made(path)
      const few = () => Array.from({ length: 3 }, () => attach(path, id))
      const row = { taggable_type: path, taggable_id: id, tag_id: tag }
      const byHand = project.link('taggables', row).then(
        () => 201,
        ({ kind }) => (kind === 'foreign' || kind === 'unique' ? 409 : kind),
      )
      const answers = await Promise.all([
        ...few(),
        project.delete(`/api/svc/${path}/${id}`, ada),
        ...few(),
      ])
      const statuses = [...answers.map(({ status }) => status), await byHand]
      const allowed = new Set([201, 204, 404, 409, 422])
      expect(statuses.filter((status) => !allowed.has(status))).toEqual([])
      await project.delete(`/api/svc/${path}/${id}`, ada)
    }
    expect(await left()).toEqual([])
  })
})
