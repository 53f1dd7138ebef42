import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databases, openProject, type Project } from '../../support/project.js'

describe.each(databases)('an index on %s', (name) => {
  let blog: Project
  let ann: number
  let ben: number

  beforeAll(async () => {
    blog = await openProject('blog', name)
    ann = await blog.user('Ann')
    ben = await blog.user('Ben')
    for (let n = 1; n <= 50; n += 1) {
      await blog.insert('posts', {
        title: n === 50 ? '100%_sure' : `Post ${String(n).padStart(2, '0')}`,
        description: n % 7 === 0 ? null : `Text ${n}`,
        published_at:
          n % 5 === 0 ? null : `2026-01-${String((n % 28) + 1).padStart(2, '0')}T12:00:00.000Z`,
        owner_id: n % 2 === 0 ? ann : ben,
      })
    }
  })
  afterAll(() => blog.close())

  const index = async (query: string, as = ann) => {
    const { status, body } = await blog.get(`/api/svc/posts${query}`, as)
    return { status, ...body }
  }
  const titles = (answer: { data: { attributes: { title: string } }[] }) =>
    answer.data.map(({ attributes }) => attributes.title)

  it('pages exactly: hidden rows leave no holes and are not counted', async () => {
    // Ann sees 40 published posts and her own five drafts: the tens.
    const { meta, links, data } = await index('?page=2')
    expect(meta).toEqual({
      current_page: 2,
      from: 16,
      last_page: 3,
      path: '/api/svc/posts',
      per_page: 15,
      to: 30,
      total: 45,
    })
    expect(links).toEqual({
      first: '/api/svc/posts?page=1',
      last: '/api/svc/posts?page=3',
      next: '/api/svc/posts?page=3',
      path: '/api/svc/posts',
      prev: '/api/svc/posts?page=1',
    })
    expect(data).toHaveLength(15)
  })

  it('orders by the key, newest first, and walks every row once', async () => {
    const seen: string[] = []
    for (const page of [1, 2, 3]) {
      const { data } = await index(`?page=${page}`)
      for (const { id } of data) seen.push(id)
    }
    expect(seen).toHaveLength(45)
    expect(new Set(seen).size).toBe(45)
    expect(seen).toEqual(seen.toSorted((a, b) => Number(b) - Number(a)))
  })

  it('answers members in the order meta, links, data', async () => {
    const { body } = await blog.get('/api/svc/posts', ann)
    expect(Object.keys(body)).toEqual(['meta', 'links', 'data'])
  })

  it('takes page[size] and page[number], clamps large pages and keeps parameters in links', async () => {
    const { meta, links } = await index('?page[size]=10&page[number]=2&sort=title')
    expect(meta).toMatchObject({ current_page: 2, per_page: 10, from: 11, to: 20 })
    expect(links.next).toContain('sort=title')
    expect((await index('?perPage=1000000000')).meta.per_page).toBe(100)
    const beyond = await index('?page=999')
    expect(beyond).toMatchObject({
      status: 200,
      data: [],
      meta: { from: null, to: null, total: 45 },
    })
  })

  it.each([
    'page=-1',
    'page=0',
    'page=x',
    'perPage=-5',
    'perPage=1.5',
    'page[size]=abc',
    'relatablePerPage=no',
  ])('refuses %s with 400 naming the parameter', async (query) => {
    const answer = await index(`?${query}`)
    expect(answer.status).toBe(400)
    expect(Object.keys(answer.errors)).toEqual([query.split('=')[0]])
  })

  it('sorts by several declared keys, descending with a minus, NULLs last either way', async () => {
    const up = await index('?sort=published_at,-title&perPage=100')
    const down = await index('?sort=-published_at&perPage=100')
    const dates = (answer: typeof up) =>
      answer.data.map(
        (item: { attributes: { published_at: string | null } }) => item.attributes.published_at,
      )
    const filled = dates(up).filter((date: string | null) => date !== null)
    expect(filled).toEqual(filled.toSorted())
    expect(
      dates(up)
        .slice(filled.length)
        .every((date: string | null) => date === null),
    ).toBe(true)
    expect(dates(down).slice(0, filled.length)).toEqual(filled.toReversed())
    expect(
      dates(down)
        .slice(filled.length)
        .every((date: string | null) => date === null),
    ).toBe(true)
  })

  it('ignores a sort key that is not declared', async () => {
    expect(titles(await index('?sort=description'))).toEqual(titles(await index('')))
  })

  it('sorts by a declared column of the owner', async () => {
    const { data } = await index('?sort=owner.name,id&perPage=100')
    const owners = data.map(
      (item: { attributes: { owner_id: string } }) => item.attributes.owner_id,
    )
    const split = owners.indexOf(String(ben))
    expect(split).toBeGreaterThan(0)
    expect(new Set(owners.slice(0, split))).toEqual(new Set([String(ann)]))
    expect(new Set(owners.slice(split))).toEqual(new Set([String(ben)]))
  })

  it('searches declared columns, literally and without case', async () => {
    expect(titles(await index('?search=post 01'))).toEqual(['Post 01'])
    expect(titles(await index('?search=100%25_SURE'))).toEqual(['100%_sure'])
    expect(titles(await index('?search=%25'))).toEqual(['100%_sure'])
    expect(titles(await index('?search=_'))).toEqual(['100%_sure'])
    expect((await index("?search='")).data).toEqual([])
    expect((await index('?search=')).meta.total).toBe(45)
  })

  it('searches the declared column of the owner', async () => {
    const { meta } = await index('?search=ben&perPage=100')
    expect(meta.total).toBe(20)
  })

  it('matches declared columns: equal, negated, null, lists and ranges', async () => {
    expect(titles(await index('?title=Post 01'))).toEqual(['Post 01'])
    expect((await index('?-title=Post 01')).meta.total).toBe(44)
    expect(titles(await index('?filter[title]=Post 02'))).toEqual(['Post 02'])
    expect((await index('?filter[-title]=Post 02')).meta.total).toBe(44)
    expect((await index('?published_at=null')).meta.total).toBe(5)
    expect((await index('?-published_at=null')).meta.total).toBe(40)
    expect((await index('?published_at=2026-01-02')).data.length).toBeGreaterThan(0)
    const range = await index('?published_at=2026-01-02,2026-01-03&perPage=100')
    const one = await index('?published_at=2026-01-02&perPage=100')
    const two = await index('?published_at=2026-01-03&perPage=100')
    expect(range.meta.total).toBe(one.meta.total + two.meta.total)
    expect(titles(await index('?title=Post 01,Post 02&sort=title'))).toEqual(['Post 01', 'Post 02'])
  })

  it('refuses a value of the wrong type for a declared column, and ignores what is not declared', async () => {
    const wrong = await index('?published_at=tomorrow')
    expect(wrong.status).toBe(400)
    expect(Object.keys(wrong.errors)).toEqual(['published_at'])
    expect((await index('?description=nothing&constructor=1&__proto__=2')).meta.total).toBe(45)
  })

  it('costs the token, the page and the count, whatever the size of the page', async () => {
    for (const size of [1, 15, 100]) {
      const { statements } = await blog.get(
        `/api/svc/posts?perPage=${size}&search=post&sort=title`,
        ann,
      )
      expect(statements.length).toBeLessThanOrEqual(3)
    }
  })
})
