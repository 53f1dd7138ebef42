import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { load, databases, openProject, type Edits, type Project } from '../../support/project.js'

/** The hooks of companies: both callbacks do the work in a transaction that stays open across a wait. */
const hooks = `import type { CompanyModel, HooksFor } from '../Models.js'
import { db } from '../database.js'

/** Lets the test hold a callback open, and see its reports. */
export const held = { opened: () => {}, wait: Promise.resolve(), calls: [] as unknown[] }

export const CompanyHooks: HooksFor<CompanyModel> = {
  computed: {
    summary: () => {
      const shared = { n: 1n }
      const answer = { text: 'x', count: 12345678901234567890n, list: [shared, shared], self: {} }
      answer.self = { answer }
      return answer
    },
  },
  attachCallback: {
    users: async ({ ids, values }, _repository, company) => {
      held.calls.push({ ids, values })
      await db.transaction().execute(async (transaction) => {
        for (const user_id of ids) {
          const is_admin = values.is_admin === true
          await transaction.insertInto('company_user')
            .values({ company_id: company.id, user_id, is_admin })
            .onConflict((conflict) => conflict.columns(['company_id', 'user_id']).doUpdateSet({ is_admin }))
            .execute()
          held.opened()
          await held.wait
        }
        await transaction.updateTable('companies').set({ name: 'attached ' + ids.join() })
          .where('id', '=', company.id).execute()
      })
    },
  },
  detachCallback: {
    users: {
      __invoke: async ({ ids }, _repository, company) => {
        held.calls.push({ ids })
        await db.transaction().execute(async (transaction) => {
          await transaction.deleteFrom('company_user')
            .where('company_id', '=', company.id).where('user_id', 'in', [...ids]).execute()
          held.opened()
          await held.wait
          if (company.name === 'fails') throw new Error('rolled back')
        })
        return { detached: ids.length }
      },
    },
  },
}
`

const edits: Edits = {
  'app/Hooks/CompanyHooks.ts': () => hooks,
  'app/Policies/CompanyPolicy.ts': (text) =>
    text.replace(
      'attachUsers: (user) => user !== null',
      'attachUsers: (user, company, member) => user !== null && member.id !== 1,\n  canAttach: { users: { __invoke: (_user, { user_id }) => user_id !== 2 } }',
    ),
}

describe.each(databases)('callbacks that replace attach and detach on %s', (name) => {
  let blog: Project
  let ann: number
  let people: number[]
  let held: { opened: () => void; wait: Promise<void>; calls: unknown[] }

  beforeAll(async () => {
    blog = await openProject('blog', name, edits)
    ann = await blog.user('Ann')
    people = []
    await blog.user('Refused by the gate')
    for (let n = 0; n < 24; n += 1) people.push(await blog.user(`Person ${n}`))
    held = (await load(blog.folder, 'app/Hooks/CompanyHooks.ts')).held
  })
  afterAll(() => blog.close())

  /** Holds the transactions of callbacks open from now on. */
  function hold() {
    let release = () => {}
    const wait = new Promise<void>((resolve) => (release = resolve))
    const isOpen = new Promise<void>((opened) => Object.assign(held, { wait, opened }))
    return { isOpen, release }
  }

  const staff = async (company: number) => {
    const path = `/api/svc/companies/${company}/users?perPage=100&sort=id`
    const { body } = await blog.get(path, ann)
    return body.data.map(({ id, pivots }: { id: string; pivots: { is_admin: boolean } }) => [
      Number(id),
      pivots.is_admin,
    ])
  }

  it('neither block the process nor lose a write while their transactions are open', async () => {
    const company = await blog.insert('companies', { name: 'Acme' })
    const other = await blog.insert('companies', { name: 'Other' })
    await blog.link('company_user', { company_id: other, user_id: ann, is_admin: false })
    const { isOpen, release } = hold()
    const path = (of: number, operation: string) => `/api/svc/companies/${of}/${operation}/users`
    // A server has ten connections: some are left for the others.
    const attached = people
      .slice(0, 5)
      .map((id) => blog.post(path(company, 'attach'), { users: [id], is_admin: id % 2 === 0 }, ann))
    const detached = blog.post(path(other, 'detach'), { users: [ann] }, ann)
    await isOpen
    // A transaction is open and waits; the process answers all the same.
    const stores = people.map((id) => blog.post('/api/svc/posts', { title: `Of ${id}` }, id))
    expect((await blog.get('/api/svc/users', ann)).status).toBe(200)
    expect(await staff(company)).toEqual([])
    release()
    for (const answer of await Promise.all(attached)) {
      expect([answer.status, answer.body]).toEqual([200, null])
    }
    expect((await detached).body).toEqual({ detached: 1 })
    for (const { status } of await Promise.all(stores)) expect(status).toBe(201)
    expect(await staff(company)).toEqual(people.slice(0, 5).map((id) => [id, id % 2 === 0]))
    expect(await staff(other)).toEqual([])
    for (const id of people) {
      const { body } = await blog.get(`/api/svc/users/${id}/posts`, id)
      expect(body.data).toHaveLength(1)
    }
  })

  it('that throw leave nothing behind: 500', async () => {
    const company = await blog.insert('companies', { name: 'fails' })
    await blog.link('company_user', { company_id: company, user_id: ann, is_admin: true })
    const path = `/api/svc/companies/${company}/detach/users`
    expect((await blog.post(path, { users: [ann] }, ann)).status).toBe(500)
    expect(await staff(company)).toEqual([[ann, true]])
  })

  it('run only when the policy agreed to each id, and never for none', async () => {
    const company = await blog.insert('companies', { name: 'Acme' })
    const before = held.calls.length
    const attach = (users: unknown) =>
      blog.post(`/api/svc/companies/${company}/attach/users`, { users }, ann)
    expect((await attach([people[0], 1])).status).toBe(403)
    expect((await attach([2])).status).toBe(403)
    const empty = await attach([])
    expect([empty.status, empty.body.errors]).toEqual([
      422,
      { users: ['The users must not be empty.'] },
    ])
    const detach = await blog.post(`/api/svc/companies/${company}/detach/users`, { users: [] }, ann)
    expect(detach.status).toBe(422)
    expect((await attach([999_999])).status).toBe(422)
    expect(held.calls).toHaveLength(before)
    // Sync of none takes all away, which its policy is asked about.
    const sync = await blog.post(`/api/svc/companies/${company}/sync/users`, { users: [] }, ann)
    expect([sync.status, sync.body]).toEqual([200, { data: [] }])
  })

  it('an answer of a hook may hold a BigInt, which is text as ids are, and itself, which is null', async () => {
    const { status, body } = await blog.get('/api/svc/companies?include=summary', ann)
    expect(status).toBe(200)
    expect(body.data[0].relationships.summary).toEqual({
      text: 'x',
      count: '12345678901234567890',
      list: [{ n: '1' }, { n: '1' }],
      self: { answer: null },
    })
  })
})
