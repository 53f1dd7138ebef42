/** Versions and a trash in one repository: what one of them asks for does not close what the other one does. */
import { expect, onTestFinished, test } from 'vitest'
import { databases } from '../../support/databases.js'
import { openManifest } from '../../support/own-manifest.js'
test.each(databases)(
  'a record that needs its version goes, comes back, and goes for good on %s',
  async (name) => {
    const project = await openManifest(
      { manifest: 'tests/features/versions/manifests/trash.ts' },
      name,
    )
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

test.each(databases)(
  'GraphQL finds it in the trash, and brings back the version that it names, on %s',
  async (name) => {
    const project = await openManifest(
      { manifest: 'tests/features/versions/manifests/trash.ts' },
      name,
    )
    onTestFinished(() => project.close())
    const ada = await project.user('Ada')
    const ask = async (query: string, headers = {}) => {
      const init = { as: ada, body: JSON.stringify({ query }) }
      const sent = { 'content-type': 'application/json', ...headers }
      return (await project.request('POST', '/graphql', { ...init, headers: sent })).body
    }
    const codes = (answer: { errors: { extensions: { code: string } }[] }) =>
      answer.errors.map(({ extensions }) => extensions.code)
    const { data } = await ask('mutation { createNote(input: { title: "First" }) { id } }')
    const id = `id: "${data.createNote.id}"`
    await ask(`mutation { deleteNote(${id}, version: 1) }`)

    expect(codes(await ask(`{ note(${id}) { title } }`))).toEqual(['NOT_FOUND'])
    const found = { data: { note: { title: 'First', version: 2 } } }
    expect(await ask(`{ note(${id}, trashed: only) { title version } }`)).toEqual(found)
    expect(await ask(`{ note(${id}, trashed: with) { title version } }`)).toEqual(found)

    const stale = await ask(`mutation { restoreNote(${id}, version: 1) { title } }`)
    expect(codes(stale)).toEqual(['PRECONDITION_FAILED'])
    const none = await ask(`mutation { restoreNote(${id}, version: -1) { title } }`)
    expect(none.errors[0].message).toBe('The version parameter must be the number of a version.')
    const restored = await ask(`mutation { restoreNote(${id}, version: 2) { version } }`)
    expect(restored).toEqual({ data: { restoreNote: { version: 3 } } })
    expect(codes(await ask(`{ note(${id}, trashed: only) { title } }`))).toEqual(['NOT_FOUND'])

    expect(codes(await ask(`mutation { forceDeleteNote(${id}, version: 2) }`))).toEqual([
      'PRECONDITION_FAILED',
    ])
    const header = await ask(`mutation { forceDeleteNote(${id}) }`, { 'If-Match': '"3"' })
    expect(header.errors[0].message).toContain('takes the argument `version`')
    expect(await ask(`mutation { forceDeleteNote(${id}, version: 3) }`)).toEqual({
      data: { forceDeleteNote: true },
    })
    const other = await ask('mutation { createNote(input: { title: "Second" }) { id } }')
    const gone = await ask(`mutation { forceDeleteNote(id: "${other.data.createNote.id}") }`)
    expect(gone).toEqual({ data: { forceDeleteNote: true } })
  },
)
