/**
 * 1,000 records of one request, on SQLite: the emitted server beside a route written by hand, with zod and one multi-row
 * INSERT, in one process and interleaved. Prints CPU (user + system) per request, and the ratio: what svc takes of the other.
 *
 *     npx tsx tests/bench/bulk.ts [rounds=9] [records=1000]
 */
import { join } from 'node:path'
import { Hono } from 'hono'
import { z } from 'zod'
import { SqliteDriver as Database } from '../../runtime/database/sqlite/driver.js'
import { openManifest } from '../support/own-manifest.js'

const rounds = Number(process.argv[2] ?? 9)
const records = Number(process.argv[3] ?? 1_000)

const project = await openManifest(
  {
    manifest: 'tests/bench/manifests/bulk.ts',
    policies: { Post: { update: '(user) => ({ owner_id: user?.id })' } },
  },
  'sqlite',
)
const user = await project.user('Ann')
const database = new Database(join(project.folder, 'test.sqlite'))
database.pragma('journal_mode = WAL')

const columns = [
  'title',
  'description',
  'qty',
  'published_at',
  'owner_id',
  'created_at',
  'updated_at',
]
const places = `(${columns.map(() => '?').join()})`
const insert = database
  .prepare<unknown[], unknown[]>(
    `insert into posts (${columns.join()}) values ${Array.from({ length: records }, () => places).join()} returning id, ${columns.join()}`,
  )
  .raw()
const input = z.array(
  z.strictObject({
    title: z.string().max(160),
    description: z.string().nullish(),
    qty: z.int().nullish(),
    published_at: z.iso.datetime({ offset: true }).nullish(),
  }),
)
const stored = (text: string) => text.replace('Z', '+00:00')
const shown = (text: unknown) => (typeof text === 'string' ? `${text.slice(0, 23)}Z` : null)

const byHand = new Hono().post('/posts', async (c) => {
  const now = stored(new Date().toISOString())
  const values = input
    .parse(await c.req.json())
    .flatMap((each) => [
      ...[each.title, each.description ?? null, each.qty ?? 1],
      ...[each.published_at ? stored(each.published_at) : null, user, now, now],
    ])
  const data = insert.all(...values).map((row) => ({
    id: String(row[0]),
    type: 'posts',
    attributes: {
      ...{ title: row[1], description: row[2], qty: row[3], published_at: shown(row[4]) },
      ...{ owner_id: String(row[5]), created_at: shown(row[6]), updated_at: shown(row[7]) },
    },
    meta: {
      ...{ authorizedToShow: true, authorizedToStore: true },
      ...{ authorizedToUpdate: row[5] === user, authorizedToDelete: true },
    },
  }))
  return c.json({ data }, 201)
})

const list = Array.from({ length: records }, (_, at) => ({
  ...{ title: `Post ${at}`, description: 'Some words about it, as people write them.', qty: at },
  published_at: '2026-01-02T03:04:05.000Z',
}))
const request = (url: string) =>
  new Request(`http://x.test${url}`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Authorization: `Bearer ${project.token(user)}`,
    },
    body: JSON.stringify(list),
  })

const ways = {
  'by hand': () => byHand.fetch(request('/posts')),
  svc: () => project.fetch(request('/api/svc/posts/bulk')),
}

async function cpuOf(work: () => Response | Promise<Response>, times: number): Promise<number> {
  let spent = 0
  for (let at = 0; at < times; at++) {
    const before = process.cpuUsage()
    const answer = await work()
    const text = await answer.text()
    const { user: own, system } = process.cpuUsage(before)
    spent += own + system
    if (answer.status !== 201 || !text.includes(`Post ${records - 1}`)) throw new Error(text)
  }
  return spent / times / 1000
}

const bodies = await Promise.all(Object.values(ways).map(async (way) => (await way()).json()))
const withoutIds = (body: unknown) =>
  JSON.stringify(body).replaceAll(/"id":"\d+"|"(created|updated)_at":"[^"]+"/g, '')
if (withoutIds(bodies[0]) !== withoutIds(bodies[1])) throw new Error('they answer differently')

const taken: Record<string, number[]> = {}
for (let round = -1; round < rounds; round++) {
  for (const [name, way] of Object.entries(ways)) {
    const ms = await cpuOf(way, 10)
    if (round >= 0) (taken[name] ??= []).push(ms)
    database.exec('delete from posts')
  }
}
const median = (all: readonly number[] = []) =>
  all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0
for (const [name, all] of Object.entries(taken)) console.log(name, `${median(all).toFixed(1)} ms`)
console.log('ratio', (median(taken['svc']) / median(taken['by hand'])).toFixed(2))
database.close()
await project.close()
process.exit(0)
