/** A required text is refused where it is empty or blank, wherever a request may write it; nothing else of it is changed. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openManifest } from '../../support/own-manifest.js'
import { databases, type Project } from '../../support/project.js'

/** Every character that JavaScript's `trim()` takes away, and nothing else. */
const blank = ' \t\n\v\f\r\u00a0\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000\ufeff'
const wrong = ['', ' ', blank]

const manifest = {
  manifest: 'tests/core/http/manifests/blank-texts.ts',
  files: {
    'routes/api.ts': `import { Hono } from 'hono'
import type { AppEnv } from '#app/Models.js'
import { svcAuth } from '#app/Http/auth.js'
import { svcResources } from '#app/Http/resources.js'
import { NoteRepository } from '#app/Repositories/NoteRepository.js'
import { readBody } from '#runtime/http/request.js'

export const api = new Hono<AppEnv>()
svcAuth(api)
svcResources(api)
api.post('/own/notes', async (c) => c.json(await NoteRepository.store(null, await readBody(c)), 201))
`,
  },
}

const note = { code: 'a', title: 'One', body: 'x', open: '' }
const says = (...fields: readonly string[]) =>
  Object.fromEntries(fields.map((field) => [field, [`The ${field} must not be empty.`]]))

describe.each(databases)('on %s', (name) => {
  let project: Project
  let ann: number
  let id: string

  beforeAll(async () => {
    project = await openManifest(manifest, name)
    ann = await project.user('Ann')
    id = (await project.post('/api/svc/notes', note, ann)).body.data.id
    await project.insert('tags', { name: 'red' })
  })
  afterAll(() => project.close())

  const path = () => `/api/svc/notes/${id}`
  const stored = async () => (await project.get(path(), ann)).body.data.attributes

  async function refused(method: string, address: string, body: unknown, errors: object) {
    const headers = { 'content-type': 'application/json' }
    const answer = await project.request(method, address, {
      as: ann,
      headers,
      body: JSON.stringify(body),
    })
    expect([answer.status, answer.body.errors]).toEqual([422, errors])
  }

  it.each(wrong)(
    '%j is no text that a record must have: new ones, changed ones, replaced ones',
    async (text) => {
      const texts = { title: text, body: text, label: text }
      const all = says('title', 'body', 'label')
      await refused('POST', '/api/svc/notes', { ...note, code: 'b', ...texts }, all)
      await refused('PATCH', path(), texts, all)
      await refused('PUT', path(), { ...note, ...texts }, all)
      await refused('POST', '/api/own/notes', { ...note, code: 'b', ...texts }, all)
    },
  )

  it.each(wrong)(
    '%j is refused in lists of records, by a key, and in records of a record',
    async (text) => {
      const bulk = '/api/svc/notes/bulk'
      const errors = { '1.title': ['The title must not be empty.'] }
      await refused(
        'POST',
        bulk,
        [
          { ...note, code: 'b' },
          { ...note, code: 'c', title: text },
        ],
        errors,
      )
      await refused(
        'PATCH',
        bulk,
        [
          { id, body: 'y' },
          { id, title: text },
        ].slice(1),
        {
          '0.title': ['The title must not be empty.'],
        },
      )
      const upsert = '/api/svc/notes?upsertBy=code'
      await refused('POST', upsert, { code: 'a', title: text }, says('title'))
      await refused('POST', upsert, { ...note, code: text }, says('code'))
      await refused(
        'POST',
        '/api/svc/notes',
        { ...note, code: 'b', lines: [{ what: text }] },
        {
          'lines.0.what': ['The what must not be empty.'],
        },
      )
      await refused('POST', `${path()}/lines`, { what: text }, says('what'))
      expect((await project.get('/api/svc/notes', ann)).body.meta.total).toBe(1)
    },
  )

  it.each(wrong)('%j is refused in a column of a pivot, unless that is nullable', async (text) => {
    const attach = `${path()}/attach/tags`
    await refused('POST', attach, { tags: [1], role: text }, says('role'))
    expect((await project.post(attach, { tags: [1], hint: text }, ann)).status).toBe(201)
    const { body } = await project.get(`${path()}?include=tags`, ann)
    expect(body.data.relationships.tags[0].pivots).toEqual({ role: 'member', hint: text })
    await project.post(`${path()}/detach/tags`, { tags: [1] }, ann)
  })

  it.each(wrong)('%j is refused in GraphQL', async (text) => {
    const ask = async (query: string) => {
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify({ query, variables: { text, id } })
      const answer = await project.request('POST', '/graphql', { as: ann, headers, body })
      return answer.body.errors[0].extensions.errors
    }
    const input = 'code: "b", body: "x", open: "", title: $text'
    expect(
      await ask(`mutation ($text: String) { createNote(input: { ${input} }) { id } }`),
    ).toEqual(says('title'))
    const change = 'updateNote(id: $id, input: { title: $text, body: $text })'
    expect(await ask(`mutation ($text: String, $id: ID!) { ${change} { id } }`)).toEqual(
      says('title', 'body'),
    )
  })

  it.each(wrong)(
    '%j is no name of somebody who registers or changes their profile',
    async (text) => {
      const form = {
        email: 'b@example.test',
        password: 'long enough',
        password_confirmation: 'long enough',
      }
      await refused('POST', '/api/register', { ...form, name: text }, says('name'))
      await refused('PATCH', '/api/svc/profile', { name: text }, says('name'))
      const { status, body } = await project.patch('/api/svc/profile', { nickname: text }, ann)
      expect([status, body.data.attributes.nickname]).toEqual([200, text])
    },
  )

  it('a password keeps its blanks, in front and behind, and signs in with them alone', async () => {
    const secret = '  \tsecret word\u00a0 '
    const form = { name: 'Bo', email: 'bo@example.test', password: secret }
    const made = await project.post('/api/register', { ...form, password_confirmation: secret })
    expect(made.status).toBe(200)
    const login = async (password: string) =>
      (await project.post('/api/login', { email: form.email, password })).status
    expect(await login(secret)).toBe(200)
    expect(await login(secret.trim())).toBe(401)
  })

  it.each(wrong)(
    '%j is a text where the field is nullable or allows it, and stays what it is',
    async (text) => {
      const patched = await project.patch(path(), { remark: text, open: text }, ann)
      expect(patched.status).toBe(200)
      expect(await stored()).toMatchObject({ remark: text, open: text })
      await refused('PATCH', path(), { open: null }, { open: ['The open must not be null.'] })
      await refused('PATCH', path(), { ref: text }, { ref: ['The ref must begin with R-.'] })
    },
  )

  it('blanks around a text are kept, and a filter that asks for them finds it', async () => {
    const title = `${blank}x${blank}`
    expect((await project.patch(path(), { title }, ann)).status).toBe(200)
    expect((await stored()).title).toBe(title)
    const found = async (text: string) =>
      (await project.get(`/api/svc/notes?title=${encodeURIComponent(text)}`, ann)).body.meta.total
    expect([await found(title), await found('x')]).toEqual([1, 0])
    await project.patch(path(), { title: 'One' }, ann)
  })

  it('what is beside white space is a text: a zero-width space, a Hangul filler, a control character', async () => {
    for (const title of ['\u200b', '\u3164', '\u0085', '\u001c']) {
      expect((await project.patch(path(), { title }, ann)).status).toBe(200)
    }
  })

  it('a row that holds an empty text from before is shown, and changed in its other fields', async () => {
    const old = await project.insert('notes', { ...note, code: 'old', title: '', label: 'none' })
    const address = `/api/svc/notes/${old}`
    expect((await project.patch(address, { body: 'y' }, ann)).body.data.attributes.title).toBe('')
    await refused('PUT', address, { ...note, code: 'old', title: '' }, says('title'))
    await project.delete(address, ann)
  })

  it('the document says so, by the same white space', async () => {
    const text = readFileSync(join(project.folder, 'app/OpenApi/openapi.json'), 'utf8')
    const { NoteStore, 'auth.register': register } = JSON.parse(text).components.schemas
    const { title, label, remark, open } = NoteStore.properties
    expect(title).toEqual({ type: 'string', minLength: 1, maxLength: 40, pattern: '\\S' })
    expect(label).toEqual({ type: 'string', minLength: 2, maxLength: 255, pattern: '\\S' })
    expect(remark).toEqual({ type: ['string', 'null'], maxLength: 255 })
    expect(open).toEqual({ type: 'string', maxLength: 255 })
    expect(register.properties.password.pattern).toBeUndefined()
    for (const each of wrong) expect(new RegExp(title.pattern, 'u').test(each)).toBe(false)
  })
})
