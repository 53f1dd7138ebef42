/** `POST /:id/restore` tells nobody of records that they may not restore. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openManifest } from '../../support/own-manifest.js'
import { databases, type Project } from '../../support/project.js'

const own = '(user) => ({ owner_id: user?.id })'

const manifest = {
  manifest: 'tests/features/soft-deletes/manifests/restore.ts',
  policies: {
    Album: { show: own, restore: own, forceDelete: own },
    Photo: {
      show: own,
      restore: "(user) => ({ owner_id: user?.id, name: { not: 'locked' } })",
      forceDelete: own,
    },
  },
}

const api = '/api/svc'
const [liveAlbum, trashedAlbum] = [1, 2]
const gone = '2024-01-01T00:00:00.000Z'

describe.each(databases)('restoring records of others on %s', (name) => {
  let project: Project
  let [ann, bob] = [0, 0]
  beforeAll(async () => {
    project = await openManifest(manifest, name)
    ann = await project.user('Ann')
    bob = await project.user('Bob')
    const album = { name: 'album', owner_id: ann }
    await project.insert('albums', { id: liveAlbum, ...album })
    await project.insert('albums', { id: trashedAlbum, ...album, deleted_at: gone })
    const photo = { owner_id: ann, deleted_at: gone }
    await project.insert('photos', { id: 11, name: 'open', album_id: liveAlbum, ...photo })
    await project.insert('photos', { id: 21, name: 'open', album_id: trashedAlbum, ...photo })
    await project.insert('photos', { id: 12, name: 'locked', album_id: liveAlbum, ...photo })
    await project.insert('photos', { id: 22, name: 'locked', album_id: trashedAlbum, ...photo })
  })
  afterAll(() => project.close())

  const absent = 99
  const overRest = async (id: number, as: number) => {
    const { status, body } = await project.post(`${api}/photos/${id}/restore`, {}, as)
    return { status, body: body as unknown }
  }
  const overGraphql = async (id: number, as: number) => {
    const query = `mutation { restorePhoto(id: ${id}) { id } }`
    const { status, body } = await project.post('/graphql', { query }, as)
    return { status, body: body as unknown }
  }

  it.each([
    ['REST', overRest],
    ['GraphQL', overGraphql],
  ] as const)('a hidden record answers like an absent one over %s', async (_, restore) => {
    const answer = await restore(absent, bob)
    for (const id of [11, 21, 12, 22]) expect([id, await restore(id, bob)]).toEqual([id, answer])
  })

  it.each([
    ['REST', overRest],
    ['GraphQL', overGraphql],
  ] as const)('a refused restore is refused whatever is above, over %s', async (_, restore) => {
    expect(await restore(22, ann)).toEqual(await restore(12, ann))
  })

  it('is 404 for hidden records, 403 where the policy denies, 422 below the trash', async () => {
    const statuses = [(await overRest(21, bob)).status, (await overRest(22, ann)).status]
    expect([...statuses, (await overRest(21, ann)).status]).toEqual([404, 403, 422])
  })
})
