/** Two connections are the fewest that DATABASE_POOL may say, and all that SQLite has: requests must not wait for each other for ever. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databases } from '../../support/databases.js'
import { openManifest } from '../../support/own-manifest.js'
import type { Answer, Project } from '../../support/project.js'

/** Policies and hooks that read and write through `db`, inside a transaction and beside one. */
const reads = `async () => (await db.selectFrom('labels').select('id').limit(1).execute()).length < 2`
const withDb = (text: string) => `import { db } from '#app/database.js'\n${text}`

const manyEmails = (text: string) =>
  text.replace('changeEmail: { limit: 6,', 'changeEmail: { limit: 600,')

const boardHooks = `import { db } from '#app/database.js'
import type { BoardModel, HooksFor } from '#app/Models.js'

const touch = async () => void (await db.updateTable('labels').set({ name: 'fixed' }).where('name', '=', 'fixed').execute())

export const BoardHooks: HooksFor<BoardModel> = {
  beforeStore: async (_, values) => (await touch(), values),
  beforeUpdate: touch,
  beforeDelete: touch,
  afterStore: touch,
  afterUpdate: touch,
}
`

const cardHooks = `import type { CardModel, HooksFor } from '#app/Models.js'

export const CardHooks: HooksFor<CardModel> = {
  insideStore: async ({ repositories }) => void (await repositories.labels.count(null)),
}
`

const manifest = {
  manifest: 'tests/core/http/manifests/small-pool.ts',
  policies: {
    Board: { show: reads, store: reads, update: reads, delete: reads, attachLabels: reads },
    Card: { show: reads, store: reads },
  },
  edits: {
    'app/Policies/BoardPolicy.ts': withDb,
    'app/Policies/CardPolicy.ts': withDb,
    'config/svc.ts': manyEmails,
  },
  files: { 'app/Hooks/BoardHooks.ts': boardHooks, 'app/Hooks/CardHooks.ts': cardHooks },
}

describe.each(databases)('two connections to %s', (name) => {
  let project: Project
  let people: readonly number[]
  let boards: readonly string[]

  beforeAll(async () => {
    process.env['DATABASE_POOL'] = '2'
    project = await openManifest(manifest, name)
    people = [await project.user('Ada'), await project.user('Ben'), await project.user('Cyd')]
    await project.insert('labels', { name: 'fixed' })
    const rows = Array.from({ length: 20 }, (_, at) => ({ name: `Board ${at}` }))
    const made = await project.post('/api/svc/boards/bulk', rows, people[0])
    expect(made.status).toBe(201)
    boards = made.body.data.map(({ id }: { readonly id: string }) => id)
  })
  afterAll(() => project.close())

  let count = 0
  const fresh = () => `new-${(count += 1)}`

  const send = (method: string, path: string, as: number, body?: object, headers = {}) =>
    project.request(method, path, {
      as,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })

  /** Each kind of request once. */
  const requests = (at: number): readonly Promise<Answer>[] => {
    const as = people[at % people.length] ?? 0
    const [id, other] = [boards[at * 2], boards[at * 2 + 1]]
    const api = '/api/svc'
    const keyed = () => ({ 'idempotency-key': fresh() })
    const mutation = `mutation { createBoard(input: { name: "${fresh()}" }) { id } }`
    return [
      send('GET', `${api}/boards?include=cards,labels`, as),
      send('GET', `${api}/boards?search=Board`, as),
      send('GET', `${api}/boards`, as, undefined, { accept: 'text/csv' }),
      send('GET', `${api}/boards/${id}?include=labels`, as),
      send('POST', `${api}/boards`, as, { name: fresh(), cards: [{ title: 'one' }] }),
      send('POST', `${api}/boards`, as, { name: fresh(), labels: [{ name: 'fixed' }] }, keyed()),
      // Its attempt is counted beside the transaction, and stays counted where that is rolled back.
      send('PATCH', `${api}/users/${as}`, as, { email: `${fresh()}@example.test` }, keyed()),
      send('POST', `${api}/boards?dryRun=true`, as, { name: fresh() }),
      send('POST', `${api}/boards?upsertBy=name`, as, { name: fresh() }),
      send('POST', `${api}/boards/bulk`, as, [{ name: fresh() }, { name: fresh() }]),
      send('PATCH', `${api}/boards/bulk`, as, [{ id, name: fresh() }]),
      send('POST', `${api}/cards`, as, { title: 'inside', board_id: id }),
      send('POST', `${api}/cards/bulk`, as, [{ title: 'inside', board_id: other }]),
      send('POST', `${api}/boards/${other}/attach/labels`, as, { labels: ['1'] }),
      send('POST', '/graphql', as, {
        query: '{ boardList(first: 5) { name labels { name } } }',
      }),
      send('POST', '/graphql', as, { query: mutation }),
    ]
  }

  it('answer requests of all kinds at once, whose policies and hooks use the database too', async () => {
    for (let round = 0; round < 3; round++) {
      const answers = await Promise.all([0, 1, 2, 3].flatMap(requests))
      const failed = answers.filter(({ status, body }) => status >= 300 || 'errors' in Object(body))
      expect(
        failed.map(({ status, body }) => [status, JSON.stringify(body).slice(0, 300)]),
      ).toEqual([])
    }
  })
})
