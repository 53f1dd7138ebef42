/** The endpoint on repositories of its own: wiring, gates, and the config keys that the runtime reads. */
import { GraphQLError, type GraphQLResolveInfo } from 'graphql'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Database } from '../../../runtime/database/types.js'
import { defineGraphql, type GraphqlConfigInput } from '../../../runtime/features/graphql/config.js'
import { defaultResolver } from '../../../runtime/features/graphql/default-resolver.js'
import { showQuery } from '../../../runtime/features/graphql/look-ahead.js'
import type { ResolverClass } from '../../../runtime/features/graphql/resolver.js'
import { defineRepository } from '../../../runtime/operations/repository.js'
import { strictQueries } from '../../../runtime/query/strict-queries.js'
import { createBlog, type BlogOptions, defaultSettings } from '../../core/kernel/blog.js'
import { counted, dialects, openDatabase } from '../../core/kernel/databases.js'
import { populate, type Made } from '../../core/kernel/population.js'
import { ada, type Options, sdl, serve as serveOn } from './serve.js'

let database: Database
let made: Made
const serve = (options?: Options) => serveOn(database, options)

const message = (options: Options): string => {
  try {
    serve(options)
    return ''
  } catch (error) {
    return error instanceof Error ? error.message : ''
  }
}

describe.each(dialects)('the endpoint on %s', (dialect) => {
  beforeAll(async () => {
    database = await openDatabase(dialect)
    made = await populate(database, createBlog(database))
  })
  afterAll(() => database.close())
  wiresByTheDirective()
  gatesFields()
  comparesAliases()
  readsTheConfig()
})

function wiresByTheDirective(): void {
  describe('wiring by the directive', () => {
    connectsResolvers()
    namesTypesOfRecords()
    reportsErrors()
    limitsPublicReads()
  })
}

function connectsResolvers(): void {
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
        '    known  CommentResolver, NoteResolver, PostResolver, UserResolver',
        "  Query.c names 'PostResolver@d', and 'PostResolver' has no method 'd'",
        '    known  show, index, total, create, update, delete',
        '  Query.e has no resolver: name one with @field(resolver: "<ResolverClass>@<method>")',
      ].join('\n'),
    )
    expect(message({ text: sdl('a(by: Post): Int @field(resolver: "PostResolver@show")') })).toBe(
      'schema.graphql is wrong:\n  The type of Query.a(by:) must be Input Type but got: Post.',
    )
    expect(message({ text: 'type Query {' })).toMatch(
      /^schema.graphql cannot be read: Syntax Error/,
    )
  })

  test('a field of your own, and your resolver for a field of svc', async () => {
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
        create: () => null,
        update: () => null,
      },
    }
    const ask = serve({ resolvers: resolvers as unknown as Record<string, ResolverClass<never>> })
    const { data } = await ask(
      `{ post(id: "${made.posts[0]}") { title owner { name posts_total } } }`,
    )
    expect(data.post.owner.posts_total).toBeGreaterThan(0)
  })

  test('a resolver that lists without looking ahead answers relations too', async () => {
    const { posts } = createBlog(database)
    const list = vi.fn(() =>
      posts.list(ada, { perPage: 2, sort: [{ key: 'id', descending: false }] }),
    )
    const resolvers = { ShopResolver: { list } }
    const ask = serve({
      resolvers,
      text: sdl('all: [Post!]! @field(resolver: "ShopResolver@list")'),
    })
    for (const times of [1, 2]) {
      const { data, errors } = await ask(
        '{ all { id owner { name posts_total } comments { id } } }',
      )
      expect(errors).toBeUndefined()
      expect(data.all.map(({ owner }: { owner: object }) => owner)).toEqual([
        { name: expect.any(String), posts_total: 1 },
        { name: expect.any(String), posts_total: 40 },
      ])
      expect(data.all[0].comments).toHaveLength(3)
      expect(list).toHaveBeenCalledTimes(times)
    }
  })

  test('resolvers may be classes and their objects, and each runs once a query', async () => {
    let runs = 0
    // oxlint-disable-next-line typescript/no-extraneous-class -- what is tested
    class ShopResolver {
      static best() {
        runs += 1
        return this.named('static')
      }
      static named(title: string) {
        return { id: '1', title }
      }
    }
    class Kiosk {
      readonly title = 'of an object'
      best() {
        runs += 1
        return [{ id: '2', title: this.title }]
      }
    }
    const resolvers = { ShopResolver, KioskResolver: new Kiosk() }
    const text = sdl(
      'best: Post @field(resolver: "ShopResolver@best") all: [Post!]! @field(resolver: "KioskResolver@best")',
    )
    const ask = serve({
      text,
      resolvers: resolvers as unknown as Record<string, ResolverClass<never>>,
    })
    const { data, errors } = await ask('{ best { id title } all { id title } }')
    expect(errors).toBeUndefined()
    expect([data, runs]).toEqual([
      { best: { id: '1', title: 'static' }, all: [{ id: '2', title: 'of an object' }] },
      2,
    ])
    for (const name of ['call', 'toString', 'constructor', 'missing']) {
      const wrong = sdl(`best: Post @field(resolver: "KioskResolver@${name}")`)
      expect(message({ text: wrong, resolvers: { KioskResolver: new Kiosk() as never } })).toBe(
        [
          'schema.graphql is wrong:',
          `  Query.best names 'KioskResolver@${name}', and 'KioskResolver' has no method '${name}'`,
          '    known  best',
        ].join('\n'),
      )
    }
  })
}

