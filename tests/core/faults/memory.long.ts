/**
 * Loads that once ended servers in containers of half a gigabyte: many large answers at once, and
 * clients that read none of theirs.
 */
import { readFileSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../../support/databases.js'
import { freshDatabase } from '../../support/postgres.js'
import { change } from '../compile/emit.js'
import { query } from '../regenerate/query.js'
import { deployed } from './deployed.js'
import { type ServerProcess, startServer } from './server-process.js'

const manifest = (text: string) =>
  text
    .replace(
      /import .*/,
      `import { belongsTo, defineManifest, hasMany, repository, text, textarea } from 'svckit'`,
    )
    .replace(
      'const notes',
      `const posts = repository({ fields: { body: textarea().max(1_000_000) }, related: { comments: hasMany() } })
const comments = repository({ fields: { text: text() }, related: { post: belongsTo('posts') } })

const notes`,
    )
    .replace('{ notes }', '{ notes, posts, comments }')

const now = `'2026-01-01T00:00:00.000+00:00'`
const numbers = (most: number) =>
  `with recursive c(n) as (select 1 union all select n + 1 from c where n < ${most})`
const rows = `
  insert into posts (id, body, created_at, updated_at)
    ${numbers(12)} select n, '${'x'.repeat(1_000_000)}', ${now}, ${now} from c;
  insert into comments (text, post_id, created_at, updated_at) ${numbers(12)} select 'c', n, ${now}, ${now} from c`

/** 12 MB each. */
const large = {
  lists: '/api/svc/posts?perPage=12',
  includes: '/api/svc/comments?perPage=12&include=post',
  GraphQL: `/graphql?query=${encodeURIComponent('{ postList(first: 12) { id body } }')}`,
}

describe.each(databases)('a server with 512 MB on %s', (database) => {
  let folder: string
  let url: string
  let server: ServerProcess

  beforeAll(async () => {
    folder = await deployed(database, manifest)
    for (const name of ['Post', 'Comment']) {
      change(join(folder, `app/Policies/${name}Policy.ts`), /\(\) => false/, '() => true')
    }
    url = database === 'sqlite' ? `file:${join(folder, 'memory.sqlite')}` : await freshDatabase()
  }, 120_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  async function start(): Promise<void> {
    const isFirst = server === undefined
    server = await startServer(folder, {
      DATABASE_URL: url,
      TRUSTED_PROXIES: '1',
      NODE_OPTIONS: '--max-old-space-size=384',
    })
    if (isFirst) await query(database, url, rows)
  }

  const get = async (path: string, address: string) => {
    try {
      const answer = await fetch(`${server.url}${path}`, {
        headers: { 'x-forwarded-for': address },
      })
      const text = await answer.text()
      const bytes = text.length
      // GraphQL says so field by field where the database has no connection left.
      if (text.includes('SERVICE_UNAVAILABLE')) return { status: 503, bytes, after: '1' }
      return { status: answer.status, bytes, after: answer.headers.get('retry-after') }
    } catch (error) {
      return { status: 0, bytes: 0, after: String(error) }
    }
  }

  /** Sends a request so often, and reads nothing. */
  function flood(path: string, times: number, address: string): Socket {
    const { hostname, port } = new URL(server.url)
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {}) // it may be cut off
    socket.pause()
    const request = `GET ${path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${address}\r\n\r\n`
    socket.write(request.repeat(times))
    return socket
  }

  /** Checks that other clients are served meanwhile. */
  async function expectOthersServed(times: number): Promise<void> {
    for (let n = 0; n < times; n += 1) {
      const asked = [get('/health', '10.0.0.9'), get('/api/svc/notes?perPage=5', '10.0.0.9')]
      expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 200])
    }
  }

  test.each(Object.entries(large))(
    'outlives two clients that read none of 600 %s',
    async (_, path) => {
      await start()
      const sockets = ['10.0.0.1', '10.0.0.2'].map((address) => flood(path, 600, address))
      await expectOthersServed(50)
      expect(mostMemory(server)).toBeLessThan(512)
      for (const socket of sockets) socket.destroy()
      await expectOthersServed(10)
      expect((await get(path, '10.0.0.1')).bytes).toBeGreaterThan(12_000_000)
      await end(server)
    },
  )

  test.each(Object.entries(large))(
    'answers forty %s of one client at once, or says when to come again',
    async (_, path) => {
      await start()
      for (let round = 0; round < 2; round += 1) {
        const asked = Array.from({ length: 40 }, () => get(path, '10.0.0.1'))
        await expectOthersServed(20)
        const answers = await Promise.all(asked)
        for (const { status, bytes, after } of answers) {
          if (status === 200) expect(bytes).toBeGreaterThan(12_000_000)
          else expect([status, after]).toEqual([503, '1'])
        }
      }
      expect(mostMemory(server)).toBeLessThan(512)
      await end(server)
    },
  )
})

/** The most megabytes that the process ever had. */
const mostMemory = ({ child }: ServerProcess): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024

async function end({ child, exited }: ServerProcess): Promise<void> {
  child.kill('SIGTERM')
  expect(await exited).toBe(0)
}
