/** Random runs of actions against a model in memory: what is done, refused and left alone, over REST and GraphQL. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openManifest } from '../../support/own-manifest.js'
import { databases, type Project } from '../../support/project.js'
import { edits, policies } from './own-files.js'

const manifest = { manifest: 'tests/features/actions/manifests/http.ts', policies, edits }
const posts = '/api/svc/posts'

type Status = 'draft' | 'live' | 'locked'

interface Post {
  readonly id: number
  readonly owner: 'ann' | 'bob'
  title: string
  status: Status
}

interface Run {
  readonly by: 'ann' | 'bob'
  readonly action: 'publish' | 'fail'
  readonly over: 'rest' | 'graphql'
  /** Places of the records; one that is not there is 9. `all`: those of a status, or of any. */
  readonly on: readonly number[] | { readonly all: Status | 'any' }
}

const status = fc.constantFrom<Status>('draft', 'live', 'locked')
const owner = fc.constantFrom<'ann' | 'bob'>('ann', 'bob')
const title = fc.constantFrom('a', 'b', 'refused')
const made = fc.array(fc.record({ owner, title, status }), { minLength: 1, maxLength: 6 })
const run: fc.Arbitrary<Run> = fc.record({
  by: owner,
  action: fc.constantFrom<Run['action']>('publish', 'fail'),
  over: fc.constantFrom<Run['over']>('rest', 'graphql'),
  on: fc.oneof(
    { weight: 3, arbitrary: fc.array(fc.constantFrom(0, 1, 2, 3, 4, 5, 9), { maxLength: 4 }) },
    { weight: 1, arbitrary: fc.record({ all: fc.oneof(status, fc.constant('any' as const)) }) },
  ),
})

const sees = (post: Post, by: string) => post.owner === by || post.status === 'live'
const may = (post: Post, by: string) => post.owner === by && post.status !== 'locked'

/** What an action does with records, one after the other; false: it throws, and nothing is done. */
function apply(action: Run['action'], all: readonly Post[]): boolean {
  if (action === 'fail' && all.some(({ title: text }) => text === 'refused')) return false
  for (const post of all) {
    if (action === 'publish') post.status = 'live'
    else post.title = 'done'
  }
  return true
}

/** The status of the answer, once the model has done what is asked. */
function expected(model: readonly Post[], { by, action, on }: Run): number {
  if ('all' in on) {
    const found = model.filter(
      (post) => sees(post, by) && may(post, by) && (on.all === 'any' || post.status === on.all),
    )
    return apply(action, found.toReversed()) ? 200 : 409
  }
  if (on.length === 0 || new Set(on).size < on.length) return 422
  const named = on.map((at) => model[at])
  if (named.some((post) => post === undefined || !sees(post, by))) return 404
  const found = named as readonly Post[] // none is missing
  if (!found.every((post) => may(post, by))) return 403
  return apply(action, found) ? 200 : 409
}

const codes: Readonly<Record<string, number>> = {
  VALIDATION_FAILED: 422,
  NOT_FOUND: 404,
  FORBIDDEN: 403,
  CONFLICT: 409,
}

describe.each(databases)('random actions on %s', (name) => {
  let project: Project
  const users = { ann: 0, bob: 0 }
  beforeAll(async () => {
    project = await openManifest(manifest, name)
    users.ann = await project.user('Ann')
    users.bob = await project.user('Bob')
  })
  afterAll(() => project.close())

  const rows = async () => {
    const sql = 'select id, title, status from posts order by id'
    const found = await project.database.query({ sql, access: 'read' }, [])
    return found.map(([id, text, now]) => ({ id: Number(id), title: text, status: now }))
  }

  const send = async ({ by, action, over, on }: Run, ids: readonly string[]): Promise<number> => {
    const as = users[by]
    if ('all' in on) {
      const filter = on.all === 'any' ? '' : `?status=${on.all}`
      return (await project.post(`${posts}/actions/${action}${filter}`, { ids: 'all' }, as)).status
    }
    const named = on.map((at) => ids[at] ?? String(90_000 + at))
    if (over === 'rest') {
      return (await project.post(`${posts}/actions/${action}`, { ids: named }, as)).status
    }
    const query = `mutation { ${action}PostList(ids: [${named.join(', ')}]) }`
    const { body } = await project.post('/graphql', { query }, as)
    const code = body.errors?.[0].extensions.code
    return code === undefined ? 200 : (codes[code] ?? code)
  }

  test('do what the model does, or nothing', { timeout: 600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(made, fc.array(run, { minLength: 1, maxLength: 6 }), async (all, runs) => {
        await project.database.query({ sql: 'delete from posts', access: 'write' }, [])
        const model: Post[] = []
        for (const each of all) {
          const { owner: by, ...rest } = each
          const id = await project.insert('posts', { ...rest, owner_id: users[by] })
          model.push({ id, ...each })
        }
        const ids = model.map(({ id }) => String(id))
        for (const each of runs) {
          const wanted = expected(model, each)
          expect([each, await send(each, ids)]).toEqual([each, wanted])
          expect(await rows()).toEqual(
            model.map(({ id, title: text, status: now }) => ({ id, title: text, status: now })),
          )
        }
      }),
      { numRuns: Number(process.env['SVC_RUNS'] ?? 60) },
    )
  })
})
