/** Versions and a trash in one repository: what one of them asks for does not close what the other one does. */
import { expect, onTestFinished, test } from 'vitest'
import { databases } from '../support/databases.js'
import { openManifest, users } from '../support/own-manifest.js'

const repositories = `${users}
  notes: repository({ versioned: 'required', softDeletes: true, fields: { title: text() } }),`

test.each(databases)(
  'a record that needs its version goes, comes back, and goes for good on %s',
  async (name) => {
    const project = await openManifest({ repositories }, name)
    onTestFinished(() => project.close())
    const ada = await project.user('Ada')
    const note = await project.post('/api/svc/notes', { title: 'First' }, ada)
    const path = `/api/svc/notes/${note.body.data.id}`
    const deleted = (version: string) =>
      project.request('DELETE', path, { as: ada, headers: { 'If-Match': version } })

    expect((await project.delete(path, ada)).status).toBe(428)
    expect((await deleted('"2"')).status).toBe(412)
    expect((await deleted('"1"')).status).toBe(204)
    const sent = (method: string, at: string, version: string) =>
      project.request(method, `${path}/${at}`, { as: ada, headers: { 'If-Match': version } })
    const stale = await sent('POST', 'restore', '"1"')
    expect([stale.status, stale.headers.get('etag')]).toEqual([412, '"2"'])
    expect((await sent('POST', 'restore', '2')).status).toBe(400)
    const restored = await sent('POST', 'restore', '"2"')
    expect([restored.status, restored.headers.get('etag')]).toEqual([200, '"3"'])
    expect(restored.body.data.meta).toMatchObject({ version: 3 })
    expect((await deleted('"3"')).status).toBe(204)
    expect((await project.post(`${path}/restore`, {}, ada)).status).toBe(200)
    const forced = await sent('DELETE', 'force', '"3"')
    expect([forced.status, forced.headers.get('etag')]).toEqual([412, '"5"'])
    expect((await deleted('"1"')).status).toBe(412)
    expect((await sent('DELETE', 'force', '"5"')).status).toBe(204)
    expect((await project.get(path, ada)).status).toBe(404)
    const other = await project.post('/api/svc/notes', { title: 'Second' }, ada)
    const gone = await project.delete(`/api/svc/notes/${other.body.data.id}/force`, ada)
    expect(gone.status).toBe(204)
  },
)
