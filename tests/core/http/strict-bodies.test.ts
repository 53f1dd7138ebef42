/** Where bodies are strict, no key is taken and ignored; what may be sent back is. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished, test } from 'vitest'
import { openManifest } from '../../support/own-manifest.js'
import { databases, openProject, type Edits, type Project } from '../../support/project.js'

const strict = {
  'config/svc.ts': (text: string) => text.replace('strict_bodies: false', 'strict_bodies: true'),
}

const edits: Edits = {
  ...strict,
  'app/Policies/PostPolicy.ts': (text) =>
    text.replace('  show: ', '  canUpdate: { published_at: () => false },\n  show: '),
}

describe.each(databases)('strict bodies on %s', (name) => {
  let blog: Project
  let ann = 0
  let post = 0

  beforeAll(async () => {
    blog = await openProject('blog', name, edits)
    ann = await blog.user('Ann', { is_admin: true })
    post = await blog.insert('posts', { title: 'One', description: 'x', owner_id: ann })
  })
  afterAll(() => blog.close())

  const send = async (method: string, path: string, body: unknown) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const headers = { 'content-type': 'application/json' }
    const answer = await blog.request(method, `/api/${path}`, { as: ann, body: text, headers })
    return [answer.status, answer.body.errors ?? answer.body.message ?? null]
  }
  const path = () => `svc/posts/${post}`
  const stored = async () => (await blog.get(`/api/${path()}`, ann)).body.data.attributes

  it('names a key that no field has, and what was meant, and writes nothing', async () => {
    const before = await stored()
    expect(await send('PUT', path(), { title: 'Two', descripton: 'new' })).toEqual([
      422,
      { descripton: ["The descripton field is not known: 'description' is."] },
    ])
    expect(await send('PATCH', path(), { titleCase: 1 })).toEqual([
      422,
      { titleCase: ['The titleCase field is not known. What is taken here: title, description.'] },
    ])
    expect(await stored()).toEqual(before)
    expect(await send('POST', 'svc/posts', { title: 'A', comments: [{ body: 'x' }] })).toEqual([
      422,
      {
        comments: [
          'The comments field is not known. What is taken here: title, description, published_at.',
        ],
      },
    ])
    expect(await send('POST', 'svc/comments', { body: 'x', post })).toEqual([
      422,
      {
        post_id: ['The post id field is required.'],
        post: ["The post field is not known: 'post_id' is."],
      },
    ])
    expect((await blog.get('/api/svc/posts', ann)).body.data).toHaveLength(1)
  })

  it('tells all that is wrong with a body at once, and no more than twenty keys', async () => {
    expect(await send('PATCH', path(), { title: 7, bogus: 1 })).toEqual([
      422,
      expect.objectContaining({ title: ['The title must be text.'], bogus: expect.any(Array) }),
    ])
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`key${at}`, at]))
    const [status, errors] = await send('PATCH', path(), { ...many, ['x'.repeat(9999)]: 1 })
    expect([status, Object.keys(errors).length]).toEqual([422, 20])
    expect(errors.key0).toHaveLength(1)
    const counted = async (method: string, address: string, sent: object) => {
      const body = JSON.stringify(sent)
      const headers = { 'content-type': 'application/json' }
      return (await blog.request(method, address, { as: ann, body, headers })).body.message
    }
    const some = Object.fromEntries(Object.entries(many).slice(0, 25))
    const ends = (count: number) => expect.stringMatching(`\\(and ${count} more errors\\)$`)
    expect(await counted('PATCH', `/api/${path()}`, some)).toEqual(ends(24))
    expect(await counted('PATCH', `/api/${path()}`, { ...some, title: 7 })).toEqual(ends(25))
    // Alike in what is repeated of them.
    const long = { ['x'.repeat(70)]: 1, ['x'.repeat(71)]: 1 }
    expect(await counted('PATCH', `/api/${path()}`, long)).toMatch(/\(and 1 more error\)$/)
    expect(await counted('POST', '/api/login', some)).toEqual(ends(26))
    expect(await send('PATCH', path(), `{"title":"x","__proto__":{}}`)).toEqual([
      422,
      JSON.parse('{"__proto__":["The __proto__ field is not known."]}'),
    ])
    expect(await send('PATCH', path(), `{"constructor":1,"toString":2}`)).toEqual([
      422,
      { constructor: expect.any(Array), toString: expect.any(Array) },
    ])
  })

  it('takes what a response showed, and ignores what no body or not this user writes', async () => {
    const shown = await stored()
    expect(await send('PUT', path(), { id: String(post), ...shown, title: 'Sent back' })).toEqual([
      200,
      null,
    ])
    expect(await stored()).toMatchObject({ title: 'Sent back', published_at: null })
    const gated = { published_at: '2026-01-01T00:00:00.000Z', created_at: 'x', owner_id: 99 }
    expect(await send('PATCH', path(), gated)).toEqual([200, null])
    expect(await stored()).toMatchObject({ published_at: null, owner_id: String(ann) })
    expect(await send('PATCH', path(), { id: 99 })).toEqual([422, { id: expect.any(Array) }])
    expect(await send('POST', 'svc/posts', { id: 99, title: 'x' })).toEqual([
      422,
      { id: expect.any(Array) },
    ])
  })

  it('takes the parent of the path below it, and no other', async () => {
    const [status] = await send('POST', `${path()}/comments`, { body: 'x', post_id: String(post) })
    expect(status).toBe(201)
    expect(await send('POST', `${path()}/comments`, { body: 'x', post_id: post + 1 })).toEqual([
      422,
      { post_id: ['The post id field is not known. What is taken here: body.'] },
    ])
  })

  it('looks at what is attached, and at the forms of signing in', async () => {
    const company = await blog.insert('companies', { name: 'A' })
    const at = `svc/companies/${company}`
    expect(await send('POST', `${at}/attach/users`, { users: [ann], admin: true })).toEqual([
      422,
      { admin: ['The admin field is not known. What is taken here: users, is_admin.'] },
    ])
    expect(await send('POST', `${at}/detach/users`, { users: [ann], is_admin: true })).toEqual([
      422,
      { is_admin: ['The is admin field is not known. What is taken here: users.'] },
    ])
    expect((await send('POST', `${at}/attach/users`, { users: [ann], is_admin: true }))[0]).toBe(
      201,
    )
    const form = { email: 'new@example.test', password: 'long enough' }
    expect(await send('POST', 'login', { ...form, remember: true })).toEqual([
      422,
      { remember: [expect.stringContaining('The remember field is not known.')] },
    ])
    const whole = { ...form, password_confirmation: form.password, name: 'New' }
    expect(await send('POST', 'register', { ...whole, is_admin: true })).toEqual([
      422,
      { is_admin: [expect.stringContaining('is not known')] },
    ])
    expect((await send('POST', 'register', whole))[0]).toBe(200)
    expect((await send('PATCH', 'svc/profile', { name: 'Ann', nmae: 'x' }))[0]).toBe(422)
    expect(await send('PATCH', 'svc/profile', { password: 'x' })).toEqual([
      422,
      { password: [expect.stringContaining('PUT /api/password')] },
    ])
  })

  it('is in the document', async () => {
    const { schemas } = (await blog.get('/openapi.json', ann)).body.components
    for (const name of ['PostPatch', 'Company.users.Attach', 'Post.comments.Store', 'auth.login']) {
      expect([name, schemas[name].additionalProperties]).toEqual([name, false])
    }
    expect(JSON.stringify(schemas.PostValidationError)).not.toContain('additionalProperties')
  })

  it('answers who may not write before it tells what is known', async () => {
    const bob = await blog.user('Bob')
    const answer = await blog.request('PATCH', `/api/${path()}`, {
      as: bob,
      headers: { 'content-type': 'application/json' },
      body: '{"x":1}',
    })
    // Hidden, so not there.
    expect(answer.status).toBe(404)
  })
})

test.each(databases)(
  'a registration may hold the name that the specification shows, where users have none, on %s',
  async (name) => {
    const manifest = 'tests/core/http/manifests/users-without-names.ts'
    const project = await openManifest({ manifest, edits: strict }, name)
    onTestFinished(() => project.close())
    const form = { email: 'ada@example.test', password: 'long enough' }
    const whole = { ...form, password_confirmation: form.password }
    const { status, body } = await project.post('/api/register', { ...whole, name: 'Ada' })
    expect([status, body.attributes?.email]).toEqual([200, 'ada@example.test'])
    const other = await project.post('/api/register', { ...whole, nmae: 'Ada' })
    expect([other.status, Object.keys(other.body.errors)]).toEqual([422, ['nmae']])
  },
)