function namesTypesOfRecords(): void {
  test('records of a union, or behind an interface, are of their repository’s type', async () => {
    const { posts, users } = createBlog(database)
    const found = (_root: unknown, _args: unknown, _context: unknown, info: GraphQLResolveInfo) => [
      posts.show(ada, '1', showQuery(info)),
      users.show(ada, '1'),
      { __typename: 'Note', id: '5' },
    ]
    const text = sdl(
      'found: [Found!]! @field(resolver: "SearchResolver@found") known: [Known!]! @field(resolver: "SearchResolver@found")',
    ).replace(/type (Post|User|Note) /g, 'type $1 implements Known ')
    const ask = serve({
      text: `${text} union Found = Post | User | Note interface Known { id: ID! }`,
      resolvers: { SearchResolver: { found } } as never,
    })
    const { data, errors } = await ask(
      '{ found { __typename ... on Post { title owner { id } } ... on User { posts_total } } known { __typename id } }',
    )
    expect(errors).toBeUndefined()
    expect(data.found).toEqual([
      { __typename: 'Post', title: 'everything', owner: { id: expect.any(String) } },
      { __typename: 'User', posts_total: expect.any(Number) },
      { __typename: 'Note' },
    ])
    expect(data.known).toEqual([
      { __typename: 'Post', id: '1' },
      { __typename: 'User', id: '1' },
      { __typename: 'Note', id: '5' },
    ])
    const costly = await ask(
      '{ found { ... on User { posts(first: 100) { comments(first: 100) { id } } } } }',
    )
    expect(costly.errors[0].extensions).toEqual({ code: 'QUERY_REFUSED', limit: 'cost' })
  })

  test('plain values beside records are answered, promises and lists of them too', async () => {
    const resolvers = {
      ShopResolver: {
        prices: () => [1, Promise.resolve(2)],
        wrong: () => [1, new Error('a secret')],
        open: () => Promise.resolve(true),
      },
    }
    const ask = serve({
      resolvers,
      text: `scalar Money ${sdl(
        'prices: [Money!] @field(resolver: "ShopResolver@prices") wrong: [Money] @field(resolver: "ShopResolver@wrong") open: Boolean! @field(resolver: "ShopResolver@open") postListTotal: Int! @field(resolver: "PostResolver@total")',
      )}`,
    })
    const { data, errors } = await ask(
      '{ postList(first: 1) { __typename id } postListTotal open }',
    )
    expect([errors, data.postListTotal, data.open]).toEqual([undefined, expect.any(Number), true])
    expect(data.postList).toEqual([{ __typename: 'Post', id: expect.any(String) }])
    expect((await ask('{ open prices }')).data).toEqual({ open: true, prices: [1, 2] })
    const { data: partly, errors: failed } = await ask('{ open wrong }')
    expect(partly).toEqual({ open: true, wrong: [1, null] })
    expect(failed).toMatchObject([{ message: 'Server error.', path: ['wrong', 1] }])
  })

  test('the same query is answered by what its variables say each time', async () => {
    const ask = serve()
    const query = `query ($owner: Boolean!, $n: Int) { postList(first: $n) { id ...P } }
        fragment P on Post { owner @include(if: $owner) { name } comments(first: $n) { id } }`
    for (const [owner, n] of [
      [true, 2],
      [false, 1],
      [true, 3],
    ] as const) {
      const { data, errors } = await ask(query, { owner, n })
      expect([errors, data.postList.length, 'owner' in data.postList[0]]).toEqual([
        undefined,
        n,
        owner,
      ])
    }
  })

  test('an interface of many types is looked at once per level', async () => {
    const types = ['A', 'B', 'C', 'D'].map((name) => `type ${name} implements Node { near: Node }`)
    const ask = serve({
      resolvers: { ShopResolver: { near: () => null } },
      graphql: { limits: { depth: 100 } },
      text: `${sdl('near: Node @field(resolver: "ShopResolver@near")')} interface Node { near: Node } ${types.join(' ')}`,
    })
    const { data, errors } = await ask(
      `{ near ${'{ near '.repeat(80)} { __typename } ${'}'.repeat(80)} }`,
    )
    expect([errors, data]).toEqual([undefined, { near: null }])
  })
}

