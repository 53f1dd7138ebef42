/** A user's own record has a version, too, and their profile keeps to it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { databases } from '../../support/databases.js'
import { openManifest } from '../../support/own-manifest.js'

const manifests = 'tests/features/versions/manifests'
const path = '/api/svc/profile'
const headers = { 'content-type': 'application/json' }

async function opened(name: (typeof databases)[number], versioned = 'true') {
  const change = (text: string) => text.replace('versioned: true', `versioned: ${versioned}`)
  const project = await openManifest({ manifest: `${manifests}/profile.ts`, change }, name)
  onTestFinished(() => project.close())
  const ann = await project.user('Ann')
  const send = async (method: string, version?: string) => {
    const more = version === undefined ? headers : { ...headers, 'if-match': version }
    const body = method === 'GET' ? {} : { body: JSON.stringify({ name: `Ann ${version}` }) }
    const answer = await project.request(method, path, { as: ann, headers: more, ...body })
    return [answer.status, answer.headers.get('etag')]
  }
  const document = JSON.parse(
    readFileSync(join(project.folder, 'app/OpenApi/openapi.json'), 'utf8'),
  )
  const { parameters = [], responses } = document.paths[path].patch
  const described = [...parameters, ...Object.keys(responses)].map(
    (each: string | { $ref: string }) => (typeof each === 'string' ? each : each.$ref),
  )
  return { project, ann, send, described }
}

test.each(databases)('a profile is changed in the version that is named, on %s', async (name) => {
  const { project, ann, send, described } = await opened(name)
  expect(await send('GET')).toEqual([200, '"1"'])
  expect(await send('PATCH', '"1"')).toEqual([200, '"2"'])
  expect(await send('PATCH', '"1"')).toEqual([412, '"2"'])
  expect(await send('PUT', '"2"')).toEqual([200, '"3"'])
  expect(await send('PATCH', '3')).toEqual([400, null])
  expect(await send('PATCH', '*')).toEqual([200, '"4"'])
  expect(await send('PATCH')).toEqual([200, '"5"'])
  const { body } = await project.get(path, ann)
  expect(body.data).toMatchObject({ attributes: { name: 'Ann undefined' }, meta: { version: 5 } })
  expect(described).toEqual(
    expect.arrayContaining(['#/components/parameters/IfVersion', '400', '412']),
  )
  expect(described).not.toContain('428')
})

test('and must name it, where every change must', async () => {
  const { send, described } = await opened('sqlite', "'required'")
  expect(await send('PATCH')).toEqual([428, null])
  expect(await send('PATCH', '"1"')).toEqual([200, '"2"'])
  expect(described).toEqual(
    expect.arrayContaining(['#/components/parameters/VersionToChange', '412', '428']),
  )
})

test('a profile without a version refuses one, whatever other records have', async () => {
  const project = await openManifest({ manifest: `${manifests}/profile-notes.ts` }, 'sqlite')
  onTestFinished(() => project.close())
  const ann = await project.user('Ann')
  const more = { ...headers, 'if-match': '"1"' }
  const sent = { as: ann, headers: more, body: JSON.stringify({ name: 'A' }) }
  expect((await project.request('PATCH', path, sent)).status).toBe(400)
})

test('a route of yours keeps to versions where it hands the request on', async () => {
  const guide = readFileSync(join(import.meta.dirname, '../../../docs/versions.md'), 'utf8')
  const [, route = ''] = /^```ts\n(\/\/ routes\/api\.ts\n.*?)^```/ms.exec(guide) ?? []
  const manifest = {
    manifest: `${manifests}/profile-pages.ts`,
    files: { 'routes/api.ts': route },
  }
  const project = await openManifest(manifest, 'sqlite')
  onTestFinished(() => project.close())
  const ann = await project.user('Ann')
  const { id } = (await project.post('/api/svc/pages', { title: 'one' }, ann)).body.data
  const send = async (version: string) => {
    const sent = { as: ann, body: '{"title":"two"}', headers: { ...headers, 'if-match': version } }
    const { status, headers: got } = await project.request('POST', `/api/pages/${id}/title`, sent)
    return [status, got.get('etag')]
  }
  expect(await send('"1"')).toEqual([200, '"2"'])
  expect(await send('"1"')).toEqual([412, '"2"'])
  // As nginx weakens the tag of an answer that it compresses.
  expect(await send('W/"2"')).toEqual([412, '"2"'])
})
