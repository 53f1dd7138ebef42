/** `svc policies diff`: what one state of policies opens and closes that another did not. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../../runtime/database/types.js'
import {
  comparisonLines,
  comparisonMarkdown,
} from '../../../runtime/features/explain/compare-lines.js'
import { comparePolicies } from '../../../runtime/features/explain/compare.js'
import { personOf } from '../../../runtime/features/explain/users.js'
import { whyPivot } from '../../../runtime/features/explain/why-pivot.js'
import { userSource } from '../../../runtime/features/sign-in/users.js'
import type { Condition } from '../../../runtime/policy/policy-types.js'
import { runsOn } from '../../support/runs.js'
import { createBlog } from './blog.js'
import { counted, dialects, execute, openDatabase } from './databases.js'
import type { NoteModel } from './models.js'
import { condition, note } from './random-conditions.js'

describe.each(dialects)('the difference of policies on %s', (dialect) => {
  let database: Database
  beforeAll(async () => {
    database = await openDatabase(dialect)
  })
  afterAll(() => database.close())

  test('it is that of listing with the one and with the other, both ways', async () => {
    const open = createBlog(database)
    await fc.assert(
      fc.asyncProperty(
        fc.array(note, { minLength: 1, maxLength: 4 }),
        condition,
        condition,
        async (rows, one, other) => {
          await execute(database, 'delete from notes')
          for (const row of rows) await open.notes.store(null, row)
          const at = (show: boolean | Condition<NoteModel>) =>
            createBlog(database, { policies: { notes: { show: () => show } } }).notes
          const [before, after] = [at(one), at(other)]
          const listed = async (notes: typeof before) => {
            const page = await notes.index(null, { perPage: 100 }).catch(() => ({ data: [] }))
            return page.data.map(({ id }) => id)
          }
          const [old, now] = [await listed(before), await listed(after)]
          const { differences } = await comparePolicies([before], [after], null, [])
          const shown = differences.find(({ operation }) => operation === 'show')
          expect(shown?.gains.ids ?? []).toEqual(now.filter((id) => !old.includes(id)).toSorted())
          expect(shown?.loses.ids ?? []).toEqual(old.filter((id) => !now.includes(id)).toSorted())
        },
      ),
      { numRuns: runsOn(dialect, 40) },
    )
  })

  test('rows, stores and gates, for each user; what is the same costs no statement', async () => {
    const open = createBlog(database)
    const user = { name: 'Ann | Bob', email: 'ann@diff.org', password: 'long enough' }
    const { id } = await open.users.store(null, user)
    const ann = { id: Number(id) }
    for (const title of ['one', 'two']) await open.posts.store(ann, { title })
    const blogOf = (policy: object) => createBlog(database, { policies: { posts: policy } })
    const [before, after] = [
      blogOf({ show: (who: typeof ann | null) => ({ owner_id: who?.id }), store: () => false }),
      blogOf({ show: () => ({ title: 'one' }), canSee: { title: () => false } }),
    ]
    const users = userSource(before.users)
    const compare = (one: typeof before, other: typeof before) =>
      comparePolicies([one.posts, one.tags], [other.posts, other.notes], users, ['ann@diff.org'])
    const found = await compare(before, after)
    expect(found.problems).toEqual([])
    expect(found.notes).toEqual([
      'notes is new: there is nothing to compare it with.',
      'tags is gone, and all that was allowed of it.',
    ])
    expect(comparisonLines(found)).toEqual([
      '                    who            gains  loses',
      'posts show          guest          1: 1',
      'posts update        guest          1: 1',
      'posts delete        guest          1: 1',
      'posts store         guest          yes',
      'posts canSee.title  guest                 yes',
      `posts show          Ann | Bob (${id})         1: 2`,
      `posts update        Ann | Bob (${id})         1: 2`,
      `posts delete        Ann | Bob (${id})         1: 2`,
      `posts store         Ann | Bob (${id})  yes`,
      `posts canSee.title  Ann | Bob (${id})         yes`,
      '',
      `Compared for a guest, Ann | Bob (${id}).`,
      ...found.notes,
    ])
    expect(comparisonMarkdown(found)).toContain(`| posts store | Ann \\| Bob (${id}) | yes |  |`)
    const { result, statements } = await counted(database, () => compare(after, after))
    expect(result.differences).toEqual([])
    // The user who is named is read.
    expect(statements).toHaveLength(1)
  })

  test('what a changed record may become, and rules about two records, are those of asking each', async () => {
    const open = createBlog(database)
    const made = { name: 'Pia', email: 'pia@diff.org', password: 'long enough' }
    const pia = { id: Number((await open.users.store(null, made)).id) }
    await execute(database, 'delete from posts')
    const posts: string[] = []
    const tags: string[] = []
    for (const title of ['one', 'two', 'three']) {
      posts.push((await open.posts.store(pia, { title })).id)
      tags.push((await open.tags.store(null, { name: `${title} of pairs` })).id)
    }
    const blogOf = (ofPosts: object, ofTags: object = {}) =>
      createBlog(database, { policies: { posts: ofPosts, tags: ofTags } })
    const before = blogOf(
      {
        show: () => ({ title: { not: 'three' } }),
        updateTo: () => ({ title: { in: ['one', 'two'] } }),
        attachTags: (who: object | null, post: { title: string }) =>
          who !== null && post.title !== 'two',
      },
      { show: () => ({ name: { startsWith: 't' } }) },
    )
    const after = blogOf({
      attachTags: async (_: object | null, post: { title: string }, tag: { name: string }) =>
        tag.name.startsWith(post.title),
    })
    const users = userSource(before.users)
    const { differences } = await comparePolicies([before.posts], [after.posts], users, [
      String(pia.id),
    ])
    for (const user of [null, pia]) {
      const ofUser = differences.filter((each) => each.user?.id === user?.id.toString())
      const asked = async ({ posts: { definition: entity } }: typeof before) => {
        const may: string[] = []
        for (const id of posts) {
          for (const tag of tags) {
            const body = { tags: [tag] }
            const base = { entity, user, id, body, audience: 'command' } as const
            const question = { ...base, operation: 'attachTags' }
            const pivot = { operation: 'attach', key: 'tags' } as const
            const why = await whyPivot(question, pivot, personOf(null, user))
            if (why.answer === 'yes') may.push(`${id} with ${tag}`)
          }
        }
        return may
      }
      const [old, now] = [await asked(before), await asked(after)]
      const only = (these: readonly string[], those: readonly string[]) =>
        these.filter((pair) => !those.includes(pair)).toSorted()
      const found = ofUser.find(({ operation }) => operation === 'attachTags')
      expect(found?.gains.ids.toSorted() ?? []).toEqual(only(now, old))
      expect(found?.loses.ids.toSorted() ?? []).toEqual(only(old, now))
      expect(only(now, old).length).toBeGreaterThan(0)
      const become = ofUser.find(({ operation }) => operation === 'updateTo')
      expect([become?.gains.ids, become?.loses.ids]).toEqual([[posts[2]], []])
    }
  })

  test('gates of pivot fields are asked about the pivots there are, and new ones', async () => {
    const blogOf = (companies: object) => createBlog(database, { policies: { companies } })
    const before = blogOf({
      canAttach: { users: (_: unknown, pivot: { is_admin: boolean }) => !pivot.is_admin },
      canDetach: { users: () => false },
    })
    const after = blogOf({
      canDetach: { users: () => false },
      canSync: { users: async (user: unknown) => user !== null },
    })
    const [one, other] = [[before.companies], [after.companies]]
    const { differences } = await comparePolicies(one, other, null, [])
    expect(differences.map(({ operation, gains, loses }) => [operation, gains, loses])).toEqual([
      ['canAttach.users', { count: 1, ids: [] }, { count: 0, ids: [] }],
      ['canSync.users', { count: 0, ids: [] }, { count: 1, ids: [] }],
    ])
  })

  test('what this database has not any more is said, and no stack', async () => {
    const columns = { id: 'integer', title: 'text', gone: 'text?' } as const
    const before = createBlog(database, {
      policies: { posts: { show: () => ({ gone: 'x' }) as never } },
      definitions: { posts: { columns: { ...columns }, attributes: ['title'] } },
    })
    const found = await comparePolicies([before.posts], [createBlog(database).posts], null, [])
    expect(found.differences).toEqual([])
    expect(found.problems).toEqual([
      expect.stringMatching(/^posts cannot be compared on this database: .*gone.*`svc migrate`/),
    ])
    const partly = 'Of what could be compared, nobody gains or loses anything.'
    expect(comparisonLines(found)).toEqual([
      ...[partly, '', 'Compared for a guest.'],
      ...found.problems,
    ])
    expect(comparisonMarkdown(found)[0]).toBe(partly)
  })
})
