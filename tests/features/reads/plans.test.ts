/**
 * What `svc doctor` does not warn of is found by an index: each declared filter of a large table, as the
 * database says it reads the statements that were sent.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Parameter } from '../../../runtime/database/types.js'
import { svc } from '../../core/cli/project.js'
import { databases, type DatabaseName, type Project } from '../../support/project.js'
import { fillReads, openReads, sentFilters } from '../../support/reads-world.js'
import { sentBy } from '../../support/sent.js'

/** Enough that a plan which reads them all is another plan. */
const many = 20_000

/** By what `/filters` says of products: values that few of them have, and comparisons that find few. */
const samples: Readonly<Record<string, readonly string[]>> = {
  name: ['name=p7', 'name=p7,p8', 'name[equals]=p7', 'name[gt]=p9998&name[lt]=q', 'name[in]=p7,p9'],
  note: ['note=ot'],
  price: ['price=7,9', 'price[gte]=19990', 'price[lt]=5', 'price[in]=5,6'],
  status: ['status=gone', 'status[in]=gone'],
  likes: ['likes=7', 'likes[gt]=19990', 'likes[lte]=3', 'likes[equals]=7'],
  made_at: [
    'made_at=2020-01-02',
    'made_at[lt]=2020-01-01T00:10:00Z',
    'made_at[equals]=2020-01-01T00:07:00Z',
  ],
  seller_id: ['seller_id=1000007', 'seller_id[in]=1000007,1000008'],
  'seller.name': [
    'seller.name=seller+7',
    'seller.name[in]=seller+7,seller+8',
    'seller.name[equals]=seller+7',
  ],
  'category.name': ['category.name=c7', 'category.name[in]=c7,c8'],
  'tags.id': ['tags.id=7,8', 'tags.id[lte]=5'],
  'tags.name': ['tags.name=t7', 'tags.name[in]=t7,t8'],
  'reviews.rating': [
    'reviews.rating=99',
    'reviews.rating[gt]=50',
    'reviews.rating=99&seller.name=seller+1',
  ],
  seller: ['seller=true&withTotal=false'],
  reviews: ['reviews=true&withTotal=false'],
  liked: ['liked=7'],
  praised: ['praised=true'],
  since: [sentFilters({ since: '2020-01-14T21:00:00Z' })],
  made_in: [sentFilters({ made_in: 'c7' })],
}

/**
 * What goes through the table of the list in its own order until a page is full, as docs/reads.md says: no
 * statistics tell SQLite how few of a range there are, and it tests a condition of related records for
 * each record. On PostgreSQL texts are compared by code point, in which no index has them.
 */
const walks: Readonly<Record<DatabaseName, readonly string[]>> = {
  sqlite: [
    'status[in]=gone',
    'made_at=2020-01-02',
    'seller=true&withTotal=false',
    'tags.id[lte]=5',
    'reviews.rating[gt]=50',
    'reviews=true&withTotal=false',
    'praised=true',
    sentFilters({ made_in: 'c7' }),
  ],
  postgresql: ['name[gt]=p9998&name[lt]=q'],
}

