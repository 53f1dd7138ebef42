/** `Allow` at addresses beside those of records names the methods that exist, and no others. */
import { METHODS } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databases } from '../../support/databases.js'
import { openManifest } from '../../support/own-manifest.js'
import type { Project } from '../../support/project.js'

const manifest = {
  manifest: 'tests/core/http/manifests/allow.ts',
  edits: {
    'app/Http/Controllers/ReportController.ts': (text: string) =>
      text.replace(".get('/:id'", `.get('/search', (c) => c.json({ own: true }))\n  .get('/:id'`),
  },
}

const writes = ['POST', 'PUT', 'PATCH', 'DELETE'] as const

describe.each(databases)('at addresses beside records, on %s', (name) => {
  let project: Project
  let ann: number
  beforeAll(async () => {
    project = await openManifest(manifest, name)
    ann = await project.user('Ann')
  })
  afterAll(() => project.close())

  const ask = async (method: string, path: string) => {
    const body = ['GET', 'HEAD', 'OPTIONS'].includes(method) ? {} : { body: '{}' }
    const { status, headers } = await project.request(method, `/api/svc/${path}`, {
      ...{ as: ann, ...body, headers: { 'content-type': 'application/json' } },
    })
    return [status, headers.get('allow')]
  }

  it.each([
    ['aggregate', 'GET, HEAD'],
    ['filters', 'GET, HEAD'],
    ['search', 'POST'],
  ])('%s is asked as Allow says, and no other way', async (address, allow) => {
    const taken = allow.split(', ')
    for (const method of ['GET', 'HEAD', ...writes]) {
      const expected = taken.includes(method) ? [200, null] : [405, allow]
      const said = await ask(method, `products/${address}`)
      expect([method, ...said]).toEqual([method, ...expected])
    }
    expect(await ask('OPTIONS', `products/${address}`)).toEqual([204, allow])
  })

  it('a record may have that name where ids are texts, and its methods are there', async () => {
    const here = 'GET, HEAD, PUT, PATCH, DELETE'
    expect(await ask('OPTIONS', 'countries/aggregate')).toEqual([204, here])
    expect(await ask('POST', 'countries/aggregate')).toEqual([405, here])
    expect(await ask('OPTIONS', 'countries/search')).toEqual([
      204,
      'GET, HEAD, POST, PUT, PATCH, DELETE',
    ])
    expect((await ask('PATCH', 'countries/filters'))[0]).toBe(404)
  })

  it("a developer's own route of that address is answered, and Allow has it", async () => {
    expect(await ask('GET', 'reports/search')).toEqual([200, null])
    expect(await ask('POST', 'reports/search')).toEqual([200, null])
    expect(await ask('PUT', 'reports/search')).toEqual([405, 'GET, HEAD, POST'])
    expect(await ask('OPTIONS', 'reports/search')).toEqual([204, 'GET, HEAD, POST'])
  })

  it('records and lists have theirs', async () => {
    const query = METHODS.includes('QUERY') ? 'QUERY, ' : ''
    expect(await ask('PUT', 'products')).toEqual([405, `GET, HEAD, ${query}POST`])
    expect(await ask('OPTIONS', 'products/1')).toEqual([204, 'GET, HEAD, PUT, PATCH, DELETE'])
  })
})
