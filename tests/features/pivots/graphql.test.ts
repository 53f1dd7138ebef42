/** Many-to-many relations over GraphQL: written as REST writes them, and read with what their pivot rows hold. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { databases, openProject, type Project } from '../../support/project.js'
import { ask, codes } from '../graphql/ask.js'

const edits = {
  // Does the work of detaching tags: leaves the rows, and renames the company.
  'app/Hooks/CompanyHooks.ts': (text: string) =>
    text
      .replace(
        /\n\}\n*$/,
        `
  detachCallback: {
    tags: async ({ ids }, _repository, company) => {
      await db.updateTable('companies').set({ name: 'left ' + ids.length }).where('id', '=', company.id).execute()
      return { left: ids.length }
    },
  },
}\n`,
      )
      .replace(/^/, "import { db } from '#app/database.js'\n"),
  // Companies of others are seen by their staff alone.
  'app/Policies/CompanyPolicy.ts': (text: string) =>
    text
      .replace(
        /^ {2}show: .*/m,
        "  show: (user) => any({ name: 'Open' }, { users: { some: { id: user?.id } } }),",
      )
      .replace(
        /^ {2}attachUsers: .*/m,
        '  attachUsers: (user, _company, member) => member.id !== 3,',
      )
      .replace(/^/, "import { any } from '#runtime/policy/condition.js'\n"),
}

