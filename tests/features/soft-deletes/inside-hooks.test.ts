/** `hooks: 'inside'` with `softDeletes`: a balance is right whatever becomes of its entries. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openManifest } from '../../support/own-manifest.js'
import { databases, load, type Project } from '../../support/project.js'
import { typeCheck } from '../../support/type-check.js'

const manifest = {
  manifest: 'tests/features/soft-deletes/manifests/inside-hooks.ts',
  files: {
    'app/Hooks/EntryHooks.ts': `import type { EntryModel, InsideHooksFor } from '#app/Models.js'

type Context = Parameters<NonNullable<InsideHooksFor<EntryModel>['insideStore']>>[0]

export const ran: string[] = []

async function add({ db }: Context, account: number, amount: number, hook: string): Promise<void> {
  ran.push(hook)
  await db
    .updateTable('accounts')
    .set((to) => ({ balance: to('balance', '+', amount) }))
    .where('id', '=', account)
    .execute()
  if (Math.abs(amount) === 13) throw new Error('An entry of 13 stays as it is.')
}

export const EntryHooks: InsideHooksFor<EntryModel> = {
  insideStore: (context, entry) => add(context, entry.account_id, entry.amount, 'insideStore'),
  insideDelete: (context, entry) => add(context, entry.account_id, -entry.amount, 'insideDelete'),
  insideRestore: (context, entry) => add(context, entry.account_id, entry.amount, 'insideRestore'),
  insideForceDelete: (context, entry) =>
    add(context, entry.account_id, entry.amount === 13 ? 13 : 0, \`insideForceDelete \${entry.deleted_at === null}\`),
}
`,
  },
}

const now = '2024-01-01T00:00:00.000Z'
const api = '/api/svc/entries'

describe.each(databases)('hooks inside around the trash on %s', (name) => {
  let project: Project
  let ann = 0
  let ran: string[] = []
  beforeAll(async () => {
    project = await openManifest(manifest, name)
    ann = await project.user('Ann')
    ;({ ran } = await load(project.folder, 'app/Hooks/EntryHooks.ts'))
  })
  afterAll(() => project.close())
  beforeEach(async () => {
    for (const table of ['entries', 'accounts']) await run(`delete from ${table}`)
    await project.insert('accounts', { id: 1, balance: 0 })
    ran.length = 0
  })

  const run = (sql: string) => project.database.query({ sql, access: 'write' }, [])
  const balance = async () => (await run('select balance from accounts')).flat()[0]
  const entry = async (amount: number) => {
    const { body } = await project.post(api, { amount, account_id: '1' }, ann)
    return `${api}/${body.data.id}`
  }

  it('keep a balance through the trash and back, and for good', async () => {
    const path = await entry(5)
    await project.delete(path, ann)
    expect([ran, await balance()]).toEqual([['insideStore', 'insideDelete'], 0])
    const restored = await project.post(`${path}/restore`, {}, ann)
    expect([restored.status, ran.at(-1), await balance()]).toEqual([200, 'insideRestore', 5])
    await project.delete(path, ann)
    ran.length = 0
    const removed = await project.delete(`${path}/force`, ann)
    expect([removed.status, ran, await balance()]).toEqual([204, ['insideForceDelete false'], 0])
  })

  it('keep a balance when a record that is not in the trash is deleted for good', async () => {
    const path = await entry(5)
    ran.length = 0
    expect((await project.delete(`${path}/force`, ann)).status).toBe(204)
    expect(ran).toEqual(['insideDelete', 'insideForceDelete true'])
    expect(await balance()).toBe(0)
  })

  it('run through GraphQL, too', async () => {
    const id = (await entry(5)).slice(api.length + 1)
    const send = (field: string) =>
      project.post('/graphql', { query: `mutation { ${field} }` }, ann)
    await send(`deleteEntry(id: ${id})`)
    await send(`restoreEntry(id: ${id}) { id }`)
    expect(await balance()).toBe(5)
    await send(`forceDeleteEntry(id: ${id})`)
    expect(await balance()).toBe(0)
  })

  it('roll back a restore, and a deletion for good, that they refuse', async () => {
    await project.insert('entries', { id: 13, amount: 13, account_id: 1, deleted_at: now })
    expect((await project.post(`${api}/13/restore`, {}, ann)).status).toBe(500)
    expect((await project.delete(`${api}/13/force`, ann)).status).toBe(500)
    const left = await run('select id from entries where deleted_at is not null')
    expect([await balance(), left.flat().map(Number)]).toEqual([0, [13]])
  })

  if (name === 'sqlite') {
    it('have types', () => expect(typeCheck(project.folder)).toBe(''))
  }
})
