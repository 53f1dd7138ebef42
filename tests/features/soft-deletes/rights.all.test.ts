/** `meta` of records that a request finds in the trash: each flag is what the request gets. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Parameter, Statement } from '../../../runtime/database/types.js'
import { openManifest } from '../../support/own-manifest.js'
import { databases, type Answer, type Project } from '../../support/project.js'

/** Who may do what is in the title, by letters. */
const says = (letter: string) =>
  `(user) => ({ title: { contains: '${letter}' }, owner_id: user?.id })`

const manifest = {
  manifest: 'tests/features/soft-deletes/manifests/rights.ts',
  policies: {
    Post: {
      update: says('u'),
      updateTo: '() => true',
      delete: says('d'),
      restore: says('r'),
      forceDelete: says('f'),
    },
  },
}

const api = '/api/svc/posts'

/** Every combination of four rights. */
const titles = Array.from({ length: 16 }, (_, bits) =>
  ['u', 'd', 'r', 'f'].filter((__, at) => (bits >> at) % 2 === 1).join(''),
)

interface Listed {
  readonly id: string
  readonly attributes: { readonly title: string; readonly deleted_at?: string | null }
  readonly meta: Record<string, boolean>
}

describe.each(databases)('rights of records in the trash on %s', (name) => {
  let project: Project
  let [ann, bob] = [0, 0]
  beforeAll(async () => {
    project = await openManifest(manifest, name)
    ann = await project.user('Ann')
    bob = await project.user('Bob')
  })
  afterAll(() => project.close())

  const run = (sql: string) => project.database.query({ sql, access: 'write' }, [])

  async function fill(): Promise<void> {
    await run('delete from posts')
    const now = new Date().toISOString()
    for (const [at, title] of titles.entries()) {
      const row = { title: `-${title}`, owner_id: ann }
      await project.insert('posts', { id: 100 + at, ...row, deleted_at: null })
      await project.insert('posts', { id: 200 + at, ...row, deleted_at: now })
    }
  }

  const listed = async (query: string, as = ann): Promise<Listed[]> =>
    (await project.get(`${api}?perPage=100&sort=id&${query}`, as)).body.data

  const done = ({ status }: Answer) => status < 300
  const rest = (id: string, as: number): Record<string, () => Promise<boolean>> => ({
    authorizedToUpdate: async () => done(await project.patch(`${api}/${id}`, {}, as)),
    authorizedToRestore: async () => done(await project.post(`${api}/${id}/restore`, {}, as)),
    authorizedToDelete: async () => done(await project.delete(`${api}/${id}`, as)),
    authorizedToForceDelete: async () => done(await project.delete(`${api}/${id}/force`, as)),
  })
  const graphql = (id: string, as: number): Record<string, () => Promise<boolean>> => {
    const sent = async (query: string) => {
      const { body } = await project.post('/graphql', { query: `mutation { ${query} }` }, as)
      return body.errors === undefined
    }
    return {
      authorizedToUpdate: () => sent(`updatePost(id: ${id}, input: {}) { id }`),
      authorizedToRestore: () => sent(`restorePost(id: ${id}) { id }`),
      authorizedToDelete: () => sent(`deletePost(id: ${id})`),
      authorizedToForceDelete: () => sent(`forceDeletePost(id: ${id})`),
    }
  }

  it.each([
    ['REST', rest],
    ['GraphQL', graphql],
  ] as const)('are what a request of %s gets, each one by itself', async (_, doing) => {
    for (const query of ['trashed=only', 'trashed=with', '']) {
      for (const as of [ann, bob]) {
        await fill()
        const found = await listed(query, as)
        // Nobody sees what they may neither restore nor delete for good.
        const isBobs = as === bob
        const counts = { 'trashed=only': isBobs ? 0 : 12, 'trashed=with': isBobs ? 16 : 28 }
        expect([query, found.length]).toEqual([query, counts[query as keyof typeof counts] ?? 16])
        for (const { id, attributes, meta } of found) {
          for (const [flag, request] of Object.entries(doing(id, as))) {
            expect([query, attributes, flag, meta[flag]]).toEqual([
              query,
              attributes,
              flag,
              await request(),
            ])
            const then = Number(id) < 200 ? 'null' : 'created_at'
            await run(`update posts set deleted_at = ${then} where id = ${id}`)
            const [row] = await run(`select count(*) from posts where id = ${id}`)
            const gone = { title: attributes.title, owner_id: ann, id: Number(id) }
            if (Number(row?.[0]) === 0) await project.insert('posts', gone)
            await run(`update posts set deleted_at = ${then} where id = ${id}`)
          }
        }
      }
    }
  })

  it('are the same of the record alone, which the request that asks so shows', async () => {
    await fill()
    for (const each of await listed('trashed=only')) {
      const one = await project.get(`${api}/${each.id}?trashed=only`, ann)
      expect(one.body.data.meta).toEqual(each.meta)
      expect(each.meta['authorizedToShow']).toBe(true)
      expect([each.meta['authorizedToUpdate'], each.meta['authorizedToDelete']]).toEqual([
        false,
        false,
      ])
    }
    const [first] = await listed('')
    const plain = await project.get(`${api}/${first?.id}`, ann)
    expect(plain.body.data.meta).toEqual(first?.meta)
  })

  it('cost no statement', async () => {
    await fill()
    const counted = async (query: string) =>
      (await project.get(`${api}?perPage=100&${query}`, ann)).statements.length
    expect(await counted('trashed=only')).toBe(await counted(''))
  })

  /** The record is in the trash while a write runs, and is restored before its answer is made. */
  async function whileInTrash(id: number, request: () => Promise<Answer>): Promise<Answer> {
    const { database } = project
    const query = database.query.bind(database)
    const set = (value: string) =>
      query({ sql: `update posts set deleted_at = ${value} where id = ${id}`, access: 'write' }, [])
    Object.assign(database, {
      query: async (statement: Statement, parameters: readonly Parameter[]) => {
        const isWrite = /^(update|delete)/i.test(statement.sql.trim())
        if (isWrite) await set('created_at')
        const rows = await query(statement, parameters)
        if (isWrite) await set('null')
        return rows
      },
    })
    return request().finally(() => Object.assign(database, { query }))
  }

  it('a write that met the record in the trash is 404, and 403 where the policy denies', async () => {
    const [all, none] = [115, 100]
    for (const id of [all, none]) {
      await fill()
      const path = `${api}/${id}`
      const statuses = [
        (await whileInTrash(id, () => project.patch(path, { title: 'new udrf' }, ann))).status,
        (await whileInTrash(id, () => project.delete(path, ann))).status,
      ]
      expect([id, ...statuses]).toEqual(id === all ? [id, 404, 404] : [id, 403, 403])
    }
  })
})
