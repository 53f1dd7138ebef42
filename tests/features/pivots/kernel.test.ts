import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Database } from '../../../runtime/database/types.js'
import { type Blog, type BlogOptions, createBlog, yes } from '../../core/kernel/blog.js'
import {
  counted,
  createTables,
  dialects,
  execute,
  openDatabase,
} from '../../core/kernel/databases.js'
import { failure } from '../../core/kernel/failure.js'
import { openDatabase as openBesideReaders, type Opened } from '../../core/runtime/databases.js'

let database: Database
let company: string
let users: number[]
let tags: string[]
const ada = { id: 1 }
const at = (index: number) => users[index] ?? 0

const open = (options: BlogOptions = {}) => createBlog(database, options).companies

/** Who is in the company, with their pivots, as the table has them. */
async function staff(of = company): Promise<Record<string, boolean>> {
  const rows = await execute(
    database,
    'select user_id, is_admin from company_user where company_id = ? order by user_id',
    [Number(of)],
  )
  return Object.fromEntries(rows.map(([id, admin]) => [String(id), admin === true || admin === 1]))
}

describe.each(dialects)('many-to-many on %s', (dialect) => {
  beforeAll(async () => {
    database = await openDatabase(dialect)
    const blog = createBlog(database)
    users = []
    for (let n = 1; n <= 30; n++) {
      const email = `u${n}@x.org`
      const { id } = await blog.users.store(null, { name: `U${n}`, email, password: 'long enough' })
      users.push(Number(id))
    }
    tags = []
    for (const name of ['one', 'two', 'three']) tags.push((await blog.tags.store(ada, { name })).id)
  })
  beforeEach(async () => {
    company = (await createBlog(database).companies.store(ada, { name: 'Acme' })).id
  })
  afterAll(() => database.close())
  attaching()

  describe('detach', () => {
    beforeEach(() => open().attach(ada, company, 'users', { users: users.slice(0, 3) }))

    test('deletes the named pivot rows, and asks the policy once for each', async () => {
      const calls: unknown[] = []
      const policies = {
        companies: {
          detachUsers: (user: unknown, row: { name: string }, { id }: { id: number }) => {
            calls.push([user, row.name, id])
            return true
          },
        },
      }
      await open({ policies }).detach(ada, company, 'users', { users: [at(0), at(2), at(7)] })
      expect(calls).toEqual([at(0), at(2), at(7)].map((id) => [ada, 'Acme', id]))
      expect(await staff()).toEqual({ [at(1)]: false })
    })

    test('asks canDetach about the rows there are', async () => {
      await open().attach(ada, company, 'users', { users: [at(1)], is_admin: true })
      const policies = {
        companies: {
          canDetach: {
            users: (_: unknown, pivot: { is_admin?: boolean }) => pivot.is_admin !== true,
          },
        },
      }
      const refused = open({ policies }).detach(ada, company, 'users', { users: [at(0), at(1)] })
      expect((await failure(refused)).status).toBe(403)
      await open({ policies }).detach(ada, company, 'users', { users: [at(0), at(9)] })
      expect(await staff()).toEqual({ [at(1)]: true, [at(2)]: false })
    })

    test('does not detach what the user does not see', async () => {
      const policies = { users: { show: () => ({ id: { not: at(1) } }) } }
      const refused = open({ policies }).detach(ada, company, 'users', { users: [at(1)] })
      expect((await failure(refused)).status).toBe(422)
      expect(Object.keys(await staff())).toHaveLength(3)
    })
  })

  describe('sync', () => {
    beforeEach(() =>
      open().attach(ada, company, 'users', { users: users.slice(0, 3), is_admin: true }),
    )

    test('leaves exactly those ids, with the values of the rows that stay', async () => {
      const calls: unknown[] = []
      const policies = {
        companies: {
          syncUsers: (user: unknown, row: { name: string }, ids: readonly number[]) => {
            calls.push([user, row.name, ids])
            return true
          },
        },
      }
      const outcome = await open({ policies }).sync(ada, company, 'users', {
        users: [at(4), String(at(1))],
      })
      expect(calls).toEqual([[ada, 'Acme', [at(4), at(1)]]])
      expect(outcome).toMatchObject({
        pivots: [{ user_id: String(at(4)) }, { user_id: String(at(1)) }],
      })
      expect(await staff()).toEqual({ [at(1)]: true, [at(4)]: false })
      await open().sync(ada, company, 'users', { users: [] })
      expect(await staff()).toEqual({})
    })

    test('keeps pivot rows of records the user does not see', async () => {
      const policies = { users: { show: () => ({ id: { not: at(2) } }) } }
      await open({ policies }).sync(ada, company, 'users', { users: [at(5)] })
      expect(await staff()).toEqual({ [at(2)]: true, [at(5)]: false })
    })

    test('asks canSync about what is written and canDetach about what goes', async () => {
      const asked: unknown[] = []
      const gate = (name: string, answer: boolean) => ({
        users: (_: unknown, { user_id }: { user_id?: number }) => {
          asked.push([name, user_id])
          return answer
        },
      })
      const policies = {
        companies: { canSync: gate('sync', true), canDetach: gate('detach', false) },
      }
      await open({ policies }).sync(ada, company, 'users', { users: users.slice(0, 4) })
      expect(asked).toEqual(users.slice(0, 4).map((id) => ['sync', id]))
      const refused = open({ policies }).sync(ada, company, 'users', { users: [at(0)] })
      expect((await failure(refused)).status).toBe(403)
      expect(Object.keys(await staff())).toHaveLength(4)
    })
  })

  test.each(['attach', 'sync', 'detach'] as const)(
    '%s sends as many statements for 30 ids as for one',
    async (operation) => {
      const count = async (ids: readonly number[]) => {
        const work = () => open()[operation](ada, company, 'users', { users: ids })
        return (await counted(database, work)).statements.length
      }
      const [one, many] = [await count(users.slice(0, 1)), await count(users)]
      expect(many).toBe(one)
      expect(many).toBeLessThanOrEqual(7)
    },
  )

  test('a morph pivot is attached by type', async () => {
    const blog = createBlog(database)
    const outcome = await blog.companies.attach(ada, company, 'tags', { tags })
    expect(outcome).toMatchObject({
      pivots: tags.map((id) => ({ taggable_type: 'companies', taggable_id: company, tag_id: id })),
    })
    const { id: post } = await blog.posts.store(ada, { title: 'Tagged' })
    await blog.posts.attach(ada, post, 'tags', { tags: [tags[0]?.toUpperCase()] })
    await blog.companies.sync(ada, company, 'tags', { tags: tags.slice(1) })
    await blog.companies.detach(ada, company, 'tags', { tags: tags[1] })
    const left = () => execute(database, 'select taggable_type, tag_id from taggables order by 1')
    expect(await left()).toEqual([
      ['companies', tags[2]],
      ['posts', tags[0]],
    ])
  })

  test.each([
    ['a relation that is not declared', 'nothing'],
    ['a relation of another kind', 'summary'],
    ['a name every object has', 'constructor'],
  ])('%s is 404', async (_, relation) => {
    const work = open().attach(ada, company, relation, { [relation]: [1] })
    expect((await failure(work)).status).toBe(404)
  })

  test('a parent the user does not see is 404, and 401 without a token', async () => {
    const body = { users: [at(0)] }
    const hidden = open({ policies: { companies: { show: () => false } } })
    expect((await failure(hidden.attach(ada, company, 'users', body))).status).toBe(404)
    expect((await failure(hidden.attach(null, company, 'users', body))).status).toBe(401)
    expect((await failure(open().sync(ada, '2147483647', 'users', body))).status).toBe(404)
    expect((await failure(open().detach(ada, 'x', 'users', body))).status).toBe(404)
  })

  test('a callback replaces attach or detach once the policies agreed', async () => {
    const calls: unknown[] = []
    const attachCallback = {
      users: (
        request: { ids: readonly number[]; related: readonly { name: string }[]; values: object },
        { key }: { key: string },
        row: { name: string },
      ) => {
        calls.push([
          request.ids,
          request.related.map(({ name }) => name),
          request.values,
          key,
          row.name,
        ])
      },
    }
    const detachCallback = { users: { __invoke: () => ({ gone: true }) } }
    const hooks = {
      companies: { computed: { summary: yes, ranking: () => [] }, attachCallback, detachCallback },
    }
    const { attach, detach } = open({ hooks })
    const body = { users: [at(1), at(0)], is_admin: true }
    expect(await attach(ada, company, 'users', body)).toEqual({ replaced: undefined })
    expect(await detach(ada, company, 'users', body)).toEqual({ replaced: { gone: true } })
    expect(calls).toEqual([[[at(1), at(0)], ['U2', 'U1'], { is_admin: true }, 'companies', 'Acme']])
    expect(await staff()).toEqual({})
    const refused = open({ hooks, policies: { companies: { attachUsers: () => false } } })
    expect((await failure(refused.attach(ada, company, 'users', body))).status).toBe(403)
    expect(calls).toHaveLength(1)
  })
  changedMeanwhile(dialect)

  test('24 concurrent changes from both sides leave what some order of them explains', async () => {
    const { companies, users: people } = createBlog(database, {
      // A policy that takes a turn of the loop lets the others in between.
      policies: { companies: { attachUsers: () => new Promise((r) => setImmediate(r, true)) } },
    })
    const others = await Promise.all(['B', 'C'].map((name) => companies.store(ada, { name })))
    const firms = [company, ...others.map(({ id }) => id)]
    for (let round = 0; round < 5; round++) {
      const sets = Array.from({ length: 24 }, (_, n) => {
        const ids = users.slice(n % 5, (n % 5) + 8)
        return n % 2 === 0 ? ids : ids.toReversed()
      })
      await Promise.all(
        sets.map((ids, n) => {
          const firm = firms[n % 3] ?? company
          const [turn, person] = [n % 4, String(at(n % 5))]
          if (turn === 0) return companies.attach(ada, firm, 'users', { users: ids })
          if (turn === 1) return companies.sync(ada, firm, 'users', { users: ids })
          if (turn === 2) return companies.detach(ada, firm, 'users', { users: ids })
          return people.attach(ada, person, 'companies', { companies: firms })
        }),
      )
    }
    // Whatever came last of a sync and its like: eight people in a row, and who attached themselves.
    const final = users.slice(0, 8)
    await Promise.all(
      Array.from({ length: 24 }, (_, n) =>
        companies.sync(ada, company, 'users', { users: n % 2 === 0 ? final : users.slice(10, 18) }),
      ),
    )
    const left = Object.keys(await staff()).map(Number)
    expect([final, users.slice(10, 18)]).toContainEqual(left)
  })
})