function reportsErrors(): void {
  test.each(['Int', '[Int]', 'Any'])(
    'what is no value of its field, %s, is not told',
    async (type) => {
      const secret = () => 'a secret'
      const ask = serve({
        resolvers: { ShopResolver: { secret } },
        text: `${sdl(`number: ${type} @field(resolver: "ShopResolver@secret")`)} union Any = Post | User`,
      })
      const { errors } = await ask(`{ number ${type === 'Any' ? '{ __typename }' : ''} }`)
      expect(errors).toEqual([
        {
          message: 'Server error.',
          locations: [{ line: 1, column: 3 }],
          path: ['number'],
          extensions: { code: 'INTERNAL_SERVER_ERROR' },
        },
      ])
    },
  )

  test('what the database refuses of your own resolver is what REST says of it', async () => {
    const again = () => {
      const same = 'insert into users select * from users where id = (select min(id) from users)'
      return database.query({ sql: same, access: 'write' }, [])
    }
    const ask = serve({
      resolvers: { ShopResolver: { again } },
      text: sdl('number: Int @field(resolver: "ShopResolver@again")'),
    })
    expect((await ask('{ number }')).errors).toMatchObject([
      { message: 'There is such a record already.', extensions: { code: 'CONFLICT' } },
    ])
  })

  test('an error of your own resolver is reported with its code', async () => {
    const refuse = () => {
      throw new GraphQLError('Closed on Sundays.', { extensions: { code: 'CLOSED' } })
    }
    const ask = serve({
      resolvers: { ShopResolver: { refuse } },
      text: sdl('number: Int @field(resolver: "ShopResolver@refuse")'),
    })
    const { errors } = await ask('{ number }')
    expect(errors[0]).toMatchObject({
      message: 'Closed on Sundays.',
      extensions: { code: 'CLOSED' },
    })
  })
}

