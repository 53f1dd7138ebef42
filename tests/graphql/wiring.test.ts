/** The endpoint on repositories of its own: wiring, gates, ids, and the config keys that the runtime reads. */
import { Hono } from 'hono'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defineConfig } from '../../runtime/config.js'
import type { Database } from '../../runtime/database/types.js'
import type { Environment } from '../../runtime/env.js'
import { defineGraphql, type GraphqlConfigInput } from '../../runtime/graphql/config.js'
import { createGraphql } from '../../runtime/graphql/endpoint.js'
import type { ResolverClass } from '../../runtime/graphql/resolver.js'
import { onError } from '../../runtime/http/answers.js'
import type { ServerEnv } from '../../runtime/http/context.js'
import { serverDefaults } from '../../runtime/http/server-defaults.js'
import { createBlog, type BlogOptions } from '../kernel/blog.js'
import { counted, openDatabase } from '../kernel/databases.js'
import { populate, type Made } from '../kernel/population.js'

const sdl = (more = '', fields = '', input = '') => `
  directive @field(resolver: String!) on FIELD_DEFINITION
  directive @ids(of: String!) on FIELD_DEFINITION | INPUT_FIELD_DEFINITION
  type Query {
    user(id: ID!): User @field(resolver: "UserResolver@show")
    post(id: ID!): Post @field(resolver: "PostResolver@show")
    postList(first: Int = 15, page: Int = 1): [Post!]! @field(resolver: "PostResolver@index")
    ${more}
  }
  type Mutation {
    createUser(input: UserInput!): User! @field(resolver: "UserResolver@create")
    updatePost(id: ID!, input: PostInput!): Post! @field(resolver: "PostResolver@update")
    updateUser(id: ID!, input: UserInput!): User! @field(resolver: "UserResolver@update")
  }
  type Post { id: ID! comment_ids: [String!] @ids(of: "comments") title: String owner_id: String owner: User ${fields} }
  type User { id: ID! name: String post_ids: [String!] @ids(of: "posts") posts(first: Int = 15): [Post!] posts_total: Int }
  input PostInput { title: String comment_ids: [ID!] @ids(of: "comments") }
  input UserInput { name: String email: String password: String post_ids: [ID!] @ids(of: "posts") ${input} }
`

let database: Database
let made: Made
const ada = { id: 1 }

beforeAll(async () => {
  database = await openDatabase('sqlite')
  made = await populate(database, createBlog(database))
})
afterAll(() => database.close())

interface Options {
  readonly text?: string
  readonly resolvers?: Readonly<Record<string, ResolverClass<never>>>
  readonly graphql?: GraphqlConfigInput
  readonly environment?: Environment
  readonly middleware?: string[]
  readonly blog?: BlogOptions
  readonly user?: object | null
}

function serve({
  text = sdl(),
  resolvers = {},
  graphql = {},
  environment = 'test',
  middleware = [],
  blog,
  user = ada,
}: Options = {}) {
  const { posts, users } = createBlog(database, blog)
  const config = defineConfig({ middleware })
  const app = new Hono<ServerEnv>()
  const log = pino({ level: 'silent' })
  app.use(serverDefaults({ config, log, database, environment }))
  app.use(async (c, next) => {
    c.set('user', user)
    await next()
  })
  const names = () => []
  const repositories = { Post: posts, User: users }
  app.route(
    '/graphql',
    createGraphql<ServerEnv>({
      config,
      graphql: defineGraphql(graphql),
      environment,
      middleware: names,
      path: 'schema.graphql',
      text,
      repositories,
      resolvers,
    }),
  )
  app.onError(onError)
  return async (query: string, variables: Record<string, unknown> = {}) => {
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    }
    const response = await app.request('/graphql', init)
    return response.json()
  }
}

const message = (options: Options): string => {
  try {
    serve(options)
    return ''
  } catch (error) {
    return error instanceof Error ? error.message : ''
  }
}

