/** Random writes with keys and dry runs, REST, nested routes and GraphQL mixed, leave what a model in memory says. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openManifest } from '../../support/own-manifest.js'
import { databases, type Answer, type Project } from '../../support/project.js'
import { runs } from '../../support/runs.js'

const manifest = {
  manifest: 'tests/core/http/manifests/retries-model.ts',
}

const step = fc.record({
  what: fc.constantFrom('store', 'store', 'patch', 'delete'),
  door: fc.constantFrom('rest', 'nested', 'graphql'),
  pick: fc.nat({ max: 3 }),
  title: fc.constantFrom('a', 'b', null),
  key: fc.constantFrom('k1', 'k2', 'k3', 'k4', null),
  who: fc.constantFrom('ann', 'bob'),
  isDry: fc.constantFrom(false, false, true),
  /** The last request once more, as who has no answer sends it. */
  isAgain: fc.boolean(),
})
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

/** The expected state: titles by id, and the answers by key. */
interface Model {
  readonly titles: Map<string, string>
  readonly answers: Map<string, { readonly request: string; readonly said: object }>
  last: readonly [each: Step, id: string] | null
  replays: number
}

describe.each(databases)('random writes with keys and dry runs on %s', (name) => {
  let project: Project
  const people: Record<string, number> = {}
  let shelf: number
  beforeAll(async () => {
    project = await openManifest(manifest, name)
    for (const who of ['ann', 'bob']) people[who] = await project.user(who)
    shelf = await project.insert('shelves', { name: 'one' })
  })
  afterAll(() => project.close())
  const run = (sql: string) => project.database.query({ sql, access: 'write' }, [])

  /** The request of a step, which is the same whenever the step is. */
  function requestOf({ what, door, title }: Step, id: string) {
    const input = what === 'store' ? { title, shelf_id: String(shelf) } : { title }
    if (door === 'graphql') {
      const text = JSON.stringify(input).replaceAll(/"(\w+)":/g, '$1: ')
      const asked = {
        store: `createBook(input: ${text}) { id title }`,
        patch: `updateBook(id: "${id}", input: ${text}) { id title }`,
        delete: `deleteBook(id: "${id}")`,
      }[what]
      return { method: 'POST', path: '/graphql', body: { query: `mutation { it: ${asked} }` } }
    }
    const list = door === 'nested' ? `/api/svc/shelves/${shelf}/books` : '/api/svc/books'
    const method = { store: 'POST', patch: 'PATCH', delete: 'DELETE' }[what] ?? ''
    const path = what === 'store' ? list : `${list}/${id}`
    return { method, path, body: what === 'delete' ? null : input }
  }

  const codes: Readonly<Record<string, number>> = { NOT_FOUND: 404, VALIDATION_FAILED: 422 }

  /** The status that REST would have. */
  function statusOf({ status, body }: Answer, { what, door, isDry }: Step): number {
    if (door !== 'graphql') return status
    if (body.errors !== undefined) return codes[body.errors[0].extensions.code] ?? 400
    if (isDry) return 200
    return { store: 201, patch: 200, delete: 204 }[what] ?? 0
  }

  function expected({ what, title, isDry }: Step, isThere: boolean): number {
    if (what !== 'store' && !isThere) return 404
    if (what !== 'delete' && title === null) return 422
    if (isDry) return 200
    return { store: 201, patch: 200, delete: 204 }[what] ?? 0
  }

  const idOf = ({ body }: Answer, { door }: Step) =>
    String(door === 'graphql' ? body.data.it.id : body.data.id)

  async function take(model: Model, next: Step): Promise<void> {
    const ids = [...model.titles.keys(), '999999']
    const asked = [next, ids[next.pick % ids.length] ?? ''] as const
    const [each, id] = next.isAgain ? (model.last ?? asked) : asked
    model.last = [each, id]
    const { key, who, isDry, what, title } = each
    const { method, path, body } = requestOf(each, id)
    const answer = await project.request(method, `${path}${isDry ? '?dryRun=true' : ''}`, {
      as: people[who],
      ...(body === null ? {} : { body: JSON.stringify(body) }),
      headers: {
        'content-type': 'application/json',
        ...(key === null ? {} : { 'idempotency-key': key }),
      },
    })
    const status = statusOf(answer, each)
    const isReplayed = answer.headers.get('idempotency-replayed') === 'true'
    const said = { status: answer.status, body: answer.body, at: answer.headers.get('location') }
    const request = JSON.stringify([method, path, body])
    const known = key === null || isDry ? undefined : model.answers.get(`${who} ${key}`)
    if (known !== undefined) {
      if (known.request === request) {
        model.replays += 1
        expect([isReplayed, said]).toEqual([true, known.said])
      } else expect([isReplayed, status]).toEqual([false, 422])
      return
    }
    expect([isReplayed, status]).toEqual([false, expected(each, model.titles.has(id))])
    if (isDry || status >= 400) return
    if (key !== null) model.answers.set(`${who} ${key}`, { request, said })
    if (what === 'delete') model.titles.delete(id)
    else model.titles.set(what === 'store' ? idOf(answer, each) : id, title ?? '')
  }

  it('leave what the model says, after every step', async () => {
    let replays = 0
    const sequences = fc.array(step, { minLength: 4, maxLength: 14 })
    await fc.assert(
      fc.asyncProperty(sequences, async (steps) => {
        for (const table of ['books', 'idempotency_keys']) await run(`delete from ${table}`)
        const model: Model = { titles: new Map(), answers: new Map(), last: null, replays: 0 }
        for (const each of steps) {
          await take(model, each)
          const rows = await run('select id, title from books order by id')
          const titles = rows.map(([id, title]) => [String(id), title])
          expect(titles).toEqual([...model.titles].toSorted(([a], [b]) => Number(a) - Number(b)))
        }
        replays += model.replays
        const kept = await run('select count(*) from idempotency_keys where status is not null')
        const all = await run('select count(*) from idempotency_keys')
        expect([kept, all].flat(2).map(Number)).toEqual([model.answers.size, model.answers.size])
      }),
      { numRuns: runs(40) },
    )
    expect(replays).toBeGreaterThan(10)
  })
})
