import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../../runtime/database/types.js'
import { parseIndexQuery } from '../../../runtime/query/parse-query.js'
import { strictQueries } from '../../../runtime/query/strict-queries.js'
import { type Blog, createBlog } from './blog.js'
import { counted, dialects, openDatabase } from './databases.js'
import { failure } from './failure.js'

const query = (text: string) => parseIndexQuery(new URLSearchParams(text))

describe.each(dialects)('indexes on %s', (dialect) => {
  let database: Database
  let blog: Blog
  const ada = { id: 1 }

  beforeAll(async () => {
    database = await openDatabase(dialect)
    blog = createBlog(database)
    for (const name of ['Ada', 'bob']) {
      await blog.users.store(null, { name, email: `${name}@x.org`, password: 'long enough' })
    }
    const published_at = '2026-02-03T04:05:06Z'
    await blog.posts.store({ id: 1 }, { title: '100% sure', description: 'b', published_at })
    await blog.posts.store(
      { id: 2 },
      { title: 'a_b', description: null, published_at: '2026-02-04' },
    )
    await blog.posts.store({ id: 2 }, { title: "it's \\ 😀", description: 'a' })
    const rows = [
      {
        text: 'one',
        price: '9.5',
        rank: 1,
        is_open: true,
        due_at: '2026-02-03T23:59:59.999Z',
        day: '2026-02-03',
        ratio: 0.5,
      },
      {
        text: 'two',
        price: '10',
        rank: 2,
        is_open: false,
        due_at: '2026-02-04',
        day: '2026-02-04',
        ratio: 2,
      },
      { text: 'three', price: '-3', rank: -3 },
    ]
    for (const row of rows) await blog.notes.store(null, row)
  })
  afterAll(() => database.close())

  const titles = async (text: string, from = blog, user: unknown = ada) =>
    (await from.posts.index(user, query(text))).data.map(({ attributes }) => attributes['title'])
  const texts = async (text: string, from = blog) =>
    (await from.notes.index(ada, query(text))).data.map(({ attributes }) => attributes['text'])

  test('search finds text literally, whatever the case', async () => {
    expect(await titles('search=100%25')).toEqual(['100% sure'])
    expect(await titles('search=%25')).toEqual(['100% sure'])
    expect(await titles('search=_')).toEqual(['a_b'])
    expect(await titles('search=SURE')).toEqual(['100% sure'])
    expect(await titles(`search=${encodeURIComponent("'s \\ 😀")}`)).toEqual(["it's \\ 😀"])
    expect(await titles('search=BOB')).toEqual(["it's \\ 😀", 'a_b'])
    expect(await titles('search=%20')).toHaveLength(3)
    expect(await titles('search=nowhere')).toEqual([])
    expect(await texts('search=2')).toEqual(['two'])
    expect(await texts('search=9.5')).toEqual(['one'])
    expect(() => query('search=%00')).toThrow('NUL')
    expect(() => query(`search=${'x'.repeat(201)}`)).toThrow('200 characters')
  })

  test('text to be found anywhere inside is no longer than a search, whoever asks', async () => {
    const match = [{ column: 'text', negated: false, text: 'x'.repeat(60_000) }]
    const error = await failure(blog.notes.index({ id: 1 }, { match }))
    expect([error.status, error.message]).toEqual([
      400,
      'The text parameter must not be longer than 200 characters.',
    ])
  })

  test('a parameter lists at most 1,000 values', async () => {
    const list = (count: number) => [
      { column: 'rank', negated: false, text: Array.from({ length: count }, () => '7').join() },
    ]
    await expect(blog.notes.index({ id: 1 }, { match: list(1000) })).resolves.toMatchObject({})
    const error = await failure(blog.notes.index({ id: 1 }, { match: list(1001) }))
    expect([error.status, error.message]).toEqual([
      400,
      'The rank parameter must be at most 1000 values.',
    ])
  })

  test('search does not find what the user may not see', async () => {
    const hidden = createBlog(database, {
      policies: { users: { show: (user) => ({ id: user?.id }) } },
    })
    expect(await titles('search=bob', hidden)).toEqual([])
    expect(await titles('search=bob', hidden, { id: 2 })).toEqual(["it's \\ 😀", 'a_b'])
    const gated = createBlog(database, {
      policies: {
        users: { canSee: { name: () => false } },
        posts: { canSee: { title: () => false } },
      },
    })
    expect(await titles('search=bob', gated)).toEqual([])
    expect(await titles('search=sure', gated)).toEqual([])
    const posts = createBlog(database, { policies: { posts: { show: () => ({ title: 'a_b' }) } } })
    expect((await posts.posts.index(ada, query('search=b'))).total).toBe(1)
  })

  test.each([
    ['title=a_b', ['a_b']],
    ['title=A_B', []],
    ['title=a_b,100%25 sure', ['a_b', '100% sure']],
    ['title=a_b&title=100%25 sure', ['a_b', '100% sure']],
    ['title=a_b&title=a_b', ['a_b']],
    ['title[]=a_b&title[]=100%25 sure', ['a_b', '100% sure']],
    ['filter[title][]=a_b', ['a_b']],
    ['-title[]=a_b', ["it's \\ 😀", '100% sure']],
    ['title=a_b&filter[title]=100%25 sure', ['a_b', '100% sure']],
    ['-title=a_b&-title=100%25 sure', ["it's \\ 😀"]],
    ['title=a_b&-title=a_b', []],
    ['published_at=null&published_at=2026-02-03', ["it's \\ 😀", '100% sure']],
    ['-published_at=null&-published_at=2026-02-03', ['a_b']],
    ['published_at=2026-02-03&published_at=2026-02-04', ['a_b', '100% sure']],
    ['-title=a_b', ["it's \\ 😀", '100% sure']],
    ['filter[title]=a_b', ['a_b']],
    ['filter[-title]=a_b', ["it's \\ 😀", '100% sure']],
    ['published_at=null', ["it's \\ 😀"]],
    ['-published_at=null', ['a_b', '100% sure']],
    ['published_at=2026-02-03', ['100% sure']],
    ['-published_at=2026-02-03', ['a_b']],
    ['published_at=2026-02-03T05:05:06%2B01:00', ['100% sure']],
    ['published_at=2026-02-03,2026-02-04', ['a_b', '100% sure']],
    ['published_at=2026-02-03T04:05:07,2026-02-04', ['a_b']],
    ['owner_id=2', ["it's \\ 😀", 'a_b']],
    ['owner_id=1,2', ["it's \\ 😀", 'a_b', '100% sure']],
    ['description=a', ["it's \\ 😀", 'a_b', '100% sure']],
    ['constructor=1&toString=2&__proto__=3', ["it's \\ 😀", 'a_b', '100% sure']],
  ])('posts match %s', async (text, expected) => {
    expect(await titles(text)).toEqual(expected)
  })

  test.each([
    ['text=HRE', ['three']],
    ['-text=t', ['one']],
    ['price=9,10', ['two', 'one']],
    ['-price=9,10', ['three']],
    ['price=9&price=10', ['two', 'one']],
    ['text=HRE&text=ne', ['one']],
    ['is_open=false&is_open=true', ['one']],
    ['rank=-3', ['three']],
    ['ratio=0.5,2', ['two', 'one']],
    ['is_open=true', ['one']],
    ['is_open=false', ['three', 'two']],
    ['-is_open=false', ['one']],
    ['-is_open=true', ['two']],
    ['is_open=0', ['three', 'two']],
    ['due_at=2026-02-03', ['one']],
    ['-due_at=2026-02-03', ['two']],
    ['day=2026-02-04', ['two']],
    ['day=2026-02-01,2026-02-03', ['one']],
    ['parent_id=null', ['three', 'two', 'one']],
    ['data=null', ['three', 'two', 'one']],
  ])('notes match %s', async (text, expected) => {
    expect(await texts(text)).toEqual(expected)
  })

  test.each([
    ['rank=x', 'The rank parameter must be an integer.'],
    ['rank=99999999999', 'The rank parameter must be an integer.'],
    ['ratio=1e999', 'The ratio parameter must be a number.'],
    ['price=1&price=2&price=3', 'The price parameter must be two values separated by a comma.'],
    ['price=1', 'The price parameter must be two values separated by a comma.'],
    [
      'price=1,1.234',
      'The price parameter must be a number with at most 8 digits before and 2 after the point.',
    ],
    ['is_open=maybe', 'The is_open parameter must be true or false.'],
    [
      'due_at=2026-02-30',
      'The due_at parameter must be a date or a time such as 2026-02-03T04:05:06Z.',
    ],
    ['due_at=1,2,3', 'The due_at parameter must be a date, or two separated by a comma.'],
    ['parent_id=1', 'The parent_id parameter must be a UUID.'],
    ['data=1', 'The data parameter must be null.'],
  ])('%s is refused', async (text, message) => {
    const error = await failure(blog.notes.index(ada, query(text)))
    expect([error.status, error.message, Object.keys(error.errors ?? {})]).toEqual([
      400,
      message,
      [text.split('=')[0]],
    ])
  })

  test('parameters that are no positive integers are refused together', () => {
    expect(() => query('page=-1&perPage=0&relatablePerPage=x')).toThrow(
      expect.objectContaining({
        status: 400,
        errors: {
          page: ['The page parameter must be a positive integer.'],
          perPage: ['The perPage parameter must be a positive integer.'],
          relatablePerPage: ['The relatablePerPage parameter must be a positive integer.'],
        },
      }),
    )
    for (const text of [
      'page=1.5',
      'page=1e3',
      'page=',
      'page[number]=x',
      'page[size]=-1',
      'title=%00',
    ]) {
      expect(() => query(text)).toThrow(expect.objectContaining({ status: 400 }))
    }
  })

  test.each([
    ['page=1&page=2', 'page'],
    ['perPage=10&page[size]=20', 'page[size]'],
    ['relatablePerPage=1&relatablePerPage=1', 'relatablePerPage'],
    ['search=a&search=b', 'search'],
    ['withMeta=true&withMeta=false', 'withMeta'],
  ])('one of two is not taken in silence: %s', (text, name) => {
    expect(() => query(text)).toThrow(
      expect.objectContaining({
        status: 400,
        errors: { [name]: [`The ${name} parameter is given more than once.`] },
      }),
    )
  })

  test('a query made by code is held to the same limits', async () => {
    for (const one of [{ perPage: -1 }, { perPage: 0 }, { page: 0.5 }, { page: Number.NaN }]) {
      expect((await failure(blog.posts.index(ada, one))).status).toBe(400)
    }
    const include = [{ key: 'comments', columns: null, children: [] }]
    const negative = blog.posts.index(ada, { include, relatablePerPage: -1 })
    expect((await failure(negative)).status).toBe(400)
  })

  test('NULL sorts last in both directions, ties by newest', async () => {
    expect(await titles('sort=description')).toEqual(["it's \\ 😀", '100% sure', 'a_b'])
    expect(await titles('sort=-description')).toEqual(['100% sure', "it's \\ 😀", 'a_b'])
    expect(await titles('sort=published_at')).toEqual(['100% sure', 'a_b', "it's \\ 😀"])
    expect(await titles('sort=-published_at')).toEqual(['a_b', '100% sure', "it's \\ 😀"])
    expect(await texts('sort=price')).toEqual(['three', 'one', 'two'])
    expect(await texts('sort=-price,rank')).toEqual(['two', 'one', 'three'])
    expect(await titles('sort=id,-id,title')).toEqual(['100% sure', 'a_b', "it's \\ 😀"])
    expect(await titles('sort=owner_id,constructor,owner.email,owner.name.x')).toEqual(
      await titles(''),
    )
  })

  test('sorts by the name of the owner, a hidden one last', async () => {
    expect(await titles('sort=owner.name')).toEqual(['100% sure', "it's \\ 😀", 'a_b'])
    expect(await titles('sort=-owner.name')).toEqual(["it's \\ 😀", 'a_b', '100% sure'])
    const hidden = createBlog(database, {
      policies: { users: { show: (user) => ({ id: user?.id }) } },
    })
    expect(await titles('sort=-owner.name', hidden, { id: 1 })).toEqual([
      '100% sure',
      "it's \\ 😀",
      'a_b',
    ])
    expect(await titles('sort=owner.name', hidden, { id: 2 })).toEqual([
      "it's \\ 😀",
      'a_b',
      '100% sure',
    ])
    const gated = createBlog(database, {
      policies: { users: { canSee: { name: () => false } } },
      settings: { strict: strictQueries },
    })
    const error = await failure(gated.posts.index(ada, query('sort=owner.name')))
    expect(error.status).toBe(400)
  })

  test('a hidden field can be neither matched nor sorted by', async () => {
    const gated = createBlog(database, { policies: { posts: { canSee: { title: () => false } } } })
    expect(await titles('title=a_b', gated)).toHaveLength(3)
    expect((await gated.posts.index(ada, query('sort=title'))).data.map(({ id }) => id)).toEqual([
      '3',
      '2',
      '1',
    ])
  })

  test('a page is counted in its own statement on PostgreSQL, and on SQLite only where it is full', async () => {
    const sent = async (text: string) =>
      (await counted(database, () => blog.posts.index(ada, query(text)))).statements.length
    expect(await sent('')).toBe(1)
    expect(await sent('perPage=3')).toBe(dialect === 'sqlite' ? 2 : 1)
    expect(await sent('perPage=2&page=2')).toBe(1)
    expect(await sent('perPage=2&page=9')).toBe(2) // without a row nothing says the total
    expect((await blog.posts.index(ada, query('perPage=2&page=9'))).total).toBe(3)
    expect((await blog.posts.index(ada, query('perPage=2&page=2'))).total).toBe(3)
    expect(await sent('search=nothing')).toBe(1)
  })
})