describe.each(databases)('plans of declared filters on %s', (name) => {
  let project: Project
  let ann: number
  beforeAll(async () => {
    project = await openReads(name)
    ann = await project.user('Ann')
    await fillReads(project, name, many)
  })
  afterAll(() => project.close())

  const list = (query: string) => () => project.get(`/api/svc/products?${query}`, ann)

  /** The statements of a request that read products. */
  async function sent(
    request: () => ReturnType<Project['get']>,
  ): Promise<readonly (readonly [string, readonly Parameter[]])[]> {
    const { answer, statements } = await sentBy(project, request)
    expect([answer.status, answer.body.message]).toEqual([200, undefined])
    expect(answer.body.data.length).toBeGreaterThan(0)
    return statements
      .map(([{ sql }, parameters]) => [sql, parameters] as const)
      .filter(([sql]) => sql.includes('"products" as'))
  }

  interface Plan {
    'Node Type': string
    'Relation Name'?: string
    Plans?: Plan[]
  }
  const own = name === 'sqlite' ? 'SCAN t0' : 'Seq Scan on products'
  const nodesIn = (plan: Plan): readonly Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesIn)]

  /** Tables that are gone through without an index. */
  async function scansOf(
    sql: string,
    parameters: readonly Parameter[],
  ): Promise<readonly string[]> {
    const explain = name === 'sqlite' ? 'explain query plan' : 'explain (format json)'
    const rows = await project.database.query(
      { sql: `${explain} ${sql}`, access: 'read' },
      parameters,
    )
    if (name === 'sqlite') {
      const details = rows.map((row) => String(row[3]))
      const lists = /VIRTUAL TABLE|\(subquery|CONSTANT ROW|SCAN \d/
      return details.filter(
        (each) => each.startsWith('SCAN') && !lists.test(each) && !each.includes('INDEX'),
      )
    }
    const [[told] = []] = rows
    const [{ Plan: plan }] = (typeof told === 'string' ? JSON.parse(told) : told) as [
      { Plan: Plan },
    ]
    return nodesIn(plan)
      .filter((node) => node['Node Type'] === 'Seq Scan')
      .map((node) => `Seq Scan on ${node['Relation Name']}`)
  }

  it('use an index for each that the doctor does not name', async () => {
    const { body } = await project.get('/api/svc/products/filters?only=matches,filters', ann)
    const declared = [...body.data.matches, ...body.data.filters].map(({ key }) => String(key))
    expect(declared.toSorted()).toEqual(Object.keys(samples).toSorted())
    const { out } = await svc(project.folder, 'doctor', '--json')
    const advice: readonly { rule: string; message: string }[] = JSON.parse(out).advice
    const named = advice
      .filter(({ rule }) => rule === 'unindexed-filter')
      .map(({ message }) => message)
    const isServed = (key: string) => !named.some((message) => message.includes(`'${key}'`))
    expect(declared.filter((key) => !isServed(key))).toEqual(['note'])
    const walked: string[] = []
    for (const key of declared.filter(isServed)) {
      for (const query of samples[key] ?? []) {
        for (const [sql, parameters] of await sent(list(query))) {
          const scans = await scansOf(sql, parameters)
          // Related records are found by an index, whatever is asked of them.
          expect(
            scans.filter((each) => each !== own),
            `${query} ${sql}`,
          ).toEqual([])
          if (scans.length > 0) walked.push(query)
        }
      }
    }
    expect(walked).toEqual(walks[name])
    const [[part = '', of = []] = []] = await sent(list('note=ot'))
    expect(await scansOf(part, of)).toEqual([own])
  })

  it('are those of what is asked besides: groups, trees, counts, parts of lists and cursors', async () => {
    const get = (path: string) => () => project.get(`/api/svc/products${path}`, ann)
    const search = (body: object) => () => project.post('/api/svc/products/search', body, ann)
    const requests = {
      groups: get('/aggregate?groupBy=status&select=count,sum(price)&likes[gt]=19990'),
      'of related records': get('/aggregate?groupBy=category.name&seller.name=seller+7'),
      tree: search({ where: { all: [{ likes: { gte: 19_990 } }, { not: { status: 'gone' } }] } }),
      'tree of related records': search({ where: { tags: { name: { equals: 't7' } } } }),
      counts: get('?withCount=reviews,tags&likes=7'),
      parts: get(
        '?include[reviews][perPage]=1&include[reviews][sort]=-rating&include=tags&likes=7',
      ),
      cursor: get('?cursor=&sort=-price,-id&perPage=5'),
      'cursor of a filter': get('?cursor=&seller_id=1000007&withTotal=true'),
    }
    for (const [what, request] of Object.entries(requests)) {
      const statements = await sent(request)
      expect(statements.length, what).toBeGreaterThan(0)
      for (const [sql, parameters] of statements)
        expect(await scansOf(sql, parameters), `${what}: ${sql}`).toEqual([])
    }
  })
})