function attaching(): void {
  describe('attach', () => {
    test('adds rows with the values given, and the defaults of the others', async () => {
      const outcome = await open().attach(ada, company, 'users', { users: [at(1), String(at(0))] })
      expect(outcome).toEqual({
        pivots: [
          { company_id: company, user_id: String(at(1)), is_admin: false, since: null },
          { company_id: company, user_id: String(at(0)), is_admin: false, since: null },
        ],
      })
      expect(await staff()).toEqual({ [at(0)]: false, [at(1)]: false })
    })

    test('attaching twice makes one row, with the values given last and those it had', async () => {
      const since = '2026-02-03'
      await open().attach(ada, company, 'users', { users: [at(0)], is_admin: true, since })
      const again = await open().attach(ada, company, 'users', { users: at(0) })
      expect(again).toMatchObject({ pivots: [{ is_admin: true, since }] })
      const changed = await open().attach(ada, company, 'users', { users: at(0), is_admin: false })
      expect(changed).toMatchObject({ pivots: [{ is_admin: false, since }] })
      expect(await staff()).toEqual({ [at(0)]: false })
    })

    test('asks the policy once for each id, with the user and both rows', async () => {
      const calls: unknown[] = []
      const { attach } = open({
        policies: {
          companies: {
            attachUsers: async (user, row, related) => {
              calls.push([user?.id, row.name, related.id, related.email])
              return true
            },
          },
        },
      })
      await attach(ada, company, 'users', { users: [at(3), at(2), at(3)] })
      expect(calls).toEqual([
        [1, 'Acme', at(3), 'u4@x.org'],
        [1, 'Acme', at(2), 'u3@x.org'],
      ])
    })

    test('writes nothing when one id is denied', async () => {
      const policies = {
        companies: {
          attachUsers: (_: unknown, __: unknown, { id }: { id: number }) => id !== at(2),
        },
      }
      const refused = open({ policies }).attach(ada, company, 'users', { users: [at(1), at(2)] })
      expect((await failure(refused)).status).toBe(403)
      const nobody = open({ policies }).attach(null, company, 'users', { users: [at(2)] })
      expect((await failure(nobody)).status).toBe(401)
      expect(await staff()).toEqual({})
    })

    test('a hidden pivot field is stored, and not shown', async () => {
      await open().attach(ada, company, 'users', { users: [at(0)], since: '2026-02-03' })
      const pivots = async (key: string) => {
        const include = [{ key, columns: null, children: [] }]
        const { relationships } = await open().show(ada, company, { include })
        return (relationships?.[key] as { pivots: unknown }[] | undefined)?.map(
          (item) => item.pivots,
        )
      }
      expect(await pivots('users')).toEqual([{ is_admin: false, since: '2026-02-03' }])
      expect(await pivots('staff')).toEqual([{ is_admin: false }])
    })

    test('a policy without the method denies', async () => {
      const refused = open().attach(ada, company, 'staff', { staff: [at(1)] })
      expect((await failure(refused)).status).toBe(403)
    })

    test('names the ids the user does not see: hidden, missing or not an id at all', async () => {
      const policies = { users: { show: () => ({ id: { not: at(5) } }) } }
      const work = open({ policies }).attach(ada, company, 'users', {
        users: [at(1), at(5), 2_000_000_000, 'nothing', 1.5, -1],
      })
      const { status, errors } = await failure(work)
      expect(status).toBe(422)
      expect(errors).toEqual({
        users: [
          `The users must be ids of records that exist: there is no ${at(5)}, 2000000000, nothing, 1.5, -1.`,
        ],
      })
      expect(await staff()).toEqual({})
    })

    test.each([
      ['no ids', {}, 'The users field is required.'],
      ['null', { users: null }, 'The users must not be null.'],
      ['an object', { users: {} }, 'The users must be a list of ids.'],
      ['ids in lists', { users: [[1]] }, 'The users must be a list of ids.'],
      ['booleans', { users: [true] }, 'The users must be a list of ids.'],
      [
        'too many ids',
        { users: Array.from({ length: 1001 }, (_, n) => n + 1) },
        'The users must not have more than 1000 items.',
      ],
    ])('refuses %s', async (_, body, text) => {
      const { status, errors } = await failure(open().attach(ada, company, 'users', body))
      expect(status).toBe(422)
      expect(errors).toEqual({ users: [text] })
    })

    test('validates pivot values, after the policy', async () => {
      const body = { users: [at(0)], is_admin: 'yes', since: 'once', unknown: 1 }
      const { status, errors } = await failure(open().attach(ada, company, 'users', body))
      expect(status).toBe(422)
      expect(Object.keys(errors ?? {})).toEqual(['is_admin', 'since'])
      const policies = { companies: { attachUsers: () => false } }
      const refused = open({ policies }).attach(ada, company, 'users', body)
      expect((await failure(refused)).status).toBe(403)
    })

    test('asks canAttach about each pivot', async () => {
      const asked: unknown[] = []
      const policies = {
        companies: {
          canAttach: {
            users: (_: unknown, pivot: { is_admin?: boolean }) => {
              asked.push(pivot)
              return pivot.is_admin !== true
            },
          },
        },
      }
      await open({ policies }).attach(ada, company, 'users', { users: [at(0)] })
      const refused = open({ policies }).attach(ada, company, 'users', {
        users: [at(1)],
        is_admin: true,
      })
      expect((await failure(refused)).status).toBe(403)
      expect(asked).toEqual([
        { company_id: Number(company), user_id: at(0), is_admin: false },
        { company_id: Number(company), user_id: at(1), is_admin: true },
      ])
      expect(await staff()).toEqual({ [at(0)]: false })
    })
  })
}

