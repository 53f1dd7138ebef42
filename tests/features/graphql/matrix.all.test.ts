/** For every operation and role, REST and GraphQL agree: both let it through, or both refuse for the same reason. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databases, openProject, type Answer, type Project } from '../../support/project.js'
import { ask } from './ask.js'

const roles = ['nobody', 'owner', 'other'] as const
const operations = [
  'index',
  'show',
  'show hidden',
  'show missing',
  'store',
  'store wrong',
  'update',
  'update hidden',
  'delete',
] as const
const kinds = [
  'posts',
  'users',
  'comments',
  'companies',
  'roles',
  'phones',
  'tags',
  'images',
] as const

const types = {
  posts: 'Post',
  users: 'User',
  comments: 'Comment',
  companies: 'Company',
  roles: 'Role',
  phones: 'Phone',
  tags: 'Tag',
  images: 'Image',
}

const codes: Record<number, string> = {
  401: 'UNAUTHENTICATED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  422: 'VALIDATION_FAILED',
}

let unique = 0

describe.each(databases)('REST and GraphQL on %s', (name) => {
  let blog: Project
  const users = new Map<(typeof roles)[number], number | undefined>()

  beforeAll(async () => {
    blog = await openProject('blog', name)
    users.set('nobody', undefined)
    users.set('owner', await blog.user('Ann'))
    users.set('other', await blog.user('Ben'))
  })
  afterAll(() => blog.close())

  const owner = () => Number(users.get('owner'))

  async function row(kind: (typeof kinds)[number], isHidden: boolean): Promise<number> {
    unique += 1
    const published_at = isHidden ? null : '2026-02-03T04:05:06.000Z'
    switch (kind) {
      case 'posts':
        return blog.insert('posts', { title: 'A post', published_at, owner_id: owner() })
      case 'users':
        return blog.user(`User ${unique}`)
      case 'comments':
        return blog.insert('comments', {
          body: 'x',
          post_id: await row('posts', false),
          user_id: owner(),
        })
      case 'companies':
        return blog.insert('companies', { name: 'A company' })
      case 'phones':
        return blog.insert('phones', { number: '1', user_id: await blog.user(`User ${unique}`) })
      case 'images':
        return blog.insert('images', { url: 'https://example.test/x.png' })
      default:
        return blog.insert(kind, { name: `Name ${unique}` })
    }
  }

  async function input(kind: (typeof kinds)[number]): Promise<Record<string, unknown>> {
    unique += 1
    const inputs = {
      posts: { title: 'New' },
      users: { name: 'New', email: `new${unique}@example.test`, password: 'secret-word' },
      comments: { body: 'New', post_id: String(await row('posts', false)) },
      companies: { name: 'New' },
      roles: { name: `New ${unique}` },
      phones: { number: '2', user_id: String(await blog.user(`User ${unique}`)) },
      tags: { name: `New ${unique}` },
      images: { url: 'https://example.test/y.png' },
    }
    return inputs[kind]
  }

  async function both(
    kind: (typeof kinds)[number],
    operation: (typeof operations)[number],
    as: number | undefined,
  ): Promise<[rest: Answer, graphql: Answer]> {
    const type = types[kind]
    const field = type.charAt(0).toLowerCase() + type.slice(1)
    const path = `/api/svc/${kind}`
    const id =
      operation === 'show missing' ? 999_999 : await row(kind, operation.endsWith('hidden'))
    const gql = (query: string, variables: Record<string, unknown> = {}) =>
      ask(blog, query, { as, variables })
    const body = operation === 'store wrong' ? {} : await input(kind)
    switch (operation) {
      case 'index':
        return [await blog.get(path, as), await gql(`{ ${field}List { id } }`)]
      case 'store':
      case 'store wrong': {
        const query = `mutation ($input: ${type}Input!) { create${type}(input: $input) { id } }`
        const rest = await blog.post(path, body, as)
        return [rest, await gql(query, { input: operation === 'store' ? await input(kind) : {} })]
      }
      case 'update':
      case 'update hidden': {
        const query = `mutation ($id: ID!, $input: ${type}Input!) { update${type}(id: $id, input: $input) { id } }`
        const { email: _email, name: _name, user_id: _user, ...change } = body
        return [
          await blog.patch(`${path}/${id}`, change, as),
          await gql(query, { id, input: change }),
        ]
      }
      case 'delete':
        return [
          await blog.delete(`${path}/${id}`, as),
          await gql(`mutation { delete${type}(id: ${await row(kind, false)}) }`),
        ]
      default:
        return [await blog.get(`${path}/${id}`, as), await gql(`{ ${field}(id: ${id}) { id } }`)]
    }
  }

  const cases = kinds.flatMap((kind) =>
    roles.flatMap((role) => operations.map((operation) => ({ kind, role, operation }))),
  )

  it.each(cases)('agree on $operation of $kind for $role', async ({ kind, role, operation }) => {
    const [rest, graphql] = await both(kind, operation, users.get(role))
    expect(graphql.status).toBe(200)
    const told = graphql.body.errors?.[0]?.extensions
    expect(told?.code).toBe(codes[rest.status])
    expect(told?.errors).toEqual(rest.body?.errors)
    if (operation === 'index' && rest.status === 200) {
      const [list] = Object.values<{ id: string }[]>(graphql.body.data)
      expect(list?.map(({ id }) => id)).toEqual(rest.body.data.map(({ id }: { id: string }) => id))
    }
  })
})
