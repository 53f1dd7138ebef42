import { getIntrospectionQuery, parse, visit } from 'graphql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { documentProblem } from '../../../runtime/features/graphql/limits.js'
import { openProject, type Project } from '../../support/project.js'
import { ask, codes } from './ask.js'

const strict = 'application/graphql-response+json'

describe('limits of the GraphQL endpoint', () => {
  let blog: Project
  let ann: number

  beforeAll(async () => {
    blog = await openProject('blog', 'sqlite')
    ann = await blog.user('Ann')
    for (let n = 1; n <= 15; n += 1)
      await blog.insert('posts', { title: `Post ${n}`, owner_id: ann })
  })
  afterAll(() => blog.close())

  const post = (query: string) =>
    blog.request('POST', '/graphql', {
      as: ann,
      body: JSON.stringify({ query }),
      headers: { 'content-type': 'application/json', accept: strict },
    })

  const chained = Array.from(
    { length: 5000 },
    (_, n) => `fragment f${n} on Post { id ...f${n + 1} }`,
  )
  const nested = (levels: number): string =>
    levels === 0 ? '{ id }' : `{ posts(first: 15) { owner ${nested(levels - 1)} } }`

  it.each([
    [
      '5,000 chained fragments',
      `{ postList { ...f0 } } ${chained.join(' ')} fragment f5000 on Post { id }`,
      'tokens',
    ],
    [
      '10,000 aliases',
      `{ ${Array.from({ length: 10_000 }, (_, n) => `a${n}: __typename`).join(' ')} }`,
      'tokens',
    ],
    [
      '40 aliases',
      `{ ${Array.from({ length: 40 }, (_, n) => `a${n}: __typename`).join(' ')} }`,
      'aliases',
    ],
    [
      'a fragment in a circle',
      '{ postList { ...a } } fragment a on Post { ...b } fragment b on Post { ...a }',
      'circular',
    ],
    ['600 fields', `{ ${'__typename '.repeat(600)} }`, 'fields'],
    ['eleven levels', `{ postList { owner ${nested(5)} } }`, 'depth'],
    [
      'ten levels of 15 rows',
      `{ userList ${nested(4)} }`.replace('{ userList', '{ userList(first: 15)'),
      'cost',
    ],
    [
      'fragments that double',
      `{ postList { ...d0 } } ${Array.from({ length: 30 }, (_, n) => `fragment d${n} on Post { ...d${n + 1} ...d${n + 1} }`).join(' ')} fragment d30 on Post { id }`,
      'fields',
    ],
  ])('%s are refused before anything is read', async (_name, query, limit) => {
    const answer = await post(query)
    expect([answer.status, codes(answer)]).toEqual([400, ['QUERY_REFUSED']])
    expect(answer.body.errors[0].extensions.limit).toBe(limit)
    expect(answer.statements.filter(({ sql }) => !sql.includes('personal_access_tokens'))).toEqual(
      [],
    )
  })

  it('fragments are measured once each, however often they are spread', () => {
    const text = Array.from(
      { length: 12 },
      (_, n) => `fragment d${n} on Post { ...d${n + 1} ...d${n + 1} }`,
    )
    const document = parse(`{ ...d0 } ${text.join(' ')} fragment d12 on Post { id }`)
    let reads = 0
    visit(document, {
      SelectionSet: (set) => {
        const { selections } = set
        Object.defineProperty(set, 'selections', { get: () => ((reads += 1), selections) })
      },
    })
    reads = 0
    const roomy = { depth: 100, aliases: 100, fields: 100_000, values: 64 }
    expect(documentProblem(document, roomy)).toBeNull()
    // Of 14 sets: the look at the values in them, the fragment's own turn, and the first spread.
    expect(reads).toBeLessThanOrEqual(3 * 14)
  })

  it('a batch is refused', async () => {
    const { status } = await blog.post(
      '/graphql',
      Array.from({ length: 100 }, () => ({ query: '{ __typename }' })),
      ann,
    )
    expect(status).toBe(400)
  })

  it('a value that is too deep is refused, written out or as a variable', async () => {
    const deep = `${'{ a: '.repeat(65)}1${' }'.repeat(65)}`
    const answer = await post(`{ postList(match: ${deep}) { id } }`)
    expect([answer.status, codes(answer)]).toEqual([400, ['QUERY_REFUSED']])
    expect(answer.body.errors[0].message).toBe('A value is nested deeper than 64 levels.')
  })

  it('a body that is too large or too deep is refused', async () => {
    const large = await blog.post(
      '/graphql',
      { query: `{ __typename } #${'x'.repeat(1_100_000)}` },
      ann,
    )
    expect(large.status).toBe(413)
    const deep = await blog.request('POST', '/graphql', {
      body: `{"query":"{ __typename }","variables":${'{"a":'.repeat(200)}1${'}'.repeat(200)}}`,
      headers: { 'content-type': 'application/json' },
    })
    expect(deep.status).toBe(400)
  })

  it('others are served meanwhile', async () => {
    let isServed = false
    // They come until the other answer is there, and would come for ever.
    const bombs = Array.from({ length: 20 }, async () => {
      do {
        const refused = await post(`{ ${'a: __typename '.repeat(900)} }`)
        expect(refused.body.errors[0].extensions.limit).toBe('tokens')
        // oxlint-disable-next-line no-unmodified-loop-condition -- the test sets it below
      } while (!isServed)
    })
    const answer = await post('{ postList { id } }')
    isServed = true
    expect([answer.status, answer.body.data.postList.length]).toEqual([200, 15])
    await Promise.all(bombs)
  })

  it('cost goes by the page sizes, variables too', async () => {
    const query =
      'query ($n: Int) { postList(first: $n) { comments(first: $n) { user { posts(first: $n) { id } } } } }'
    expect(codes(await ask(blog, query, { as: ann, variables: { n: 100 } }))).toEqual([
      'QUERY_REFUSED',
    ])
    expect((await ask(blog, query, { as: ann, variables: { n: 3 } })).body.errors).toBeUndefined()
  })

  it('cost is what a field costs where it stands, whatever a fragment costs elsewhere', async () => {
    const fragment = 'fragment F on Post { comments(first: 100) { id } }'
    const costly = 'comments(first: 100) { user { posts(first: 100) { id } } }'
    for (const fields of [
      `a: post(id: 1) { ...F } postList(first: 60) { ...F ${costly} }`,
      `postList(first: 60) { ...F ${costly} } a: post(id: 1) { ...F }`,
    ]) {
      const answer = await ask(blog, `{ ${fields} } ${fragment}`, { as: ann })
      expect(codes(answer)).toEqual(['QUERY_REFUSED'])
    }
  })

  it('the schema may be asked for outside production', async () => {
    const { body } = await ask(blog, getIntrospectionQuery(), { as: ann })
    expect(body.errors).toBeUndefined()
    expect(body.data.__schema.types.length).toBeGreaterThan(10)
  })
})