describe('wiring by the directive', () => {
  test('a name that does not exist stops the start with the field, the class and what is known', () => {
    expect(
      message({
        text: sdl(
          'a: String @field(resolver: "AResolver@b") c: String @field(resolver: "PostResolver@d") e: Int',
        ),
      }),
    ).toBe(
      [
        'schema.graphql is wrong:',
        "  Query.a names 'AResolver@b', and there is no class 'AResolver'",
        '    known  PostResolver, UserResolver',
        "  Query.c names 'PostResolver@d', and 'PostResolver' has no method 'd'",
        '    known  show, index, total, create, update, delete',
        '  Query.e has no resolver: name one with @field(resolver: "<ResolverClass>@<method>")',
      ].join('\n'),
    )
    expect(message({ text: 'type Query {' })).toMatch(
      /^schema.graphql cannot be read: Syntax Error/,
    )
  })

  test('a field of one’s own, and a resolver for a field of svc’s', async () => {
    const resolvers = {
      ShopResolver: {
        greet: (_root: unknown, { name }: { name: string }) => `Hello ${name}`,
        shout: (root: { attributes: { title: string } }) => root.attributes.title.toUpperCase(),
      },
    }
    const text = sdl(
      'greet(name: String!): String! @field(resolver: "ShopResolver@greet")',
      'shout: String @field(resolver: "ShopResolver@shout")',
    )
    const ask = serve({
      text,
      resolvers: resolvers as unknown as Record<string, ResolverClass<never>>,
    })
    const { data, errors } = await ask('{ greet(name: "you") postList(first: 1) { id shout } }')
    expect(errors).toBeUndefined()
    expect([data.greet, data.postList[0].shout]).toEqual([
      'Hello you',
      expect.stringMatching(/^[A-Z0-9 ]+$/),
    ])
  })

  test('a resolver that does not look ahead still answers relations', async () => {
    const { posts } = createBlog(database)
    const resolvers = {
      PostResolver: {
        show: (_root: unknown, { id }: { id: string }) => posts.show(ada, id),
        index: () => [],
        update: () => null,
      },
    }
    const ask = serve({ resolvers: resolvers as unknown as Record<string, ResolverClass<never>> })
    const { data } = await ask(
      `{ post(id: "${made.posts[0]}") { title owner { name posts_total } } }`,
    )
    expect(data.post.owner.posts_total).toBeGreaterThan(0)
  })

  test('root fields need a user behind auth middleware, but for those named and public reads', async () => {
    const resolvers = { PingResolver: { ping: () => 'pong', secret: () => 'no' } }
    const text = sdl(
      'ping: String @field(resolver: "PingResolver@ping") secret: String @field(resolver: "PingResolver@secret")',
    )
    const ask = serve({
      text,
      resolvers,
      user: null,
      middleware: ['auth:token'],
      graphql: { public_fields: ['ping'] },
    })
    const { data, errors } = await ask('{ ping secret }')
    expect(data).toEqual({ ping: 'pong', secret: null })
    expect(errors[0].extensions.code).toBe('UNAUTHENTICATED')
  })
})

describe('field gates', () => {
  test('what a user may not see is null, relations and totals too, and costs no statement', async () => {
    const refuse = () => false
    const policies = {
      users: {
        show: () => true,
        store: () => true,
        update: () => true,
        delete: () => true,
        canSee: { name: refuse, posts: refuse },
      },
    }
    // Only the methods that this test asks are given.
    const ask = serve({ blog: { policies } as unknown as BlogOptions })
    const { result, statements } = await counted(database, () =>
      ask('{ user(id: 1) { id name posts { id } posts_total } }'),
    )
    expect(result.data.user).toEqual({ id: '1', name: null, posts: null, posts_total: null })
    expect(statements).toHaveLength(1)
  })
})