function changedMeanwhile(dialect: (typeof dialects)[number]): void {
  describe('on records that somebody changes while policies are asked', () => {
    let place: Opened
    let asked: number
    beforeAll(async () => {
      place = await openBesideReaders(dialect)
      await createTables(place.database)
      const { users: people, tags: words } = createBlog(place.database)
      for (let n = 1; n <= 8; n++) {
        await people.store(null, { name: `U${n}`, email: `u${n}@x.org`, password: 'long enough' })
      }
      await words.store(ada, { name: 'one' })
    })
    beforeEach(() => void (asked = 0))
    afterEach(() => void vi.useRealTimers())
    afterAll(() => place.close())

    /** The statements of a change of new company, while this happens whenever its policy is asked. */
    async function changed(
      operation: 'attach' | 'sync',
      ids: readonly number[],
      meanwhile: (blog: Blog, company: string) => Promise<unknown>,
    ) {
      const ask = async () => {
        asked += 1
        await meanwhile(blog, id)
        return true
      }
      const policies = { companies: { attachUsers: ask, syncUsers: ask } }
      const blog = createBlog(place.database, { policies })
      const { id } = await blog.companies.store(ada, { name: 'Acme' })
      const change = () => blog.companies[operation](ada, id, 'users', { users: ids })
      const { result, statements } = await counted(place.database, change)
      return { result, reads: statements.length }
    }

    test.each(['the record itself', 'a related record'])(
      'locks %s, and asks once more, whatever the number of ids',
      async (which) => {
        const counts: number[] = []
        for (const ids of [[1], [1, 2, 3, 4, 5, 6, 7, 8]]) {
          asked = 0
          let late: Promise<unknown> | undefined
          const { result, reads } = await changed('sync', ids, async (blog, company) => {
            const body = { name: `Renamed ${asked}` }
            const change = () =>
              which === 'the record itself'
                ? blog.companies.patch(ada, company, body)
                : blog.users.patch(ada, '1', body)
            if (asked < 4) return change()
            // While they are locked it has to wait, and who only reads does not.
            late = change()
            for (let n = 0; n < 20; n++) await blog.users.show(ada, '1')
          })
          expect([result, asked]).toMatchObject([{ pivots: { length: ids.length } }, 4])
          await late
          counts.push(reads)
        }
        expect(counts[1]).toBe(counts[0])
        // Three reads of the policies' patches and twenty of their own; the rest is four tries.
        expect(counts[0]).toBeLessThanOrEqual(60)
      },
    )

    test('gives up on a policy that waits for what is locked, and keeps nobody waiting', async () => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      const change = changed('attach', [1], async ({ companies }, company) => {
        const renamed = companies.patch(ada, company, { name: `Renamed ${asked}` })
        if (asked === 4) await vi.advanceTimersByTimeAsync(5_000)
        return renamed
      })
      await expect(change).rejects.toMatchObject({ name: 'UnavailableError' })
      expect(asked).toBe(30)
    })
  })
}
