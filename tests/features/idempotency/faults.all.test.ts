/** A server that is killed between a write and its answer: the request is sent again with its key, and there is one row. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startServer, type ServerProcess } from '../../core/faults/server-process.js'
import { toldOn } from '../../support/databases.js'
import { openManifest } from '../../support/own-manifest.js'
import { runs } from '../../support/runs.js'

/** `npm run test:long`: two hundred on each database. */
const kills = runs(1) === 1 ? 3 : 200

/** Dies where the file says: before the write, so many turns of the event loop later, or after the commit. */
const hooks = `
import { existsSync, readFileSync } from 'node:fs'
import type { HooksFor, OrderModel } from '#app/Models.js'

const said = () => existsSync('kill.txt') ? readFileSync('kill.txt', 'utf8') : ''

const die = (turns: number): void => {
  if (turns === 0) process.kill(process.pid, 'SIGKILL')
  else setImmediate(() => die(turns - 1))
}

export const OrderHooks: HooksFor<OrderModel> = {
  beforeStore: async () => {
    const when = said()
    if (when !== '' && when !== 'committed') die(Number(when))
  },
  afterStore: () => {
    if (said() === 'committed') die(0)
  },
}
`

const manifest = {
  manifest: 'tests/features/idempotency/manifests/faults.ts',
  files: { 'app/Hooks/OrderHooks.ts': hooks },
}

/** First at once, later and later, and each third when it is committed and not answered. */
const when = (n: number): string => {
  if (n % 3 === 2) return 'committed'
  return n === 0 ? '0' : String(Math.floor(2 ** ((11 * n) / kills)))
}

test.each(toldOn('postgresql'))(
  'one row on %s, however often the server was killed before it answered',
  async (name) => {
    const project = await openManifest(manifest, name)
    const killFile = join(project.folder, 'kill.txt')
    const ann = await project.user('Ann')
    const run = (sql: string) => project.database.query({ sql, access: 'write' }, [])
    const env = {
      ...{ DATABASE_URL: process.env['DATABASE_URL'] ?? '', MIGRATE_ON_START: 'false' },
      ...{ APP_KEY: 'k'.repeat(32), FRONTEND_APP_URL: 'https://front.example', MAIL_MAILER: 'log' },
    }
    const start = () => startServer(project.folder, env)
    const store = async ({ url }: ServerProcess, n: number) => {
      const answer = await fetch(`${url}/api/svc/orders`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${project.token(ann)}`,
          'content-type': 'application/json',
          'idempotency-key': `order-${n}`,
        },
        body: JSON.stringify({ title: `order ${n}` }),
      })
      const isReplayed = answer.headers.get('idempotency-replayed') === 'true'
      return {
        status: answer.status,
        isReplayed,
        body: (await answer.json()) as { data: { id: string } },
      }
    }
    const past = name === 'sqlite' ? "'2020-01-01T00:00:00.000+00:00'" : "'2020-01-01'"
    const ended = { replayed: 0, doneAgain: 0 }
    let server = await start()
    for (let n = 0; n < kills; n += 1) {
      writeFileSync(killFile, when(n))
      const first = await store(server, n).catch(() => null)
      await server.exited
      rmSync(killFile)
      server = await start()
      // What was left running is another's until its end.
      const waiting = await store(server, n)
      await run(`update idempotency_keys set running_until = ${past} where status is null`)
      const second = waiting.status === 409 ? await store(server, n) : waiting
      expect(second.status, JSON.stringify(second.body)).toBe(201)
      if (first !== null) expect(second).toMatchObject({ isReplayed: true, body: first.body })
      ended[second.isReplayed ? 'replayed' : 'doneAgain'] += 1
      const rows = await run(`select id from orders where title = 'order ${n}'`)
      expect(rows.flat().map(String)).toEqual([second.body.data.id])
    }
    expect(ended.replayed).toBeGreaterThanOrEqual(Math.floor(kills / 3))
    expect(ended.doneAgain).toBeGreaterThan(0)
    await project.close()
  },
)
