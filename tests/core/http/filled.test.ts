import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databases, openProject, type Project } from '../../support/project.js'

const edits = {
  'manifest/companies.ts': (text: string) =>
    text.replace("title: 'name',", "title: 'name',\n  hooks: true,").replace(
      'name: text().max(120),',
      `name: text().max(120),
    slug: text().unique(),
    code: text(),
    stamp: text().readonly(),`,
    ),
  'manifest/comments.ts': (text: string) =>
    text.replace('post: belongsTo(),', 'post: belongsTo().readonly(),'),
  'app/Hooks/CompanyHooks.ts': () => `import type { CompanyModel, HooksFor } from '#app/Models.js'

let made = 0

export const CompanyHooks: HooksFor<CompanyModel> = {
  fill: {
    slug: (_, { name }) => name?.toLowerCase(),
    stamp: ({ user }) => \`by \${user?.name}\`,
  },
  fillOnStore: { code: async () => \`c\${(made += 1)}\` },
  computed: { summary: () => null },
}
`,
}

const filled = (field: string) => ({ [field]: [`The ${field} field is filled by the server.`] })

describe.each(databases)('columns that hooks fill on %s', (name) => {
  let blog: Project
  let ann: number
  let ben: number
  const path = '/api/svc/companies'

  beforeAll(async () => {
    blog = await openProject('blog', name, edits)
    ann = await blog.user('Ann')
    ben = await blog.user('Ben')
  })
  afterAll(() => blog.close())

  const store = async (body: object) => (await blog.post(path, body, ann)).body.data

  it('are not asked of the body', async () => {
    const { attributes } = await store({ name: 'Acme' })
    expect(attributes).toMatchObject({
      slug: 'acme',
      stamp: 'by Ann',
      code: /^c\d+$/.exec(attributes.code)?.[0],
    })
    const empty = await blog.post(path, {}, ann)
    expect(Object.keys(empty.body.errors)).toEqual(['name'])
  })

  it('are 422 where a body names them, and nothing is written', async () => {
    const { id, attributes } = await store({ name: 'Bolt' })
    const at = `${path}/${id}`
    for (const field of ['slug', 'code']) {
      const { status, body } = await blog.post(path, { name: 'No', [field]: 'mine' }, ann)
      expect([status, body.errors]).toEqual([422, filled(field)])
    }
    const both = await blog.post(path, { slug: null, code: 'x' }, ann)
    expect(Object.keys(both.body.errors).toSorted()).toEqual(['code', 'name', 'slug'])
    for (const send of [blog.patch, blog.put]) {
      const { status, body } = await send(at, { name: 'No', slug: 'mine' }, ann)
      expect([status, body.errors]).toEqual([422, filled('slug')])
    }
    expect((await blog.get(at, ann)).body.data.attributes).toEqual(attributes)
  })

  it('are ignored in the body where the manifest says readonly', async () => {
    const { attributes } = await store({ name: 'Cog', stamp: 'mine' })
    expect(attributes.stamp).toBe('by Ann')
  })

  it('are filled at every write, or when the record is made', async () => {
    const { id, attributes } = await store({ name: 'Dot' })
    const at = `${path}/${id}`
    const renamed = (await blog.put(at, { name: 'Dots' }, ben)).body.data.attributes
    expect(renamed).toMatchObject({ slug: 'dots', stamp: 'by Ben', code: attributes.code })
    // A column stays as it is where a hook answers nothing.
    const touched = (await blog.patch(at, {}, ann)).body.data.attributes
    expect(touched).toMatchObject({ slug: 'dots', stamp: 'by Ann', code: attributes.code })
    const coded = (await blog.patch(at, { code: 'mine' }, ann)).body.data.attributes
    expect(coded.code).toBe('mine')
  })

  it('are the same in GraphQL', async () => {
    const query = `mutation ($input: CompanyInput!) { createCompany(input: $input) { slug code } }`
    const ask = (input: object) => blog.post('/graphql', { query, variables: { input } }, ann)
    expect((await ask({ name: 'Elm' })).body.data.createCompany.slug).toBe('elm')
    const { body } = await ask({ name: 'Elm', slug: 'mine' })
    expect(body.errors[0].extensions.errors).toEqual(filled('slug'))
  })

  it('a belongsTo that is readonly is what the record above says', async () => {
    const post = await blog.insert('posts', { title: 'A', owner_id: ann })
    const other = await blog.insert('posts', { title: 'B', owner_id: ann })
    const alone = await blog.post('/api/svc/comments', { body: 'x', post_id: post }, ann)
    expect([alone.status, alone.body.errors]).toEqual([
      422,
      { post_id: ['The post id field is required.'] },
    ])
    const made = await blog.post(`/api/svc/posts/${post}/comments`, { body: 'x' }, ann)
    expect([made.status, made.body.data.attributes.post_id]).toEqual([201, String(post)])
    const at = `/api/svc/comments/${made.body.data.id}`
    for (const send of [blog.patch, blog.put]) {
      const { status, body } = await send(at, { body: 'y', post_id: other }, ann)
      expect([status, body.data.attributes.post_id]).toEqual([200, String(post)])
    }
  })
})