describe('a document that is deeper than the stack', () => {
  let blog: Project

  beforeAll(async () => {
    // So many tokens that nothing else ends it before.
    const roomy = (text: string) => text.replace('tokens: 2_000', 'tokens: 1_000_000')
    blog = await openProject('blog', 'sqlite', { 'config/svc-graphql.ts': roomy })
  })
  afterAll(() => blog.close())

  const levels = 50_000
  const around = (open: string, inner: string, close: string) =>
    `${open.repeat(levels)}${inner}${close.repeat(levels)}`
  const chained = Array.from(
    { length: 20_000 },
    (_, n) => `fragment f${n} on Post { ...f${n + 1} }`,
  )

  it.each([
    ['lists that are not closed', `{ post(id: ${'['.repeat(levels)} }`],
    ['lists', `{ post(id: ${around('[', '1', ']')}) { id } }`],
    ['objects', `{ post(id: ${around('{a:', '1', '}')}) { id } }`],
    ['fields', around('{a', '', '}')],
    ['inline fragments', around('{...', '{ __typename }', '}')],
    ['types of a variable', `query ($a: ${around('[', 'Int', ']')}) { __typename }`],
    [
      'fragments of fragments',
      `{ postList { ...f0 } } ${chained.join(' ')} fragment f20000 on Post { id }`,
    ],
  ])('is refused as nested too deep: %s', async (_name, query) => {
    const answer = await blog.post('/graphql', { query })
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        errors: [
          {
            message: 'The query is nested too deep.',
            extensions: { code: 'QUERY_REFUSED', limit: 'depth' },
          },
        ],
      },
    ])
    expect((await blog.post('/graphql', { query: '{ __typename }' })).body.data).toEqual({
      __typename: 'Query',
    })
  })
})