describe('lists of ids', () => {
  const user = (post_ids: string[]) => ({
    name: 'New',
    email: `n${post_ids.join('')}@x.org`,
    password: 'long enough',
    post_ids,
  })

  test('leave a column alone that requests may not write', async () => {
    const id = made.posts[0] ?? ''
    const { data, errors } = await serve()(
      'mutation ($input: UserInput!) { createUser(input: $input) { id post_ids } }',
      { input: user([id]) },
    )
    // A column that requests may not write stays what it is: then the list changes nothing.
    expect(errors).toBeUndefined()
    expect(Array.isArray(data.createUser.post_ids)).toBe(true)
  })

  test('move a child to the record that lists it', async () => {
    const { posts, comments } = createBlog(database)
    const stored = await posts.store(ada, { title: 'Theirs' })
    const other = await posts.store(ada, { title: 'Ours' })
    const { id } = await comments.store(ada, { body: 'A comment', post_id: stored.id })
    const query =
      'mutation ($id: ID!, $ids: [ID!]) { updatePost(id: $id, input: { title: "Now ours", comment_ids: $ids }) { title comment_ids } }'
    const { data, errors } = await serve()(query, { id: other.id, ids: [id] })
    expect(errors).toBeUndefined()
    expect(data.updatePost).toEqual({ title: 'Now ours', comment_ids: [id] })
    expect((await comments.show(ada, id)).attributes['post_id']).toBe(other.id)
  })

  test('refuse children that are not there, before anything is written', async () => {
    const before = await createBlog(database).users.count(ada)
    const missing = made.posts[0]?.includes('-') ? '00000000-0000-4000-8000-000000000000' : '999999'
    const { errors } = await serve()(
      'mutation ($input: UserInput!) { createUser(input: $input) { id } }',
      { input: user([missing]) },
    )
    expect(errors[0].extensions).toEqual({
      code: 'VALIDATION_FAILED',
      errors: { post_ids: ['The post ids must be ids of records that exist.'] },
    })
    expect(await createBlog(database).users.count(ada)).toBe(before)
  })

  test('refuse children whose policy says no', async () => {
    const policies = {
      posts: { show: () => true, store: () => true, update: () => false, delete: () => false },
    }
    const ask = serve({ blog: { policies } as unknown as BlogOptions })
    const { errors } = await ask(
      'mutation ($input: UserInput!) { createUser(input: $input) { id } }',
      { input: user([made.posts[0] ?? '']) },
    )
    expect(errors[0].extensions.code).toBe('FORBIDDEN')
  })
})

describe('keys of the config that the runtime reads', () => {
  const introspection = '{ __schema { queryType { name } } }'

  test('introspection: off in production, unless it is configured', async () => {
    expect((await serve()(introspection)).data).toBeDefined()
    const off = await serve({ environment: 'production' })(introspection)
    expect([off.data, off.errors[0].extensions.code]).toEqual([
      undefined,
      'GRAPHQL_VALIDATION_FAILED',
    ])
    expect(
      (await serve({ environment: 'production', graphql: { introspection: true } })(introspection))
        .data,
    ).toBeDefined()
    expect((await serve({ graphql: { introspection: false } })(introspection)).data).toBeUndefined()
    const hint = await serve({ environment: 'production' })('{ postLis { id } }')
    expect(hint.errors[0].message).not.toContain('postList')
  })

  test.each([
    ['depth', 1, '{ post(id: 1) { id } }'],
    ['aliases', 0, '{ a: __typename }'],
    ['fields', 1, '{ __typename post(id: 1) { id } }'],
    ['cost', 10, '{ postList(first: 15) { id } }'],
    ['tokens', 3, '{ __typename __typename }'],
  ])('limits.%s', async (limit, most, query) => {
    const { errors } = await serve({ graphql: { limits: { [limit]: most } } })(query)
    expect(errors[0].extensions).toEqual({ code: 'QUERY_REFUSED', limit })
  })

  test('limits.documents bounds what is remembered', async () => {
    const ask = serve({ graphql: { limits: { documents: 2 } } })
    for (let n = 0; n < 20; n += 1)
      expect((await ask(`{ __typename } # ${n}`)).data).toEqual({ __typename: 'Query' })
  })

  test('a wrong or unknown key stops the start, naming it', () => {
    const wrong = { limits: { depth: 0 }, colour: 1 } as unknown as GraphqlConfigInput
    expect(() => defineGraphql(wrong)).toThrow(
      /config\/svc-graphql.ts is wrong:\n {2}limits.depth: must be a whole number from 1 to 100\n {2}colour: there is no such key/,
    )
  })
})
