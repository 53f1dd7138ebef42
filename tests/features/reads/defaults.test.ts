/** A manifest that does not say `reads` has all of them, as far as its own entries leave them their addresses. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databases } from '../../support/databases.js'
import { openManifest } from '../../support/own-manifest.js'
import type { Project } from '../../support/project.js'

const manifest = { manifest: 'tests/features/reads/manifests/defaults.ts' }

describe.each(databases)('a manifest without reads on %s', (name) => {
  let project: Project

  beforeAll(async () => {
    project = await openManifest(manifest, name)
    for (const place of ['Bath', 'Cork', 'Dover']) {
      const search_id = await project.insert('places', { name: place })
      await project.insert('visits', { name: place, search_id })
    }
  })
  afterAll(() => project.close())

  const names = async (path: string, body?: object) => {
    const url = `/api/svc/${path}`
    const answer = await (body === undefined ? project.get(url) : project.post(url, body))
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    return answer.body.data.map(
      ({ attributes }: { attributes: { name: string } }) => attributes.name,
    )
  }

  it.each(['places', 'visits'])('lets clients ask lists of %s in every way', async (key) => {
    expect(await names(`${key}?name[gt]=Bath&sort=name&fields=name`)).toEqual(['Cork', 'Dover'])
    expect(await names(`${key}?sort=name&offset=1&limit=1`)).toEqual(['Cork'])
    expect(await names(`${key}?sort=-name&cursor=&perPage=1`)).toEqual(['Dover'])
    expect((await project.get(`/api/svc/${key}/filters`)).status).toBe(200)
  })

  it('takes a search in a body, but not of a repository with an entry of that name', async () => {
    const where = { name: { startsWith: 'D' } }
    expect(await names('places/search', { where })).toEqual(['Dover'])
    const { status } = await project.post('/api/svc/visits/search', { where })
    expect([404, 405]).toContain(status)
    const { body } = await project.get('/api/svc/visits?include=search&sort=name&perPage=1')
    expect(body.data[0].relationships.search.attributes.name).toBe('Bath')
  })
})
