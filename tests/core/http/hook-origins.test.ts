/** `hooks: 'inside'`: hooks know through which surface a write came, and whether it is one of a list. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openManifest } from '../../support/own-manifest.js'
import { databases, load, type Project } from '../../support/project.js'

const hooks = (
  name: string,
  more = '',
) => `import type { InsideHooksFor, ${name}Model } from '#app/Models.js'
import { ran } from '#app/ran.js'

type Context = Parameters<NonNullable<InsideHooksFor<${name}Model>['insideStore']>>[0]

const say = (hook: string, { origin, isMany }: Pick<Context, 'origin' | 'isMany'>) =>
  void ran.push(\`\${hook} \${origin} \${isMany ? 'many' : 'one'}\`)

export const ${name}Hooks: InsideHooksFor<${name}Model> = {
  beforeStore: (context) => say('beforeStore ${name}', context),
  insideStore: (context) => say('insideStore ${name}', context),
  insideUpdate: (context) => say('insideUpdate ${name}', context),
  insideDelete: (context) => say('insideDelete ${name}', context),
  ${more}
}
`

const manifest = {
  manifest: 'tests/core/http/manifests/hook-origins.ts',
  files: {
    'app/ran.ts': 'export const ran: string[] = []\n',
    'app/Hooks/PostHooks.ts': hooks(
      'Post',
      "afterBulk: (context) => say('afterBulk Post', context),",
    ),
    'app/Hooks/CommentHooks.ts': hooks('Comment'),
  },
  edits: {
    // A route of the owner's beside /graphql.
    'app/app.ts': (text: string) =>
      `import { PostRepository } from '#app/Repositories/PostRepository.js'\n${text}`.replace(
        "  app.route('/api', api)",
        "  app.post('/graphql-x', async (c) => c.json(await PostRepository.store(null, { title: 'X' })))\n$&",
      ),
  },
}

const api = '/api/svc/posts'

describe.each(databases)('what hooks know of their request on %s', (name) => {
  let project: Project
  let ann = 0
  let ran: string[] = []
  let id: string
  beforeAll(async () => {
    project = await openManifest(manifest, name)
    ann = await project.user('Ann')
    ;({ ran } = await load(project.folder, 'app/ran.ts'))
    id = String(await project.insert('posts', { title: 'Old' }))
  })
  afterAll(() => project.close())
  beforeEach(() => {
    ran.length = 0
  })

  /** The hooks that ran in a request, each once. */
  const hooksOf = async (method: string, path: string, body: unknown) => {
    const sent = {
      as: ann,
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    }
    const { status, body: answer } = await project.request(method, path, sent)
    expect([status < 300, answer?.errors]).toEqual([true, undefined])
    return [...new Set(ran.splice(0))]
  }
  const mutated = (query: string) => hooksOf('POST', '/graphql', { query: `mutation { ${query} }` })

  it('one record by REST is one, made, changed and deleted', async () => {
    const comments = [{ body: 'First' }]
    expect(await hooksOf('POST', api, { title: 'A', comments })).toEqual([
      'beforeStore Post rest one',
      'beforeStore Comment rest one',
      'insideStore Comment rest one',
      'insideStore Post rest one',
    ])
    expect(await hooksOf('POST', `${api}?upsertBy=title`, { title: 'B' })).toEqual([
      'beforeStore Post rest one',
      'insideStore Post rest one',
    ])
    expect(await hooksOf('PATCH', `${api}/${id}`, { title: 'C' })).toEqual([
      'insideUpdate Post rest one',
    ])
  })

  it('a route whose path only begins like that of GraphQL is code of the owner', async () => {
    expect(await hooksOf('POST', '/graphql-x', {})).toEqual([
      'beforeStore Post code one',
      'insideStore Post code one',
    ])
  })

  it('a list by REST is many, with the records below', async () => {
    const row = (title: string) => ({ title, comments: [{ body: title }] })
    expect(await hooksOf('POST', `${api}/bulk`, [row('D'), row('E')])).toEqual([
      'beforeStore Post rest many',
      'beforeStore Comment rest many',
      'insideStore Comment rest many',
      'insideStore Post rest many',
      'afterBulk Post rest many',
    ])
    expect(await hooksOf('POST', `${api}/bulk?upsertBy=title`, [{ title: 'F' }])).toEqual([
      'beforeStore Post rest many',
      'insideStore Post rest many',
      'afterBulk Post rest many',
    ])
    expect(await hooksOf('PATCH', `${api}/bulk`, [{ id, title: 'G' }])).toEqual([
      'insideUpdate Post rest many',
      'afterBulk Post rest many',
    ])
    const gone = await project.insert('posts', { title: 'Gone' })
    expect(await hooksOf('POST', `${api}/bulk/delete`, { ids: [String(gone)] })).toEqual([
      'insideDelete Post rest many',
      'afterBulk Post rest many',
    ])
  })

  it('lists and single records of one GraphQL request are told apart', async () => {
    expect(await mutated('createPost(input: { title: "H" }) { id }')).toEqual([
      'beforeStore Post graphql one',
      'insideStore Post graphql one',
    ])
    const list = 'createPostList(input: [{ title: "I" }, { title: "J" }]) { id }'
    expect(await mutated(`${list} createPost(input: { title: "K" }) { id }`)).toEqual([
      'beforeStore Post graphql many',
      'insideStore Post graphql many',
      'afterBulk Post graphql many',
      'beforeStore Post graphql one',
      'insideStore Post graphql one',
    ])
    expect(await mutated(`updatePostList(input: [{ id: "${id}", title: "L" }]) { id }`)).toEqual([
      'insideUpdate Post graphql many',
      'afterBulk Post graphql many',
    ])
    expect(await mutated('upsertPostList(by: title, input: [{ title: "M" }]) { id }')).toEqual([
      'beforeStore Post graphql many',
      'insideStore Post graphql many',
      'afterBulk Post graphql many',
    ])
  })

  it('code that no request calls is code', async () => {
    const { PostRepository } = await load(project.folder, 'app/Repositories/PostRepository.ts')
    await PostRepository.store({ id: ann }, { title: 'N' })
    expect(ran).toEqual(['beforeStore Post code one', 'insideStore Post code one'])
  })
})
