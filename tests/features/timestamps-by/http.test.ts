/** `timestampsBy`: who made a record and who changed it last, whatever the door it was written through. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openManifest } from '../../support/own-manifest.js'
import { databases, load, type Project } from '../../support/project.js'

const manifest = {
  manifest: 'tests/features/timestamps-by/manifests/http.ts',
  files: {
    'app/Hooks/AlbumHooks.ts': `import type { AlbumModel, HooksFor } from '#app/Models.js'

export const AlbumHooks: HooksFor<AlbumModel> = {
  beforeStore: (_, values) => ({ ...values, created_by_id: 999 }),
  computed: {},
}
`,
  },
}

const path = '/api/svc/albums'

describe.each(databases)('who wrote a record, on %s', (name) => {
  let project: Project
  let ann: number
  let ben: number

  beforeAll(async () => {
    project = await openManifest(manifest, name)
    ann = await project.user('Ann')
    ben = await project.user('Ben')
  })
  afterAll(() => project.close())

  const by = (created: number | null, updated: number | null) => ({
    created_by_id: created === null ? null : String(created),
    updated_by_id: updated === null ? null : String(updated),
  })
  const stamps = async (at: string) => {
    const { created_by_id, updated_by_id } = (await project.get(at, ann)).body.data.attributes
    return { created_by_id, updated_by_id }
  }
  const made = async (as: number, body = {}) => {
    const { status, body: answer } = await project.post(path, { title: 'One', ...body }, as)
    expect([status, answer.errors]).toEqual([201, undefined])
    return answer.data
  }
  const graphql = async (query: string, as: number) => {
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ query })
    const { body: answer } = await project.request('POST', '/graphql', { as, body, headers })
    expect(answer.errors).toBeUndefined()
    return answer.data
  }

  it('is shown, whatever hooks say of it', async () => {
    const { id, attributes } = await made(ann)
    expect(attributes).toMatchObject(by(ann, ann))
    const patched = await project.patch(`${path}/${id}`, { title: 'Two' }, ben)
    expect(patched.body.data.attributes).toMatchObject(by(ann, ben))
    const put = await project.put(`${path}/${id}`, { title: 'Three' }, ann)
    expect(put.body.data.attributes).toMatchObject(by(ann, ann))
  })

  it('is nobody where nobody is signed in', async () => {
    const { AlbumRepository } = await load(project.folder, 'app/Repositories/AlbumRepository.ts')
    const { id, attributes } = await AlbumRepository.store(null, { title: 'One' })
    expect(attributes).toMatchObject(by(null, null))
    await project.patch(`${path}/${id}`, { title: 'Two' }, ben)
    expect(await stamps(`${path}/${id}`)).toEqual(by(null, ben))
    await AlbumRepository.patch(null, id, { title: 'Three' })
    expect(await stamps(`${path}/${id}`)).toEqual(by(null, null))
  })

  it('is not taken from a body', async () => {
    const claimed = { created_by_id: ben, updated_by_id: 'nobody' }
    const { id, attributes } = await made(ann, claimed)
    expect(attributes).toMatchObject(by(ann, ann))
    for (const write of [project.patch, project.put]) {
      const { status, body } = await write(`${path}/${id}`, { title: 'Two', ...claimed }, ann)
      expect([status, body.data.attributes]).toMatchObject([200, by(ann, ann)])
    }
  })

  it('is written below another record, and by lists of children', async () => {
    const { id } = await made(ann)
    const below = `${path}/${id}/songs`
    const song = (await project.post(below, { name: 'Low', created_by_id: ann }, ben)).body.data
    expect(song.attributes).toMatchObject(by(ben, ben))
    await project.patch(`${below}/${song.id}`, { name: 'High' }, ann)
    expect(await stamps(`/api/svc/songs/${song.id}`)).toEqual(by(ben, ann))
    const loose = (await project.post('/api/svc/songs', { name: 'Loose' }, ann)).body.data
    await graphql(
      `mutation { updateAlbum(id: ${id}, input: { song_ids: [${loose.id}] }) { id } }`,
      ben,
    )
    expect(await stamps(`/api/svc/songs/${loose.id}`)).toEqual(by(ann, ben))
    expect(await stamps(`${path}/${id}`)).toEqual(by(ann, ben))
  })

  it('is not changed by attaching, which writes no record', async () => {
    const { id } = await made(ann)
    const label = (await project.post('/api/svc/labels', { name: 'Blue' }, ann)).body.data
    const attached = await project.post(`${path}/${id}/attach/labels`, { labels: [label.id] }, ben)
    expect(attached.status).toBeLessThan(300)
    expect(await stamps(`${path}/${id}`)).toEqual(by(ann, ann))
    expect(Object.keys(label.attributes)).toEqual(['name', 'created_at', 'updated_at'])
  })

  it('is written and read through GraphQL, where no input has it', async () => {
    const create = `mutation { createAlbum(input: { title: "G" }) { id created_by_id created_by { name } } }`
    const { createAlbum } = await graphql(create, ann)
    expect(createAlbum).toMatchObject({
      created_by_id: String(ann),
      created_by: { name: 'Ann' },
    })
    const update = `mutation { updateAlbum(id: ${createAlbum.id}, input: { title: "H" }) { updated_by { name } } }`
    expect(await graphql(update, ben)).toEqual({ updateAlbum: { updated_by: { name: 'Ben' } } })
    const inputs = `{ __type(name: "AlbumInput") { inputFields { name } } }`
    const { __type } = await graphql(inputs, ann)
    expect(__type.inputFields.map((each: { name: string }) => each.name)).toEqual([
      'title',
      'song_ids',
    ])
  })

  it('is included, matched and sorted by, and read from the other side where the manifest says so', async () => {
    const { id } = await made(ann)
    await project.patch(`${path}/${id}`, { title: 'Only' }, ben)
    await project.post('/api/svc/songs', { name: 'Last' }, ben)
    const include = 'include=created_by,updated_by'
    const { relationships } = (await project.get(`${path}/${id}?${include}`, ann)).body.data
    expect(relationships.created_by.attributes.name).toBe('Ann')
    expect(relationships.updated_by.attributes.name).toBe('Ben')
    const found = await project.get(
      `${path}?title=Only&created_by_id=${ann}&sort=updated_by_id`,
      ann,
    )
    expect(found.body.data.map((each: { id: string }) => each.id)).toEqual([id])
    const { data } = (await project.get(`/api/svc/users/${ben}?include=last`, ann)).body
    expect(data.relationships.last[0].attributes).toMatchObject(by(ben, ben))
  })

  it('is reached below a record only where the manifest declares the relation', async () => {
    const { id } = await made(ann)
    const song = (await project.post('/api/svc/songs', { name: 'Own', created_by_id: ben }, ann))
      .body.data
    for (const key of ['created_by', 'updated_by']) {
      expect((await project.get(`${path}/${id}/${key}`, ann)).status).toBe(404)
      expect((await project.get(`${path}/${id}/${key}/${ann}`, ann)).status).toBe(404)
    }
    const below = `/api/svc/songs/${song.id}`
    expect((await project.get(`${below}/updated_by`, ann)).status).toBe(404)
    const { status, body } = await project.get(`${below}/created_by`, ann)
    expect([status, body.data.map((each: { id: string }) => each.id)]).toEqual([200, [String(ann)]])
    const text = await readFile(join(project.folder, 'app/OpenApi/openapi.json'), 'utf8')
    const paths = Object.keys(JSON.parse(text).paths).filter((each) =>
      /(cre|upd)ated_by/.test(each),
    )
    expect(paths).toEqual([
      '/api/svc/songs/{id}/created_by',
      '/api/svc/songs/{id}/created_by/{relatedId}',
    ])
  })

  it('is nobody for those who register, and oneself for a profile of one’s own', async () => {
    const account = { name: 'Cas', email: 'cas@example.com', password: 'long enough' }
    const registered = await project.post('/api/register', {
      ...account,
      password_confirmation: account.password,
    })
    expect(registered.status).toBe(200)
    const headers = {
      authorization: `Bearer ${registered.body.meta.token}`,
      'content-type': 'application/json',
    }
    const own = await project.request('GET', '/api/svc/profile', { headers })
    const { id } = own.body.data
    expect(await stamps(`/api/svc/users/${id}`)).toEqual(by(null, null))
    const body = JSON.stringify({ name: 'Cass' })
    const changed = await project.request('PATCH', '/api/svc/profile', { headers, body })
    expect(changed.status).toBe(200)
    expect(await stamps(`/api/svc/users/${id}`)).toEqual(by(null, Number(id)))
  })

  it('is forgotten when the user is deleted, and the record stays', async () => {
    const eve = await project.user('Eve')
    const { id } = await made(eve)
    expect((await project.delete(`/api/svc/users/${eve}`, ann)).status).toBe(204)
    expect(await stamps(`${path}/${id}`)).toEqual(by(null, null))
  })
})
