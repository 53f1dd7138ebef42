import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Parameter, Statement } from '../../../runtime/database/types.js'
import { databases, openProject, type Project } from '../../support/project.js'
import { runs } from '../../support/runs.js'

/** Enough that a plan which reads them all is another plan; test:long has four times as many. */
const many = runs(1) > 1 ? 100_000 : 25_000

/** How the database reads 15 of one parent's many children: by an index, in its order. */
describe.each(databases)('query plans on %s', (name) => {
  let blog: Project
  let ann: number
  let post: number
  let company: number

  beforeAll(async () => {
    blog = await openProject('blog', name, {
      'manifest/posts.ts': (text) =>
        text
          .replace("'svckit'", "'svckit'\nimport { decimal } from 'svckit'")
          .replace('fields: {', 'fields: { price: decimal(8, 2).nullable(),')
          .replace('sort: [', "sort: ['price', "),
    })
    ann = await blog.user('Ann')
    await blog.user('Ben')
    const published_at = '2026-01-01T00:00:00.000Z'
    post = await blog.insert('posts', { title: 'Busy', owner_id: ann, published_at })
    await blog.insert('posts', { title: 'Quiet', owner_id: ann, published_at })
    company = await blog.insert('companies', { name: 'Busy' })
    const now = name === 'sqlite' ? `'2026-01-01T00:00:00.000+00:00'` : `now()`
    const series = (select: string) =>
      name === 'sqlite'
        ? `with recursive s(n) as (select 1 union all select n + 1 from s where n < ${many}) ${select} from s`
        : `${select} from generate_series(1, ${many}) as s(n)`
    const insert = async (into: string, select: string) =>
      execute(`insert into ${into} ${series(`select ${select}`)}`)
    await insert(
      'comments (body, post_id, user_id, created_at, updated_at)',
      `'c' || n, case when n % 1000 = 0 then ${post + 1} else ${post} end, ${ann}, ${now}, ${now}`,
    )
    await insert('tags (name, created_at, updated_at)', `'t' || n, ${now}, ${now}`)
    await insert('taggables (taggable_type, taggable_id, tag_id)', `'posts', ${post}, n`)
    await insert(
      'users (name, email, password, is_admin, created_at, updated_at)',
      `'u', 'u' || n, '-', ${name === 'sqlite' ? '0' : 'false'}, ${now}, ${now}`,
    )
    await insert(
      'company_user (company_id, user_id, is_admin)',
      `${company}, n + 1, ${name === 'sqlite' ? '0' : 'false'}`,
    )
    await insert('companies (name, created_at, updated_at)', `'c' || n, ${now}, ${now}`)
    await insert(
      'company_user (company_id, user_id, is_admin)',
      `${company} + n, ${ann}, ${name === 'sqlite' ? '0' : 'false'}`,
    )
    await execute('analyze')
  })
  afterAll(() => blog.close())

  const execute = (sql: string, parameters: readonly Parameter[] = []) =>
    blog.database.query({ sql, access: 'write' }, parameters)

  /** The statements of a request about `table`, as they were sent. */
  async function sent(
    path: string,
    table: string,
    shown: number,
  ): Promise<[Statement, readonly Parameter[]][]> {
    const all: [Statement, readonly Parameter[]][] = []
    const { database } = blog
    const query = database.query.bind(database)
    Object.assign(database, {
      query: (statement: Statement, parameters: readonly Parameter[]) => {
        all.push([statement, parameters])
        return query(statement, parameters)
      },
    })
    const { status, body } = await blog.get(path, ann)
    Object.assign(database, { query })
    expect(status).toBe(200)
    expect(
      body.data.relationships ? Object.values(body.data.relationships)[0] : body.data,
    ).toHaveLength(shown)
    return all.filter(
      ([{ sql }]) => sql.includes(`"${table}" as`) && !sql.startsWith('select count(*)'),
    )
  }

  interface Plan {
    'Node Type': string
    'Parent Relationship'?: string
    'Actual Rows': number
    'Actual Loops': number
    'Rows Removed by Filter'?: number
    Plans?: Plan[]
  }

  /** Rows that PostgreSQL read from tables and indexes, besides those it counted for the total. */
  function rowsRead(plan: Plan): number {
    if (plan['Parent Relationship'] === 'InitPlan') return 0
    const below = (plan.Plans ?? []).map(rowsRead).reduce((sum, rows) => sum + rows, 0)
    if (!plan['Node Type'].includes('Scan')) return below
    const rows = plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)
    return below + rows * plan['Actual Loops']
  }

  async function expectFew(path: string, table: string, shown = 15): Promise<void> {
    const statements = await sent(path, table, shown)
    expect(statements).toHaveLength(1)
    for (const [{ sql }, parameters] of statements) {
      if (name === 'postgresql') {
        const [row] = await execute(`explain (analyze, format json) ${sql}`, parameters)
        const [json] = row ?? []
        const [{ Plan }] = (typeof json === 'string' ? JSON.parse(json) : json) as [{ Plan: Plan }]
        // 15 of each table that is joined, and the list of parents.
        expect(rowsRead(Plan), JSON.stringify(Plan)).toBeLessThan(100 + 2 * shown)
      } else {
        const rows = await execute(`explain query plan ${sql}`, parameters)
        const details = rows.map((row) => String(row[3]))
        // The parents, and what was chosen of each.
        const isList = (detail: string) => /^SCAN ([ki] VIRTUAL TABLE|\(subquery)/.test(detail)
        expect(details.filter((detail) => detail.startsWith('SCAN') && !isList(detail))).toEqual([])
        // One sort, of the rows that are shown; none of the children they are chosen from.
        expect(
          details.filter((detail) => detail.includes('TEMP B-TREE')).length,
          details.join('\n'),
        ).toBeLessThan(2)
      }
    }
  }

  it('hasMany', () =>
    expectFew(`/api/svc/posts/${post}?include=comments&relatablePerPage=15`, 'comments'))
  it('morphToMany', () => expectFew(`/api/svc/posts/${post}?include=tags`, 'taggables'))
  it('belongsToMany, from the first side', () =>
    expectFew(`/api/svc/companies/${company}?include=users`, 'company_user'))
  it('belongsToMany, from the second side', () =>
    expectFew(`/api/svc/users/${ann}?include=companies`, 'company_user'))
  it('a page below a parent', () => expectFew(`/api/svc/posts/${post}/comments`, 'comments'))

  // Few distinct parents make an index on the key alone look good: it would be read to its end.
  it.each([1, 20])('parents without children, where %s others have all', async (owners) => {
    const now = name === 'sqlite' ? `'2026-01-01T00:00:00.000+00:00'` : `now()`
    const [at, price] =
      name === 'sqlite'
        ? [`printf('2026-01-01T00:00:00.%03d+00:00', id % 1000)`, `printf('%d.00', id % 1000)`]
        : [`timestamptz '2026-01-01' + id % 1000 * interval '1 ms'`, 'id % 1000']
    // A post that has images is not deleted, and an image of no post is not stored.
    await execute('delete from images')
    await execute(`delete from posts where id > ${post + 1}`)
    await execute(
      `insert into posts (title, owner_id, published_at, price, created_at, updated_at)
       select 'p', ${ann} + id % ${owners}, ${at}, ${price}, ${now}, ${now} from users`,
    )
    const [[first] = []] = await execute(`select min(id) from posts where id > ${post + 1}`)
    await execute(`insert into images (url, imageable_type, imageable_id, created_at, updated_at)
       select 'i', 'posts', ${Number(first)} + id % ${owners}, ${now}, ${now} from users`)
    await execute('delete from company_user')
    await execute(
      `insert into company_user (company_id, user_id, is_admin)
       select ${company} + id % ${owners}, id, ${name === 'sqlite' ? '0' : 'false'} from users`,
    )
    await execute('analyze')
    await expectFew('/api/svc/users?include=posts&perPage=100', 'posts', 100)
    await expectFew('/api/svc/posts?include=image&perPage=100', 'images', 100)
    await expectFew('/api/svc/companies?include=users&perPage=100', 'company_user', 100)
  })

  it.each(['price', '-price', 'published_at', '-published_at'])(
    'a page in the order of %s, which may be NULL',
    async (sort) => {
      const [[{ sql }, parameters] = [{ sql: '' }, []]] = await sent(
        `/api/svc/posts?sort=${sort}`,
        'posts',
        15,
      )
      if (name === 'postgresql') {
        const [[json] = []] = await execute(`explain (analyze, format json) ${sql}`, parameters)
        const [{ Plan }] = (typeof json === 'string' ? JSON.parse(json) : json) as [{ Plan: Plan }]
        expect(rowsRead(Plan), JSON.stringify(Plan)).toBeLessThan(500)
      } else {
        const rows = await execute(`explain query plan ${sql}`, parameters)
        const details = rows.map((row) => String(row[3]))
        expect(details[0]).toBe(`SCAN t0 USING INDEX posts_${sort.replace('-', '')}_idx`)
        expect(details).not.toContain('USE TEMP B-TREE FOR ORDER BY')
      }
    },
  )

  // SQLite counts rows when a server stops, so a table may be a thousand times what it believes.
  if (name === 'sqlite') {
    it('tables that were small when they were counted last', async () => {
      await execute(`update sqlite_stat1 set stat = '20' || substr(stat, instr(stat, ' '))`)
      await execute('analyze sqlite_schema')
      await expectFew('/api/svc/users?include=posts[id]&perPage=100', 'posts', 100)
      await expectFew('/api/svc/posts?include=image&perPage=100', 'images', 100)
      await expectFew('/api/svc/companies?include=users&perPage=100', 'company_user', 100)
    })
  }
})
