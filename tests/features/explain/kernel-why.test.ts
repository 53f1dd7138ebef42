/** `svc why`: what a policy's condition comes to for a row, leaf by leaf. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../../runtime/database/types.js'
import { joinedVerdict, type Tree, type Verdict } from '../../../runtime/features/explain/tree.js'
import { personOf } from '../../../runtime/features/explain/users.js'
import { pivotQuestion, whyPivot } from '../../../runtime/features/explain/why-pivot.js'
import { whyRecord } from '../../../runtime/features/explain/why.js'
import type { Entity, Row } from '../../../runtime/model/entity.js'
import { all, any, not, self, sql } from '../../../runtime/policy/condition.js'
import type { Condition } from '../../../runtime/policy/policy-types.js'
import { type BlogOptions, createBlog } from '../../core/kernel/blog.js'
import { counted, dialects, execute, openDatabase } from '../../core/kernel/databases.js'
import type { NoteModel, PostModel } from '../../core/kernel/models.js'
import { condition, note } from '../../core/kernel/random-conditions.js'
import { runsOn } from '../../support/runs.js'

interface Asked {
  readonly id: string
  readonly user?: Row | null
  readonly operation?: string
  readonly body?: Row
  readonly isWhole?: boolean
  readonly field?: string
  readonly audience?: 'command' | 'asker'
}

const why = (entity: Entity, { user = { id: 1 }, operation = 'show', ...rest }: Asked) =>
  whyRecord({ entity, user, operation, audience: 'command', ...rest })

/** What an operation of the repository ends in. */
const statusOf = (work: Promise<unknown>, done: number) =>
  work.then(
    () => done,
    (error: { status?: number }) => error.status ?? String(error),
  )

/** The verdict with other answers of some leaves. */
function withChanged(tree: Tree, changed: ReadonlyMap<Tree, Verdict>): Verdict {
  if (tree.parts === undefined) return changed.get(tree) ?? tree.verdict ?? 'unknown'
  const parts = tree.parts.map((part) => withChanged(part, changed))
  return joinedVerdict(tree.kind as 'all' | 'any' | 'not', parts)
}

const verdicts: readonly Verdict[] = ['yes', 'no', 'unknown']

/** Every way in which these leaves can answer. */
function* answersOf([first, ...rest]: readonly Tree[]): Generator<ReadonlyMap<Tree, Verdict>> {
  if (first === undefined) return void (yield new Map())
  for (const others of answersOf(rest)) {
    for (const verdict of verdicts) yield new Map([...others, [first, verdict]])
  }
}

function leavesOf(tree: Tree): readonly Tree[] {
  return tree.parts === undefined ? [tree] : tree.parts.flatMap(leavesOf)
}

let database: Database
let answer: boolean | Condition<NoteModel> = true

/** A mark says of a leaf that changing it, and those it names, changes the answer. */
function expectCauses(tree: Tree | undefined): void {
  if (tree === undefined || (tree.kind === 'constant' && tree.decides)) return
  const leaves = leavesOf(tree)
  for (const leaf of leaves) {
    if (!leaf.decides) continue
    expect(leaf.kind).not.toBe('constant')
    // Words may stand twice in a condition.
    const named = leaves.filter((each) => each !== leaf && leaf.with?.includes(each.words))
    const isOther = (answers: ReadonlyMap<Tree, Verdict>) =>
      (withChanged(tree, answers) === 'yes') !== (tree.verdict === 'yes')
    const isCause = [...answersOf([leaf, ...named.slice(0, 6)])].some(isOther)
    expect(isCause || named.length > 6, JSON.stringify([tree, leaf], null, 1)).toBe(true)
  }
}

