import { join } from 'node:path'
import {
  buildSchema,
  type GraphQLNamedType,
  isObjectType,
  lexicographicSortSchema,
  printSchema,
  printType,
  validateSchema,
} from 'graphql'
import { describe, expect, test } from 'vitest'
import { wrongKeys } from '../../../generator/features/graphql/config-shape.js'
import {
  defaultSettings,
  readSettings,
  type GraphqlSettings,
} from '../../../generator/features/graphql/settings.js'
import { defineGraphql } from '../../../runtime/features/graphql/config.js'
import { blueprintOf, cases, root, type Fixture } from '../../core/plan/fixture.js'
import { everyKindFolder } from '../../core/prisma/goldens.js'
import { renderProject } from '../../support/with-features.js'

type Config = Parameters<typeof defineGraphql>[0]

async function filesOf(fixture: Fixture, config: Config = {}, closed = new Map()) {
  const settings = readSettings(config as Readonly<Record<string, unknown>>)
  const options = { name: fixture, svckit: '10.0.0', facts: { graphql: { settings, closed } } }
  const files = await renderProject(await blueprintOf(fixture, 'sqlite'), options)
  return new Map(files.map(({ path, content }) => [path, content]))
}

async function schemaOf(fixture: Fixture, config: Config = {}, closed = new Map()) {
  const text = (await filesOf(fixture, config, closed)).get('app/GraphQL/schema.graphql') ?? ''
  return { text, schema: buildSchema(text) }
}

const inputOf = (text: string, name: string) =>
  new RegExp(`^input ${name} \\{\\n([^}]*)\\}`, 'm').exec(text)?.[1]?.trim().split(/\n\s*/)

const fieldsOf = (schema: ReturnType<typeof buildSchema>, name: string) => {
  const type = schema.getType(name)
  return isObjectType(type)
    ? Object.fromEntries(
        Object.values(type.getFields()).map((field) => [field.name, String(field.type)]),
      )
    : null
}

test.each(cases)('the schema of $fixture on $database is valid', async ({ fixture, database }) => {
  const files = await renderProject(await blueprintOf(fixture, database), {
    name: fixture,
    svckit: '10.0.0',
  })
  const text = files.find(({ path }) => path === 'app/GraphQL/schema.graphql')?.content ?? ''
  expect(validateSchema(buildSchema(text))).toEqual([])
})

test('every kind of field has the type of the table', async () => {
  const { schema } = await schemaOf('every-kind', { schema: { relations: false } })
  await expect(printSchema(lexicographicSortSchema(schema))).toMatchFileSnapshot(
    join(everyKindFolder, 'schema.graphql'),
  )
})

test('without relations, the schema is that of the specification', async () => {
  const { schema, text } = await schemaOf('blog', { schema: { relations: false } })
  expect(fieldsOf(schema, 'Post')).toEqual({
    id: 'ID!',
    title: 'String',
    description: 'String',
    published_at: 'String',
    owner_id: 'String',
    created_at: 'String',
    updated_at: 'String',
  })
  for (const line of [
    'post(id: ID!): Post @field(resolver: "PostResolver@show")',
    'postList(first: Int = 15, page: Int = 1): [Post!]! @field(resolver: "PostResolver@index")',
    'createPost(input: PostInput!): Post! @field(resolver: "PostResolver@create")',
    'updatePost(id: ID!, input: PostInput!): Post! @field(resolver: "PostResolver@update")',
    'deletePost(id: ID!): Boolean! @field(resolver: "PostResolver@delete")',
    'post_id: ID\n',
  ]) {
    expect(text).toContain(`  ${line}`)
  }
})