function limitsPublicReads(): void {
  test('of a public repository only reads of its records are open', async () => {
    const { posts } = createBlog(database)
    const isPublic = { ...posts, definition: { ...posts.definition, isPublic: true } }
    const own = () => 'internal'
    const standard = defaultResolver(isPublic)
    const ask = serve({
      user: null,
      middleware: ['auth:token'],
      repositories: { Post: isPublic },
      resolvers: { PostResolver: { ...standard, own } },
      text: sdl(
        'own: String @field(resolver: "PostResolver@own") odd: String @field(resolver: "PostResolver@show") count: Int @field(resolver: "PostResolver@total")',
      ),
    })
    const { data, errors } = await ask('{ post(id: 1) { id } postList { id } count own odd }')
    expect([data.post.id, data.postList.length, data.count]).toEqual(['1', 15, 41])
    expect([data.own, data.odd]).toEqual([null, null])
    const refused = errors.map((error: { path: string[]; extensions: { code: string } }) => [
      error.path[0],
      error.extensions.code,
    ])
    expect(refused).toEqual([
      ['own', 'UNAUTHENTICATED'],
      ['odd', 'UNAUTHENTICATED'],
    ])
  })

  test('public_fields names root fields that there are', () => {
    expect(message({ graphql: { public_fields: ['nothing'] } })).toBe(
      "schema.graphql is wrong:\n  there is no root field 'nothing', which public_fields names",
    )
  })

  test('arguments that a resolver changes are unchanged in the next request', async () => {
    const { posts } = createBlog(database)
    const index = (_root: unknown, args: { first: number }, context: { user: { id: number } }) => {
      if (context.user.id === 2) args.first = 1
      return posts.list(ada, { perPage: args.first })
    }
    const resolvers = { PostResolver: { ...defaultResolver(posts), index } }
    const lengths = []
    const users = [{ id: 1 }, { id: 2 }, { id: 1 }]
    let at = 0
    const ask = serve({ resolvers: resolvers as never, user: () => users[at] ?? null })
    for (at = 0; at < 3; at += 1) {
      lengths.push((await ask('{ postList(first: 5) { id } }')).data.postList.length)
    }
    expect(lengths).toEqual([5, 1, 5])
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
}

function gatesFields(): void {
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

  describe('a mutation', () => {
    const count = () => createBlog(database).posts.count(ada)
    const creating = (selection: string, title = 'Written') =>
      `mutation { createPost(input: { title: "${title}" }) { id ${selection} } }`

    test.each([
      ['a page that is none', 'comments(first: 0) { id }'],
      ['a search that is too long', `comments(search: "${'x'.repeat(1001)}") { id }`],
      ['a match that cannot be read', 'comments(match: { post_id: "zebra" }) { id }'],
      ['one further down', 'owner { posts(first: -1) { id } }'],
    ])('is refused for %s before anything is written', async (_what, selection) => {
      const before = await count()
      const { data, errors } = await serve()(creating(selection))
      expect([data, errors[0].extensions.code]).toEqual([null, 'BAD_USER_INPUT'])
      const update = `mutation { updatePost(id: 1, input: { title: "Changed" }) { ${selection} } }`
      expect((await serve()(update)).errors[0].extensions.code).toBe('BAD_USER_INPUT')
      expect(await count()).toBe(before)
      expect((await createBlog(database).posts.show(ada, '1')).attributes['title']).toBe(
        'everything',
      )
    })

    test('answers null only for the field that failed after it was written', async () => {
      const before = await count()
      const ask = serve({ limits: { related_records: 2 } })
      const { data, errors } = await ask(creating('title owner { posts(first: 5) { id } }'))
      expect(data.createPost).toMatchObject({ title: 'Written', owner: null })
      expect(errors).toHaveLength(1)
      expect(errors[0]).toMatchObject({
        path: ['createPost', 'owner'],
        extensions: { code: 'QUERY_REFUSED', limit: 'related' },
      })
      expect(await count()).toBe(before + 1)
    })
  })
}

function comparesAliases(): void {
  describe('names that every object has', () => {
    const aliased =
      '{ constructor: post(id: 1) { toString: owner { name } valueOf: comments { id } __proto__: title } __proto__: user(id: 1) { hasOwnProperty: name } }'
    // A field about the schema leaves the whole query to graphql-js.
    const others = ['{ __typename', '{ __typename @skip(if: true)'].map((start) =>
      aliased.replace('{', start),
    )

    test.each([aliased, ...others])('are aliases like others: %s', async (query) => {
      const { errors, data } = await serve()(query)
      expect(errors).toBeUndefined()
      const { __typename: _, ...records } = data
      const entries = Object.entries<Record<string, unknown>>(records)
      expect(entries.map(([key]) => key)).toEqual(['constructor', '__proto__'])
      const [[, post = {}] = [], [, user] = []] = entries
      expect(Object.entries(post).map(([key]) => key)).toEqual(['toString', 'valueOf', '__proto__'])
      expect(post['toString']).toEqual({ name: expect.any(String) })
      expect(Object.entries(user ?? {})).toEqual([['hasOwnProperty', expect.any(String)]])
    })

    test.each([aliased, ...others])('tell nothing where a gate refuses: %s', async (query) => {
      const refuse = () => false
      const policies = { posts: { canSee: { owner: refuse, comments: refuse } } }
      const { errors, data } = await serve({ blog: { policies } })(query)
      expect(errors).toBeUndefined()
      expect(data.constructor).toMatchObject({ toString: null, valueOf: null })
    })

    test('do not get around a gate', async () => {
      const { posts } = createBlog(database)
      const { columns, attributes } = posts.definition
      const kinds = [...columns.values()].map(({ name, kind, nullable }) => [
        name,
        nullable ? `${kind}?` : kind,
      ])
      const named = defineRepository({
        ...posts.definition,
        relations: undefined,
        columns: { ...Object.fromEntries(kinds), constructor: 'text?', toString: 'text?' },
        attributes: [...attributes, 'constructor', 'toString'],
        policy: { show: () => true, canSee: { constructor: () => false, toString: () => false } },
      } as never)
      const ask = serve({
        repositories: { Post: named },
        text: sdl('', 'constructor: String toString: String'),
      })
      for (const more of ['', '__typename', '__typename @skip(if: true)']) {
        const { errors, data } = await ask(`{ post(id: 1) { id constructor toString } ${more} }`)
        expect(errors).toBeUndefined()
        expect(Object.values(data.post)).toEqual(['1', null, null])
      }
    })

    test('a denied field is null also with strict queries', async () => {
      const policies = { posts: { canSee: { owner: () => false } } }
      const settings = { ...defaultSettings, strict: strictQueries }
      const ask = serve({ blog: { policies, settings } })
      const { errors, data } = await ask('{ post(id: 1) { id owner { name } } }')
      expect([errors, data]).toEqual([undefined, { post: { id: '1', owner: null } }])
    })
  })
}

function readsTheConfig(): void {
  describe('related records', () => {
    const fields = (n: number) =>
      Array.from({ length: n }, (_, at) => `p${at}: post(id: 1) { comments { id } }`).join(' ')

    test('are counted for the whole request, however many fields ask for them', async () => {
      const ask = serve({ limits: { related_records: 7 } })
      const two = await ask(`{ ${fields(2)} }`)
      expect(two.errors).toBeUndefined()
      expect(two.data.p0.comments).toHaveLength(3)
      for (const more of ['', '__typename', '__typename @skip(if: true)']) {
        const three = await ask(`{ ${fields(3)} ${more} }`)
        expect(three.errors).toHaveLength(1)
        expect(three.errors[0]).toMatchObject({
          message:
            'The query asks for more than 7 related records: use a smaller first, or fewer levels.',
          extensions: { code: 'QUERY_REFUSED', limit: 'related' },
        })
      }
      // The next request begins anew.
      expect((await ask(`{ ${fields(2)} }`)).errors).toBeUndefined()
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
        (
          await serve({ environment: 'production', graphql: { introspection: true } })(
            introspection,
          )
        ).data,
      ).toBeDefined()
      expect(
        (await serve({ graphql: { introspection: false } })(introspection)).data,
      ).toBeUndefined()
      const hint = await serve({ environment: 'production' })('{ postLis { id } }')
      expect(hint.errors[0].message).not.toContain('postList')
      const mutation = 'mutation ($i: UserInput!) { createUser(input: $i) { id } }'
      const variable = await serve({ environment: 'production' })(mutation, {
        i: { passwod: 'my secret', name: 5 },
      })
      expect(variable.errors.map((error: { message: string }) => error.message)).toEqual([
        'Variable "$i" is wrong at "i.name": String cannot represent a non string value.',
        'Variable "$i" is wrong: Field "passwod" is not defined by type "UserInput".',
      ])
      const told = await serve()(mutation, { i: { passwod: 'my secret' } })
      expect(told.errors[0].message).toBe(
        'Variable "$i" is wrong: Field "passwod" is not defined by type "UserInput". Did you mean "password"?',
      )
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

    test.each([
      ['development', true, 200],
      ['development', false, 406],
      ['production', true, 406],
    ] as const)(
      'graphiql: in %s, %j answers a browser %d',
      async (environment, graphiql, status) => {
        const { request } = serve({ environment, graphql: { graphiql } })
        const page = await request('/graphql', { headers: { accept: 'text/html' } })
        const file = await request('/graphql/graphiql/graphiql.css')
        expect([page.status, file.status]).toEqual([status, status === 200 ? 200 : 404])
      },
    )

    test('a wrong or unknown key stops the start, naming it', () => {
      const wrong = { limits: { depth: 0 }, colour: 1 } as unknown as GraphqlConfigInput
      expect(() => defineGraphql(wrong)).toThrow(
        /config\/svc-graphql.ts is wrong:\n {2}limits.depth: must be a whole number from 1 to 100\n {2}colour: there is no such key/,
      )
    })
  })
}
