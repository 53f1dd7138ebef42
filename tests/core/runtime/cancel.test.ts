/** How a statement of PostgreSQL is ended for a client that left: as libpq does, in the order of bytes and ends. */
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { Caller } from '../../../runtime/database/caller.js'
import { openPostgres, type PostgresDatabase } from '../../../runtime/database/postgres/open.js'
import { tls, verified } from '../../support/certificate.js'
import {
  canceled,
  record,
  startFakePostgres,
  type FakePostgres,
} from '../../support/fake-postgres.js'

afterEach(() => void vi.useRealTimers())

/** One connection, so that the next statement has to wait for it. */
async function open(how: 'plain' | 'TLS' = 'plain') {
  const server = await startFakePostgres(how === 'TLS' ? tls : undefined)
  const options = how === 'TLS' ? verified : ''
  const url = `postgresql://ann:secret@localhost:${server.port}/blog${options}`
  const limits = { statement_ms: 0, response_bytes: 1_000 }
  const database = openPostgres(url, { max: 1, limits })
  onTestFinished(() => {
    server.close()
    void database.close()
  })
  return { server, database }
}

const read = (database: PostgresDatabase, caller = new Caller()) =>
  database.query({ sql: 'SELECT text', access: 'read' }, [], caller)

/** A client that leaves when it is told to. */
function client() {
  let hasLeft = false
  return { caller: new Caller(() => hasLeft), leave: () => (hasLeft = true) }
}

const isSeen = (server: FakePostgres, ...all: string[]) =>
  expect.poll(() => server.seen).toEqual(all)

const begun = 'statement on connection 1'
const ofFirst = 'cancel of 1, 4711'

test.each([
  ['plain', ''],
  ['TLS', ' over TLS'],
] as const)(
  'the connection (%s) is lent again when the other side has ended the cancel, and not before',
  async (how, words) => {
    const { server, database } = await open(how)
    const { caller, leave } = client()
    const left = read(database, caller)
    await isSeen(server, begun)
    leave()
    await isSeen(server, begun, `${ofFirst}${words}`)
    server.answer(canceled)
    await expect(left).rejects.toMatchObject({ status: 400 })

    const next = read(database)
    await turn()
    expect([database.pool.waitingCount, database.pool.idleCount]).toEqual([1, 0])
    expect(server.seen).toEqual([begun, `${ofFirst}${words}`])
    server.endCancel()
    // That a client ends too, once the other side has, is how a connection ends.
    await isSeen(server, begun, `${ofFirst}${words}`, 'the client ends its cancel', begun)
    server.answer(record('served'))
    expect(await next).toEqual([['served']])
  },
)

test('a cancel that a pooler drops, because the statement waits for its turn, is sent again', async () => {
  const { server, database } = await open()
  const { caller, leave } = client()
  const left = read(database, caller)
  await isSeen(server, begun)
  leave()
  const dropped = [ofFirst, 'the client ends its cancel']
  await isSeen(server, begun, ofFirst)
  server.endCancel()
  await isSeen(server, begun, ...dropped, ofFirst)
  server.endCancel()
  await isSeen(server, begun, ...dropped, ...dropped, ofFirst)
  server.answer(canceled)
  server.endCancel()
  await expect(left).rejects.toMatchObject({ status: 400 })
})

test('what has not begun and what is over is not cancelled', async () => {
  const { server, database } = await open()
  const first = read(database)
  const { caller, leave } = client()
  const waiting = read(database, caller)
  await isSeen(server, begun)
  leave()
  // More than an answer can hold, whose end comes along.
  server.answer(record('x'.repeat(20_000)))
  const isDenied = { status: 400 }
  await Promise.all([first, waiting].map((each) => expect(each).rejects.toMatchObject(isDenied)))
  const last = read(database)
  await isSeen(server, begun, begun)
  server.answer(record('served'))
  expect(await last).toEqual([['served']])
})

test('a connection whose cancel does not end is closed, and the cancel goes on waiting', async () => {
  const { server, database } = await open()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { caller, leave } = client()
  const left = read(database, caller)
  await isSeen(server, begun)
  leave()
  vi.advanceTimersByTime(100)
  await isSeen(server, begun, ofFirst)
  server.answer(canceled)
  await expect(left).rejects.toMatchObject({ status: 400 })
  const next = read(database)
  vi.advanceTimersByTime(5_000)
  const end = 'connection 1 ends'
  await isSeen(server, begun, ofFirst, end, 'statement on connection 2')
  server.answer(record('served'))
  expect(await next).toEqual([['served']])
})