describe.each(dialects)('why on %s', (dialect) => {
  beforeAll(async () => {
    database = await openDatabase(dialect)
  })
  afterAll(() => database.close())

  test('its answer is the outcome of the request, for random policies and rows', async () => {
    const rules = { show: () => answer, update: () => answer, delete: () => answer }
    const open = createBlog(database)
    const seen = createBlog(database, { policies: { notes: { show: () => answer } } })
    const changed = createBlog(database, { policies: { notes: { ...rules, show: () => true } } })
    await fc.assert(
      fc.asyncProperty(
        fc.array(note, { minLength: 1, maxLength: 3 }),
        fc.array(condition, { minLength: 1, maxLength: 8 }),
        note,
        fc.constantFrom({ id: 1 }, null),
        async (rows, conditions, body, user) => {
          await execute(database, 'delete from notes')
          const ids: string[] = []
          for (const row of rows) ids.push((await open.notes.store(null, row)).id)
          for (const one of conditions) {
            answer = one
            for (const id of ids) {
              const { definition } = seen.notes
              const shown = await why(definition, { id, user })
              expect([one, shown.status]).toEqual([
                one,
                await statusOf(seen.notes.show(user, id), 200),
              ])
              expectCauses(shown.steps[0]?.tree)
              const asked = { id, user, operation: 'update', body }
              const update = await why(changed.notes.definition, asked)
              const expected = await statusOf(changed.notes.patch(user, id, body), 200)
              expect([one, update.status]).toEqual([one, expected])
              if (expected === 200) await open.notes.update(null, id, rows[ids.indexOf(id)] ?? {})
            }
            const remove = { id: ids[0] ?? '', user, operation: 'delete' }
            const deletion = await why(changed.notes.definition, remove)
            const expected = await statusOf(changed.notes.delete(user, ids[0] ?? ''), 204)
            expect([one, deletion.status]).toEqual([one, expected])
            if (expected === 204) ids[0] = (await open.notes.store(null, rows[0] ?? {})).id
          }
        },
      ),
      { numRuns: runsOn(dialect, 12) },
    )
  })

  test('of a body that is wrong it says so, and not that a body decides', async () => {
    const { posts } = createBlog(database, {
      policies: { posts: { store: () => ({ title: 'kept' }) } },
    })
    const asked = { id: '', operation: 'store' }
    const words = async (more: object) => {
      const { status, steps } = await why(posts.definition, { ...asked, ...more })
      return [status, steps[0]?.tree.words]
    }
    expect(await words({ body: {} })).toEqual([
      422,
      'for some records: this body is wrong, so it was not asked about',
    ])
    expect(await words({})).toEqual([201, 'for some records: a body says which'])
  })

  test('storing too, with the row that would be there', async () => {
    const { notes } = createBlog(database, { policies: { notes: { store: () => answer } } })
    await fc.assert(
      fc.asyncProperty(condition, note, async (one, body) => {
        answer = one
        const asked = { id: '', operation: 'store', body }
        const { status } = await why(notes.definition, asked)
        expect([one, body, status]).toEqual([
          one,
          body,
          await statusOf(notes.store({ id: 1 }, body), 201),
        ])
      }),
      { numRuns: runsOn(dialect, 60) },
    )
  })
  throughRelations()

  test('attach, sync and detach, with the records that the body names', async () => {
    const open = createBlog(database)
    const people: number[] = []
    for (const name of ['Pia', 'Rob']) {
      const email = `${name}@pivot.org`
      people.push(
        Number((await open.users.store(null, { name, email, password: 'long enough' })).id),
      )
    }
    const [pia = 0, rob = 0] = people
    const company = await open.companies.store(null, { name: 'Pivots' })
    const { companies } = createBlog(database, {
      policies: {
        companies: {
          show: (user) => user !== null && { name: { startsWith: 'P' } },
          attachUsers: (user, _, other) => other.id === user?.id,
          syncUsers: () => false,
          canAttach: { users: (_, pivot) => pivot.is_admin !== true },
        },
        users: { show: (user) => ({ id: { in: [user?.id, rob] } }) },
      },
    })
    const { definition: entity } = companies
    const tried = [
      ['attachUsers', pia, { users: [pia] }],
      ['attachUsers', pia, { users: [rob] }],
      ['attachUsers', pia, { users: [pia, 999_999] }],
      ['attachUsers', pia, { users: [pia], is_admin: true }],
      ['syncUsers', pia, { users: [pia] }],
      ['detachUsers', pia, { users: [pia] }],
      ['attachUsers', null, { users: [pia] }],
    ] as const
    const ways = { attachUsers: 'attach', syncUsers: 'sync', detachUsers: 'detach' } as const
    for (const [operation, id, body] of tried) {
      const user = id === null ? null : { id }
      const question = {
        entity,
        user,
        operation,
        id: company.id,
        body,
        audience: 'command',
      } as const
      const pivot = pivotQuestion(question)
      if (pivot === undefined) throw new Error(operation)
      const found = await whyPivot(question, pivot, personOf(null, user))
      const status = await statusOf(
        companies[ways[operation]](user, company.id, 'users', body),
        200,
      )
      expect([operation, body, found.status, found.sentence]).toEqual([
        operation,
        body,
        status,
        found.sentence,
      ])
      expect(found.answer).toBe(status === 200 ? 'yes' : 'no')
    }
  })

  test('hidden is told from not there, a guest from a user, and a gate from the record', async () => {
    const open = createBlog(database)
    const user = { id: 1, is_admin: false }
    const post = await open.posts.store(user, { title: '\u001B[31mred\u202E' })
    const { definition } = createBlog(database, {
      policies: {
        posts: {
          show: (who) => who?.is_admin === true || { owner_id: who?.id },
          update: (who) => who !== null && { title: { contains: 'red' } },
          updateTo: () => ({ title: { not: 'blue' } }),
          canUpdate: { title: (who) => who?.is_admin === true },
        },
      },
      settings: { requiresToken: true },
    }).posts
    const ask = (asked: Partial<Asked>) => why(definition, { id: post.id, user, ...asked })
    expect(await ask({ id: '999999' })).toMatchObject({
      status: 404,
      isThere: false,
      sentence: 'No: there is no posts/999999 at all (404).',
    })
    expect(await ask({ id: 'x' })).toMatchObject({ status: 404, isThere: false })
    expect(await ask({ user: { id: 2, is_admin: false } })).toMatchObject({
      status: 404,
      isThere: true,
      sentence: expect.stringContaining('it is there, and hidden (404)'),
    })
    expect(await ask({ user: null })).toMatchObject({ status: 401 })
    const boss = { id: 9, is_admin: true }
    const seen = await ask({ user: boss })
    expect(seen).toMatchObject({ answer: 'yes', steps: [{ decidedBy: ['is_admin'] }] })
    const field = await ask({ operation: 'update', field: 'title' })
    expect(field).toMatchObject({ answer: 'no', status: 200 })
    expect(field.sentence).toContain("but 'title' of the body is ignored")
    const blue = { operation: 'update', user: boss, body: { title: 'blue' } }
    expect(await ask({ ...blue, user: { id: 1, is_admin: true } })).toMatchObject({
      status: 403,
      steps: [
        { rule: 'show' },
        { rule: 'update', answer: 'yes' },
        {
          rule: 'updateTo',
          of: 'the record as it would be',
          answer: 'no',
          tree: { words: "title is not 'blue'", column: { row: 'blue' } },
        },
        { rule: 'canUpdate.title', answer: 'yes' },
      ],
    })
    expect(await ask({ operation: 'update', body: { title: 7 } })).toMatchObject({
      notes: [],
    })
    await expect(ask({ field: 'nonsense' })).rejects.toThrow('have no field of that name')
  })
})

