/** Limits of a statement on PostgreSQL, and its end when the client leaves. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { createAdaptorServer } from '@hono/node-server'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PostgresDatabase } from '../../../runtime/database/postgres/open.js'
import { ask, codes } from '../../features/graphql/ask.js'
import { load, databases, openProject, type Project } from '../../support/project.js'

describe.runIf(databases.includes('postgresql')).each([400, 0])(
  'with a limit of %i ms on PostgreSQL',
  (limit) => {
    let blog: Project
    let ann: number
    /** Holds a table, so that whoever reads it waits. */
    let holder: pg.Client

    beforeAll(async () => {
      blog = await openProject('blog', 'postgresql', {
        'config/svc.ts': (text) => text.replace('statement_ms: 10_000', `statement_ms: ${limit}`),
      })
      ann = await blog.user('Ann')
      holder = new pg.Client({ connectionString: process.env['DATABASE_URL'] })
      await holder.connect()
    })
    afterAll(async () => {
      await holder.end()
      await blog.close()
    })

    async function holding(table: string, work: () => Promise<void>): Promise<void> {
      await holder.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`)
      await work().finally(() => holder.query('ROLLBACK'))
    }

    if (limit > 0) {
      it('a statement is ended: 503, and 400 where a search or a filter is to blame', async () => {
        await holding('posts', async () => {
          for (const query of ['', '?colour=red']) {
            const { status, headers } = await blog.get(`/api/svc/posts${query}`, ann)
            expect([status, headers.get('retry-after')]).toEqual([503, '1'])
          }
          for (const name of ['search', 'title']) {
            const { status, body } = await blog.get(`/api/svc/posts?${name}=x`, ann)
            const text = `The ${name} parameter takes too long to answer (limits.statement_ms): ask for less.`
            expect([status, body]).toEqual([400, { message: text, errors: { [name]: [text] } }])
          }
          const fields = '{ postList(search: "x") { id } postListTotal }'
          const answer = await ask(blog, fields, { as: ann })
          expect(codes(answer).toSorted()).toEqual(['BAD_USER_INPUT', 'SERVICE_UNAVAILABLE'])
        })
        expect((await blog.get('/api/svc/posts', ann)).status).toBe(200)
      })

      it('a migration takes as long as it takes', async () => {
        const database = blog.database as PostgresDatabase
        const sql = 'SHOW statement_timeout'
        expect(await database.migrating((session) => session.query(sql))).toEqual([['0']])
        expect(await database.query({ sql, access: 'read' }, [])).toEqual([[`${limit}ms`]])
      })
      return
    }

    it('clients that leave take their statements along, and give up waiting for a connection', async () => {
      const { createApp } = await load(blog.folder, 'app/app.ts')
      const server = createAdaptorServer({ fetch: createApp().fetch }).listen(0, '127.0.0.1')
      await once(server, 'listening')
      const { port } = server.address() as AddressInfo
      const headers = { authorization: `Bearer ${blog.token(ann)}` }
      const his = { authorization: `Bearer ${blog.token(await blog.user('Bob'))}` }
      const get = (path: string, signal?: AbortSignal) =>
        fetch(`http://127.0.0.1:${port}${path}`, { headers, ...(signal && { signal }) })
      const pool = (blog.database as PostgresDatabase).pool
      const waiting = async () => {
        const { rows } = await holder.query(
          `SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'posts'::regclass AND database =
            (SELECT oid FROM pg_database WHERE datname = current_database())`,
        )
        return rows.length
      }
      await holding('posts', async () => {
        const leaving = new AbortController()
        const paths = ['/api/svc/posts?search=x', '/graphql?query={postListTotal}']
        const left = Array.from({ length: 40 }, (_, n) =>
          get(paths[n % 2] ?? '', leaving.signal).catch((error: Error) => error.name),
        )
        // All connections but one wait for the table, and the others for a connection.
        while ((await waiting()) < 9 || pool.waitingCount === 0) await turn()
        // That one serves everybody else.
        expect(
          (await fetch(`http://127.0.0.1:${port}/api/svc/tags`, { headers: his })).status,
        ).toBe(200)
        leaving.abort()
        expect(new Set(await Promise.all(left))).toEqual(new Set(['AbortError']))
        expect((await get('/api/svc/tags')).status).toBe(200)
        while ((await waiting()) > 0 || pool.waitingCount > 0) await turn()
      })
      expect((await get('/api/svc/posts')).status).toBe(200)
      server.close()
    })
  },
)