describe.each(databases)('many-to-many relations over GraphQL on %s', (name) => {
  let blog: Project
  let ann: number
  let ben: number
  let company: number
  let tags: number[]

  beforeAll(async () => {
    blog = await openProject('blog', name, edits)
    ann = await blog.user('Ann')
    ben = await blog.user('Ben')
    for (let n = 0; n < 20; n++) await blog.user(`Person ${n}`)
    tags = []
    for (const label of ['a', 'b']) tags.push(await blog.insert('tags', { name: label }))
  })
  beforeEach(async () => {
    company = await blog.insert('companies', { name: 'Open' })
  })
  afterAll(() => blog.close())

  const run = (text: string, as?: number) =>
    ask(blog, `mutation { done: ${text.replace('(', `(id: ${company}, `)} }`, { as })

  it('attaches, syncs and detaches with pivot fields, and answers the record', async () => {
    const staff = '{ id name users_edges(sort: "id") { pivot { is_admin } node { id name } } }'
    const edge = (id: number, is_admin: boolean, label: string) => ({
      pivot: { is_admin },
      node: { id: String(id), name: label },
    })
    const made = await run(
      `attachCompanyUsers(ids: [${ann}, "${ben}"], pivot: { is_admin: true }) ${staff}`,
      ann,
    )
    expect(made.body.errors).toBeUndefined()
    expect(made.body.data.done).toEqual({
      id: String(company),
      name: 'Open',
      users_edges: [edge(ann, true, 'Ann'), edge(ben, true, 'Ben')],
    })
    const changed = await run(
      `attachCompanyUsers(ids: [${ann}], pivot: { is_admin: false }) ${staff}`,
      ann,
    )
    expect(changed.body.data.done.users_edges).toEqual([
      edge(ann, false, 'Ann'),
      edge(ben, true, 'Ben'),
    ])
    const synced = await run(`syncCompanyUsers(ids: [${ben}]) ${staff}`, ann)
    expect(synced.body.data.done.users_edges).toEqual([edge(ben, true, 'Ben')])
    const gone = await run(`detachCompanyUsers(ids: [${ben}]) { users { id } }`, ann)
    expect(gone.body.data.done).toEqual({ users: [] })
    const tagged = await run(`attachCompanyTags(ids: ["${tags.join('", "')}"]) { tags_total }`, ann)
    expect(tagged.body.data.done).toEqual({ tags_total: 2 })
    expect((await run('syncCompanyTags(ids: []) { tags_total }', ann)).body.data.done).toEqual({
      tags_total: 0,
    })
  })

  it('a callback of the hooks does the work, and the record is answered as it is then', async () => {
    const ids = `(ids: ["${tags.join('", "')}"])`
    await run(`attachCompanyTags${ids} { id }`, ann)
    await blog.link('company_user', { company_id: company, user_id: ann, is_admin: true })
    const { body } = await run(`detachCompanyTags${ids} { name tags_total }`, ann)
    expect([body.errors, body.data.done]).toEqual([undefined, { name: 'left 2', tags_total: 2 }])
  })

  it('sends the statements of REST, and one for what is selected beyond the id', async () => {
    const count = async (operation: string, users: readonly number[]) => {
      const field = `${operation}CompanyUsers(ids: ${JSON.stringify(users)})`
      const rest = await blog.post(
        `/api/svc/companies/${company}/${operation}/users`,
        { users },
        ann,
      )
      await blog.post(`/api/svc/companies/${company}/sync/users`, { users: [] }, ann)
      const same = await run(`${field} { id __typename }`, ann)
      expect(same.body.errors).toBeUndefined()
      const one = await run(`${field} { name }`, ann)
      const more = await run(`${field} { name users_edges { node { name } } }`, ann)
      expect(same.body.data.done).toEqual({ id: String(company), __typename: 'Company' })
      const base = rest.statements.length
      expect([same, one, more].map(({ statements }) => statements.length)).toEqual([
        base,
        base + 1,
        base + 2,
      ])
      return base
    }
    const many = Array.from({ length: 10 }, (_, n) => ben + 5 + n)
    for (const operation of ['attach', 'sync', 'detach']) {
      expect(await count(operation, [ben])).toBe(await count(operation, many))
    }
  })

  it('answers what is denied, hidden or invalid with the codes of GraphQL and the fields of REST', async () => {
    const hidden = await blog.insert('companies', { name: 'Closed' })
    const attach = (id: number | string, ids: string) =>
      `mutation { attachCompanyUsers(id: "${id}", ids: ${ids}, pivot: { is_admin: null }) { id } }`
    for (const [query, as, code] of [
      [attach(company, `[${ben}]`), undefined, 'UNAUTHENTICATED'],
      [attach(company, '[3]'), ann, 'FORBIDDEN'],
      [attach(hidden, `[${ben}]`), ann, 'NOT_FOUND'],
      [attach('x', `[${ben}]`), ann, 'NOT_FOUND'],
      [attach(company, '[]'), ann, 'VALIDATION_FAILED'],
      [`mutation { detachCompanyUsers(id: ${company}, ids: []) { id } }`, ann, 'VALIDATION_FAILED'],
      [attach(company, '[1, 2], bogus: 1'), ann, 'GRAPHQL_VALIDATION_FAILED'],
    ] as const) {
      const answer = await ask(blog, query, { as })
      expect([query, ...codes(answer)]).toEqual([query, code])
    }
    const given = { users: [ann, 999_999], is_admin: null }
    const rest = await blog.post(`/api/svc/companies/${company}/attach/users`, given, ann)
    const same = await ask(blog, attach(company, `[${ann}, 999999]`), { as: ann })
    expect(rest.status).toBe(422)
    expect(same.body.errors[0].extensions).toEqual({
      code: 'VALIDATION_FAILED',
      errors: rest.body.errors,
    })
    const { body } = await blog.get(`/api/svc/companies/${company}?include=users`, ann)
    expect(body.data.relationships.users).toEqual([])
  })

  it('answers null where the change took the record out of sight, and writes nothing for a query it cannot answer', async () => {
    const own = await blog.insert('companies', { name: 'Own' })
    await blog.link('company_user', { company_id: own, user_id: ann, is_admin: true })
    const leave = (selection: string) =>
      ask(blog, `mutation { detachCompanyUsers(id: ${own}, ids: [${ann}]) ${selection} }`, {
        as: ann,
      })
    const wrong = await leave('{ users_edges { one: node { id } other: node { name } } }')
    expect(codes(wrong)).toEqual(['BAD_USER_INPUT'])
    const endless = await leave(`{ users(search: "${'a'.repeat(300)}") { id } }`)
    expect(codes(endless)).toEqual(['BAD_USER_INPUT'])
    const left = await leave('{ name }')
    expect([left.body.errors, left.body.data]).toEqual([undefined, { detachCompanyUsers: null }])
  })

  it('reads edges of many records in one statement, at any depth, beside the records themselves', async () => {
    await blog.post(`/api/svc/companies/${company}/attach/users`, { users: [ann, ben] }, ann)
    const query = `query ($first: Int) { companyList(first: 100, match: { name: "Open" }) { id
      users_edges(first: $first, search: "ann") { __typename pivot { is_admin } node { name
        companies_edges(first: 1) { at: node { name } } } }
      some: users_edges { pivot { admin: is_admin } } users { name } users_total } }`
    const { body, sql } = await ask(blog, query, { as: ann, variables: { first: 1 } })
    expect(body.errors).toBeUndefined()
    expect(sql).toHaveLength(6)
    const found = body.data.companyList.find(({ id }: { id: string }) => id === String(company))
    expect(found).toEqual({
      id: String(company),
      users_edges: [
        {
          __typename: 'CompanyUsersEdge',
          pivot: { is_admin: false },
          node: { name: 'Ann', companies_edges: [{ at: { name: 'Open' } }] },
        },
      ],
      some: [{ pivot: { admin: false } }, { pivot: { admin: false } }],
      users: [{ name: 'Ben' }, { name: 'Ann' }],
      users_total: 2,
    })
  })
})
