/**
 * An action on 1,000 records, which sets one column of all of them in one statement, beside `PATCH /bulk` that sets the same:
 * the emitted server on SQLite, in one process and interleaved. Prints CPU (user + system) per request, and the ratio.
 *
 *     npx tsx tests/bench/actions.ts [rounds=9] [records=1000]
 */
import { openManifest } from '../support/own-manifest.js'

const rounds = Number(process.argv[2] ?? 9)
const records = Number(process.argv[3] ?? 1_000)

const touch = `
import type { ActionsFor, PostActions as Declared, PostModel } from '#app/Models.js'

export const PostActions: ActionsFor<PostModel, Declared> = {
  actions: {
    touch: async ({ db }, posts) => {
      await db.updateTable('posts').set({ qty: 5 }).where('id', 'in', posts.map(({ id }) => id)).execute()
    },
  },
}
`
const project = await openManifest(
  {
    manifest: 'tests/bench/manifests/actions.ts',
    policies: {
      Post: {
        update: '(user) => ({ owner_id: user?.id })',
        runTouch: '(user) => ({ owner_id: user?.id })',
      },
    },
    edits: { 'app/Actions/PostActions.ts': () => touch },
  },
  'sqlite',
)
const user = await project.user('Ann')
const ids: number[] = []
for (let at = 0; at < records; at += 1) {
  ids.push(await project.insert('posts', { title: `Post ${at}`, qty: at, owner_id: user }))
}

const request = (method: string, url: string, body: unknown) => () =>
  project.fetch(
    new Request(`http://x.test/api/svc/posts/${url}`, {
      method,
      headers: {
        'Content-Type': 'application/json',
        Authorization: `Bearer ${project.token(user)}`,
        Prefer: 'return=minimal',
      },
      body: JSON.stringify(body),
    }),
  )

const ways = {
  'PATCH /bulk': request(
    'PATCH',
    'bulk',
    ids.map((id) => ({ id, qty: 5 })),
  ),
  action: request('POST', 'actions/touch', { ids }),
}

async function cpuOf(work: () => Promise<Response>, times: number): Promise<number> {
  const before = process.cpuUsage()
  for (let at = 0; at < times; at += 1) {
    const { status } = await work()
    if (status >= 300) throw new Error(`it answered ${status}`)
  }
  const { user: own, system } = process.cpuUsage(before)
  return (own + system) / times / 1000
}

const taken: Record<string, number[]> = {}
for (let round = -1; round < rounds; round += 1) {
  for (const [name, way] of Object.entries(ways)) {
    const ms = await cpuOf(way, 10)
    if (round >= 0) (taken[name] ??= []).push(ms)
  }
}
const median = (all: readonly number[] = []) =>
  all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0
for (const [name, all] of Object.entries(taken)) console.log(name, `${median(all).toFixed(1)} ms`)
console.log('ratio', (median(taken['action']) / median(taken['PATCH /bulk'])).toFixed(2))
await project.close()
process.exit(0)