describe('each key of the config has its effect', () => {
  const usual = schemaOf('blog')

  test('defaults are the same in the generator and in the runtime', () => {
    const { public_fields, introspection, graphiql, limits, ...rest } = defineGraphql({})
    expect([public_fields, introspection, graphiql, limits.depth]).toEqual([
      [],
      'development',
      true,
      10,
    ])
    const repositories = { ...rest.repositories, only: rest.repositories.only ?? null }
    expect({ ...rest, repositories }).toEqual(defaultSettings satisfies GraphqlSettings)
  })

  // The generator does not run the server's code, so it has a table of its own.
  const wrong: readonly Record<string, unknown>[] = [
    { colour: 1 },
    { enabled: 'yes' },
    { output: { path: 1 } },
    { output: { schema_file: 1 } },
    { output: { resolvers: 1 } },
    { output: { sort: 'nome' } },
    { output: { descriptions: 'x' } },
    { output: { folder: 'x' } },
    { types: { text: 1 } },
    { fields: ['x'] },
    { schema: { relations: 1 } },
    { schema: { timestamps: 1 } },
    { schema: { mutations: 1 } },
    { schema: { first: 1.5 } },
    { schema: { first: 0 } },
    { schema: { ids: { posts: 'comments' } } },
    { repositories: { only: 'posts' } },
    { repositories: { except: [1] } },
    { repositories: { names: { posts: 1 } } },
    { public_fields: 'ping' },
    { introspection: 'never' },
    { graphiql: 'x' },
    ...['depth', 'aliases', 'fields', 'cost', 'tokens', 'documents'].flatMap((limit) => [
      { limits: { [limit]: -1 } },
      { limits: { [limit]: 10_000_000_000 } },
      { limits: { [limit]: '5' } },
    ]),
  ]

  test.each(wrong)('%j is refused by the generator and by the server', (config) => {
    expect(wrongKeys(config)).toHaveLength(1)
    expect(() => defineGraphql(config as Config)).toThrow(/svc-graphql.ts is wrong/)
  })

  test('the generator accepts what the server accepts', () => {
    const { repositories, ...rest } = defineGraphql({})
    expect(wrongKeys({ ...rest, repositories: { ...repositories, only: ['posts'] } })).toEqual([])
    for (const introspection of [true, false]) expect(wrongKeys({ introspection })).toEqual([])
  })

  test('enabled', async () => {
    const files = await filesOf('blog', { enabled: false })
    expect([...files.keys()].filter((path) => /graphql/i.test(path))).toEqual([
      'config/svc-graphql.ts',
      'runtime/features/graphql/config.ts',
      // The library of the tests is not one of the server.
      'runtime/testing/values/graphql.ts',
    ])
  })

  test('output.path and output.schema_file', async () => {
    const output = { path: 'api', schema_file: 'a.graphql', resolvers: true }
    const files = await filesOf('blog', { output })
    expect(files.has('api/a.graphql') && files.has('api/Resolvers/PostResolver.ts')).toBe(true)
    expect(files.get('api/endpoint.ts')).toContain("from '#app/env.js'")
    expect(files.get('Dockerfile')).toContain('/server/api ./api')
  })

  test('output.resolvers', async () => {
    const plain = await filesOf('blog')
    expect([...plain.keys()].filter((path) => path.includes('/Resolvers/'))).toEqual([])
    const files = await filesOf('blog', { output: { resolvers: true } })
    for (const name of ['endpoint', 'Resolvers/PostResolver']) {
      const golden = join(root, `fixtures/blog/resolvers/${name}.ts`)
      await expect(files.get(`app/GraphQL/${name}.ts`)).toMatchFileSnapshot(golden)
    }
  })

  test('output.sort', async () => {
    const order = (text: string) =>
      [...text.matchAll(/^type (\w+) /gm)]
        .map(([, name = '']) => name)
        .filter((each) => !each.endsWith('Page'))
    expect(order((await usual).text)).toEqual([
      'Query',
      'Mutation',
      'Comment',
      'Company',
      'CompanySummary',
      'CompanyUserPivot',
      'CompanyUsersEdge',
      'Image',
      'Phone',
      'Post',
      'Role',
      'Tag',
      'User',
      'UserCompaniesEdge',
    ])
    const { text } = await schemaOf('blog', { output: { sort: 'manifest' } })
    expect(order(text)).toEqual([
      'Query',
      'Mutation',
      'User',
      'Company',
      'Post',
      'Comment',
      'Role',
      'Phone',
      'Tag',
      'Image',
      'UserCompaniesEdge',
      'CompanyUsersEdge',
      'CompanyUserPivot',
      'CompanySummary',
    ])
  })

  test('output.descriptions', async () => {
    const described = await schemaOf('every-kind')
    const plain = await schemaOf('every-kind', { output: { descriptions: false } })
    expect(plain.text.length).toBeLessThan(described.text.length)
    // Those of the directives.
    expect(plain.text.match(/^ *"/gm)).toHaveLength(3)
  })

  test('types', async () => {
    const { schema, text } = await schemaOf('blog', { types: { dateTime: 'Instant' } })
    expect(fieldsOf(schema, 'Post')?.['published_at']).toBe('Instant')
    expect(text).toContain('\nscalar Instant\n')
  })

  test('fields', async () => {
    const { schema } = await schemaOf('blog', { fields: { 'posts.title': 'Headline' } })
    expect(fieldsOf(schema, 'Post')?.['title']).toBe('Headline')
    expect(fieldsOf(schema, 'Role')?.['name']).toBe('String')
  })

  test('fields of a computed entry', async () => {
    const { schema, text } = await schemaOf('blog', { fields: { 'companies.summary': 'JSON' } })
    expect(fieldsOf(schema, 'Company')?.['summary']).toBe('JSON')
    expect(schema.getType('CompanySummary')).toBeUndefined()
    expect(text).toContain('\nscalar JSON\n')
  })

  test('schema.timestamps', async () => {
    const { schema } = await schemaOf('blog', { schema: { timestamps: false } })
    expect(fieldsOf(schema, 'Post')).not.toHaveProperty('created_at')
  })

  test('schema.mutations', async () => {
    const { schema } = await schemaOf('blog', { schema: { mutations: false } })
    expect([schema.getMutationType(), schema.getType('PostInput')]).toEqual([undefined, undefined])
  })

  test('schema.precise', async () => {
    const { text, schema } = await schemaOf('every-kind', { schema: { precise: true } })
    expect(text).toContain('  createTag(input: TagCreateInput!): Tag!')
    expect(text).toContain('  updateTag(id: ID!, input: TagInput!): Tag!')
    expect(printType(schema.getType('UserCreateInput') as GraphQLNamedType)).toMatchSnapshot(
      'of users',
    )
    const samples = printType(schema.getType('SampleCreateInput') as GraphQLNamedType)
    await expect(samples).toMatchFileSnapshot(join(everyKindFolder, 'precise.graphql'))
    expect(printType(schema.getType('SampleInput') as GraphQLNamedType)).not.toMatch(/!$/m)
    expect(fieldsOf(schema, 'Sample')?.['multi_select']).toBe('[SampleMultiSelect!]')
    expect(validateSchema(schema)).toEqual([])
  })

  test('what policies and hooks name is neither asked for nor taken by a precise input', async () => {
    const none: ReadonlySet<string> = new Set()
    const names = {
      gates: { canSee: none, canStore: new Set(['title']), canUpdate: none, byRow: none },
      fill: none,
      fillOnStore: new Set(['description']),
      attachCallback: none,
      detachCallback: none,
    }
    const settings = readSettings({ schema: { precise: true } })
    const code = new Map([['posts', names]])
    const files = await renderProject(await blueprintOf('blog', 'sqlite'), {
      name: 'blog',
      svckit: '10.0.0',
      facts: { graphql: { settings, closed: new Map(), code } },
    })
    const text = files.find(({ path }) => path === 'app/GraphQL/schema.graphql')?.content ?? ''
    expect(inputOf(text, 'PostCreateInput')).toEqual(['title: String', 'published_at: String'])
    expect(inputOf(text, 'PostInput')).toEqual([
      'title: String',
      'description: String',
      'published_at: String',
    ])
    expect(inputOf(text, 'CommentCreateInput')).toEqual(['body: String!', 'post_id: ID!'])
    expect(inputOf(text, 'UserCreateInput')).toEqual([
      'name: String',
      'email: String!',
      'password: String!',
    ])
  })

  test('schema.first', async () => {
    expect((await schemaOf('minimal', { schema: { first: 20 } })).text).toContain('first: Int = 20')
  })

  test('schema.ids', async () => {
    const { text, schema } = await schemaOf('blog', { schema: { ids: { posts: ['comments'] } } })
    expect(fieldsOf(schema, 'Post')?.['comment_ids']).toBe('[String!]')
    expect(text).toContain('comment_ids: [ID!] @ids(of: "comments")')
  })

  test('a has-many among the fields of the manifest needs no key of the config', async () => {
    const { schema, text } = await schemaOf('every-kind')
    expect(fieldsOf(schema, 'Article')?.['note_ids']).toBe('[String!]')
    expect(fieldsOf(schema, 'Article')?.['notes']).toBe('[Note!]')
    expect(text).toContain('note_ids: [ID!] @ids(of: "notes")')
    const spec = await schemaOf('every-kind', { schema: { relations: false } })
    expect(fieldsOf(spec.schema, 'Article')?.['note_ids']).toBe('[String!]')
    expect(fieldsOf(spec.schema, 'Article')).not.toHaveProperty('notes')
    expect(fieldsOf(schema, 'User')).not.toHaveProperty('article_ids')
  })

  test('repositories.only, except and names', async () => {
    const { schema } = await schemaOf('blog', {
      repositories: {
        only: ['posts', 'users', 'tags'],
        except: ['tags'],
        names: { posts: 'Article' },
      },
    })
    expect(Object.keys(fieldsOf(schema, 'Query') ?? {}).toSorted()).toEqual([
      'article',
      'articleList',
      'articleListTotal',
      'articlePage',
      'user',
      'userList',
      'userListTotal',
      'userPage',
    ])
    expect(fieldsOf(schema, 'Article')).not.toHaveProperty('tags')
    expect(fieldsOf(schema, 'Article')).toHaveProperty('owner')
    const files = await filesOf('blog', {
      output: { resolvers: true },
      repositories: { only: ['posts'], names: { posts: 'Article' } },
    })
    expect(files.get('app/GraphQL/Resolvers/ArticleResolver.ts')).toContain('PostRepository.show(')
  })

  test('a name that GraphQL or another type has is changed', async () => {
    const { schema } = await schemaOf('blog', {
      repositories: { names: { posts: 'Query', tags: 'Post', roles: 'PostInput' } },
    })
    expect(schema.getType('QueryRecord') && schema.getType('PostRecord')).toBeDefined()
    expect(validateSchema(schema)).toEqual([])
  })
})

test('fields that no permission shows or writes are left out', async () => {
  const closed = new Map([
    ['posts', { shown: new Set(['title', 'owner']), written: new Set(['description']) }],
  ])
  const { schema, text } = await schemaOf('blog', {}, closed)
  expect(fieldsOf(schema, 'Post')).not.toHaveProperty('title')
  expect(fieldsOf(schema, 'Post')).not.toHaveProperty('owner')
  expect(/input PostInput \{([^}]*)\}/.exec(text)?.[1]).not.toContain('description')
})