function throughRelations(): void {
  describe('through relations', () => {
    let posts: readonly string[] = []
    let users: readonly string[] = []
    beforeAll(async () => {
      const open = createBlog(database)
      await execute(database, 'delete from notes')
      const people = []
      for (const name of ['Ada', 'Bob', 'Eve']) {
        const email = `${name}@why.org`
        people.push(await open.users.store(null, { name, email, password: 'long enough' }))
      }
      users = people.map(({ id }) => id)
      const owner = { id: Number(users[0]) }
      const made = []
      for (const title of ['first', 'second']) made.push(await open.posts.store(owner, { title }))
      posts = made.map(({ id }) => id)
      for (const [body, by] of [
        ['good', 0],
        ['bad', 1],
        ['good', 1],
      ] as const) {
        await open.comments.store({ id: Number(users[by]) }, { body, post_id: posts[0] })
      }
      const company = await open.companies.store(null, { name: 'Acme' })
      await open.companies.attach(null, company.id, 'users', { users: users[0], is_admin: true })
      await open.companies.attach(null, company.id, 'users', { users: users[1], is_admin: false })
    })

    const ofPosts = (show: (user: Row) => boolean | Condition<PostModel>, more?: BlogOptions) =>
      createBlog(database, {
        ...more,
        policies: { ...more?.policies, posts: { show: show as never } },
      }).posts.definition

    test('it counts the records, and shows the first that decided', async () => {
      const entity = ofPosts((user) => ({
        comments: { some: { body: 'good', user_id: user['id'] as number } },
      }))
      const { result, statements } = await counted(database, () =>
        why(entity, { id: posts[0] ?? '', user: { id: Number(users[1]) } }),
      )
      expect(statements).toHaveLength(1)
      expect(result.answer).toBe('yes')
      const { tree } = result.steps[0] ?? {}
      expect(tree).toMatchObject({
        kind: 'related',
        verdict: 'yes',
        decides: true,
        related: {
          repository: 'comments',
          total: 3,
          matching: 1,
          first: {
            id: expect.any(String),
            tree: {
              kind: 'all',
              verdict: 'yes',
              parts: [
                { words: "body is 'good'", column: { row: 'good', from: null }, decides: true },
                {
                  words: `user_id is the user's id, ${users[1]}`,
                  column: { row: Number(users[1]), from: 'id' },
                  decides: true,
                },
              ],
            },
          },
        },
      })
      const no = await why(entity, { id: posts[1] ?? '', user: { id: 1 } })
      expect(no.steps[0]?.tree.related).toEqual({
        repository: 'comments',
        total: 0,
        matching: 0,
        first: null,
      })
    })

    test('no mark stands in a branch that decides nothing, and what has no value says so', async () => {
      const show = () =>
        any<PostModel>(
          { title: 'first' },
          { comments: { some: { body: 'other' } } },
          { comments: undefined as never },
        )
      const { steps } = await why(ofPosts(show), { id: posts[0] ?? '' })
      const [title, comments, without] = steps[0]?.tree.parts ?? []
      expect(title?.decides).toBe(true)
      expect(comments).toMatchObject({ decides: false, verdict: 'no' })
      expect(comments?.related?.first?.tree).toMatchObject({
        words: "body is 'other'",
        decides: false,
      })
      expect(without?.words).toBe(
        'comments: a condition without a value (undefined), which admits no record',
      )
    })

    test('of every one, it shows the one that is not as it should be; of none, the one that is', async () => {
      const id = posts[0] ?? ''
      const every = await why(
        ofPosts(() => ({ comments: { every: { body: 'good' } } })),
        { id },
      )
      expect(every.steps[0]?.tree.related).toMatchObject({
        total: 3,
        matching: 2,
        first: { tree: { words: "body is 'good'", verdict: 'no', column: { row: 'bad' } } },
      })
      const none = await why(
        ofPosts(() => ({ comments: { none: { body: 'bad' } } })),
        { id },
      )
      expect(none).toMatchObject({
        answer: 'no',
        steps: [{ tree: { related: { matching: 1, first: { tree: { verdict: 'yes' } } } } }],
      })
      const held = await why(
        ofPosts(() => ({ comments: { none: { body: 'ugly' } } })),
        { id },
      )
      expect(held).toMatchObject({
        answer: 'yes',
        steps: [{ tree: { related: { total: 3, matching: 0, first: null } } }],
      })
    })

    test('relations in relations and pivots, in one statement', async () => {
      const entity = ofPosts((user) =>
        any<PostModel>(
          not({
            owner: { is: { companies: { some: { name: 'Acme', pivot: { is_admin: true } } } } },
          }),
          {
            owner: {
              is: { companies: { some: { users: { some: { id: user['id'] as number } } } } },
            },
          },
        ),
      )
      const { result, statements } = await counted(database, () =>
        why(entity, { id: posts[0] ?? '', user: { id: Number(users[1]) } }),
      )
      expect(statements).toHaveLength(1)
      expect(result.answer).toBe('yes')
      const tree = JSON.stringify(result.steps[0]?.tree)
      expect(tree).toContain("its pivot's is_admin is true")
      expect(tree).toContain(`id is the user's id, ${users[1]}`)
      const other = await why(entity, { id: posts[0] ?? '', user: { id: Number(users[2]) } })
      expect(other.answer).toBe('no')
      // Either would do.
      expect(other.steps[0]?.tree.parts?.map(({ kind }) => kind)).toEqual(['not', 'related'])
    })

    test('a fragment of SQL is a leaf, with its values', async () => {
      const entity = ofPosts(() => sql`length(${self('title')}) > ${5}`)
      const { answer: found, steps } = await why(entity, { id: posts[0] ?? '' })
      expect(found).toBe('no')
      expect(steps[0]?.tree).toMatchObject({
        kind: 'sql',
        words: 'the SQL length(title) > 5',
        verdict: 'no',
        decides: true,
      })
    })

    test('what one may not see says nothing, unless the command line asks', async () => {
      const entity = ofPosts(
        () => all<PostModel>({ title: 'first' }, { comments: { some: { body: 'good' } } }),
        { policies: { comments: { show: () => ({ user_id: 1 }) } } },
      )
      const gated = { ...entity, policy: { ...entity.policy, canSee: { title: () => false } } }
      const id = posts[0] ?? ''
      const told = JSON.stringify(await why(gated, { id }))
      expect(told).toContain("'first'")
      const asked = await why(gated, { id, audience: 'asker' })
      expect(asked.answer).toBe('yes')
      expect(asked.steps[0]?.tree.parts).toEqual([
        { kind: 'hidden', words: 'a field that is not shown here', verdict: null, decides: true },
        {
          kind: 'related',
          words: 'one of comments is one that a condition asks for',
          verdict: 'yes',
          decides: true,
        },
      ])
      expect(JSON.stringify(asked)).not.toContain('first')
    })
  })
}
