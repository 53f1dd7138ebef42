/** What a list is asked costs statements, and never more of them for more rows. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databases, type Project } from '../../support/project.js'
import { fillReads, openReads, sentFilters } from '../../support/reads-world.js'

const api = '/api/svc/products'

/** What may be asked of a list, alone and together. */
const lists: readonly string[] = [
  '',
  'name=p1',
  'note=ot',
  'price=0,2000',
  'status=open,sold,gone',
  'price[gte]=0&likes[in]=1,2,3&made_at[isNull]=false&name[startsWith]=p',
  'seller.name=seller+1',
  'seller.name[startsWith]=sell',
  '-seller.name=nobody',
  'category.name=c1',
  'seller=true',
  'tags.id=1,2',
  '-tags.id=999999',
  'tags.name=t1',
  'reviews=true',
  'reviews=false',
  'reviews.rating=99',
  '-reviews.rating=1&reviews.rating[gt]=1',
  'seller=true&tags.name[gt]=t&reviews.rating[gte]=0&category.name[not]=x',
  'liked=1',
  'praised=true',
  sentFilters({ since: '2020-01-01', made_in: 'c1' }),
  'search=p',
  'sort=-popularity',
  'sort=-reviews.count',
  'withCount=reviews,tags',
  'fields=name,price',
  'include=seller,category,reviews,tags',
  'include=seller.products,reviews.product&relatablePerPage=1',
  'include[reviews][perPage]=1&include[reviews][sort]=-rating&include[reviews][rating][gte]=0&include=tags',
  'include[reviews][perPage]=1&include[seller.products][tags.name]=t1',
  'withTotal=false',
  'withTotal=bounded',
  'cursor=',
  'cursor=&sort=-price,name&withTotal=true&include=seller&withCount=reviews&tags.name[gt]=t',
  'cursor=&sort=-likes&reviews=true',
]

const trees: readonly object[] = [
  { where: { any: [{ price: { gte: 0 } }, { not: { status: 'gone' } }] } },
  { where: { any: [{ 'seller.name': 'seller 1' }, { tags: { name: { gt: 't' } } }] } },
  { where: { not: { 'reviews.rating': 77 } }, include: ['seller'], withCount: ['reviews'] },
  { where: { likes: { gte: 0 } }, cursor: '', sort: ['-price'] },
]

const aggregates: readonly string[] = [
  '',
  'groupBy=status&select=count,sum(price),avg(likes)',
  'groupBy=made_at:month,category.name&sort=-count&tags.name[gt]=t',
]

const graphql: readonly string[] = [
  `{ productList(where: { price: { gte: 0 } }, match: { tags: { name: "t1" } }) { name reviews(first: 1) { rating } } }`,
  `{ productListTotal(where: { any: [{ seller: { name: { gt: "a" } } }] }) }`,
  `{ productList(first: 1000, filters: { since: "2020-01-01" }) { seller { name } reviews_total tags(first: 2) { name } } }`,
  `{ productAggregate(groupBy: ["status"]) { count group { status } } }`,
]

describe.each(databases)('statements of what lists are asked, on %s', (name) => {
  let project: Project
  let ann: number
  beforeAll(async () => {
    project = await openReads(name)
    ann = await project.user('Ann')
  })
  afterAll(() => project.close())

  type Counts = ReadonlyMap<string, { readonly statements: number; readonly found: number }>

  /** By what is asked. SQLite counts where a page is full: one that is not says its total itself. */
  async function counted(perPage: number): Promise<Counts> {
    const counts = new Map<string, { statements: number; found: number }>()
    const note = (
      asked: string,
      { status, body, statements }: Awaited<ReturnType<Project['get']>>,
    ) => {
      expect([asked, status, body.message, body.errors]).toEqual([asked, 200, undefined, undefined])
      const found = Array.isArray(body.data) ? body.data.length : 0
      counts.set(asked, { statements: statements.length, found })
    }
    for (const query of lists)
      note(query, await project.get(`${api}?perPage=${perPage}&${query}`, ann))
    for (const tree of trees) {
      const body = { perPage, ...tree }
      note(JSON.stringify(tree), await project.post(`${api}/search`, body, ann))
    }
    for (const query of aggregates)
      note(`aggregate ${query}`, await project.get(`${api}/aggregate?${query}`, ann))
    for (const query of graphql) note(query, await project.post('/graphql', { query }, ann))
    note('filters', await project.get(`${api}/filters`, ann))
    return counts
  }

  it('are as many for a thousand rows as for one, and for a file one more a batch', async () => {
    const sizes = [1, 100, 1_000]
    const seen: Counts[] = []
    const full: Counts[] = []
    const files: number[] = []
    for (const size of sizes) {
      await fillReads(project, name, size)
      seen.push(await counted(2_000))
      full.push(await counted(1))
      const headers = { accept: 'text/csv' }
      const file = await project.request('GET', `${api}?tags.name[gt]=t&include=seller`, {
        as: ann,
        headers,
      })
      expect(String(file.body).trim().split('\n')).toHaveLength(size + 1)
      files.push(file.statements.length)
    }
    const [one = new Map(), hundred, thousand] = seen
    const numbers = (counts: Counts = new Map()) =>
      Object.fromEntries([...counts].map(([asked, { statements }]) => [asked, statements]))
    expect(numbers(hundred)).toEqual(numbers(one))
    expect(numbers(thousand)).toEqual(numbers(one))
    const [fullOfOne, ...others] = full
    for (const other of others) expect(numbers(other)).toEqual(numbers(fullOfOne))
    expect(thousand?.get('')?.found).toBe(1_000)
    expect(thousand?.get('withCount=reviews,tags')?.found).toBe(1_000)
    // The page, its total, the token: what joins and tests them is in these.
    const plain = one.get('')?.statements ?? 0
    for (const [asked, { statements }] of one) {
      // One for each relation that is shown, and one that counts where it is asked for besides.
      const shown = asked.match(/include|seller \{|tags\(|reviews(\(|_total)/g)?.length ?? 0
      const more = shown > 0 ? 5 : /bounded|Total=true/.test(asked) ? 1 : 0
      expect(statements, asked).toBeLessThanOrEqual(plain + more)
    }
    const [ofOne = 0, ...ofMore] = files
    // Of 200 records each, with one for those that are included; behind five full ones, one finds nothing.
    expect(ofMore).toEqual([ofOne, ofOne + 2 * 4 + 1])
  })
})
