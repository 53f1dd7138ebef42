/** A client that asks of records together: what compiles, and what it sends. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { blueprintOf } from '../../core/plan/fixture.js'
import { load, openProject } from '../../support/project.js'
import { checkClient, clientOf } from '../client/check-client.js'

const clientFiles = async () =>
  clientOf(await blueprintOf('features/aggregates', 'sqlite'), 'client')

test('groups have what was asked of them', async () => {
  const uses = `
import { createApi } from './client/client.js'
import * as orders from './client/orders.js'
import * as users from './client/users.js'
const api = createApi({ baseUrl: '' })
const { data, meta } = await orders.aggregate(api, {
  groupBy: ['status', 'created_at:month', 'category.name'],
  select: ['count', 'sum(total)', 'avg(quantity)', 'countDistinct(user_id)'],
  ...{ tz: 'Europe/Rome', sort: ['-count', 'created_at:month'], match: { status: 'open' }, search: 'x', trashed: 'with', signal: AbortSignal.timeout(9) },
})
const [first] = data
export const status: 'open' | 'paid' | null | undefined = first?.group.status
export const month: string | null | undefined = first?.group.created_at
export const category: string | null | undefined = first?.group['category.name']
export const numbers: (number | null | undefined)[] = [first?.count, first?.avg.quantity, first?.countDistinct.user_id, meta.total]
export const sum: string | null | undefined = first?.sum.total
// @ts-expect-error: it was not asked for
export const bytes = first?.sum.bytes
// @ts-expect-error: nothing of it was asked for
export const least = first?.min
// @ts-expect-error: it does not group
export const id = first?.group.category_id
const [whole] = (await orders.aggregate(api)).data
export const count: number | undefined = whole?.count
// @ts-expect-error: no such group
await orders.aggregate(api, { groupBy: ['statsu'] })
// @ts-expect-error: a choice has no months
await orders.aggregate(api, { groupBy: ['status:month'] })
// @ts-expect-error: nobody adds up ids
await orders.aggregate(api, { select: ['sum(user_id)'] })
// @ts-expect-error: it is neither a group nor selected
await orders.aggregate(api, { groupBy: ['status'], sort: ['total'] })
// @ts-expect-error: users are not asked together
users.aggregate
`
  const files = [...(await clientFiles()), { path: 'uses.ts', content: uses }]
  expect(checkClient(files)).toBe('')
})

test('groups come from the server', async () => {
  const open = (text: string) =>
    text.replace('defineManifest({', "defineManifest({\n  newPolicies: 'owner',")
  const edits = { 'manifest/index.ts': open }
  const project = await openProject('features/aggregates', 'sqlite', edits)
  onTestFinished(() => project.close())
  for (const { path, content } of await clientFiles()) {
    mkdirSync(dirname(join(project.folder, path)), { recursive: true })
    writeFileSync(join(project.folder, path), content)
  }
  const user_id = await project.user('Ann')
  const order = { user_id, status: 'paid', quantity: 1, note: 'n' }
  await project.insert('orders', {
    ...order,
    total: '0.10',
    created_at: '2026-03-28T23:00:00.000Z',
  })
  await project.insert('orders', {
    ...order,
    total: '0.20',
    created_at: '2026-03-28T22:59:59.999Z',
  })
  const { createApi } = await load(project.folder, 'client/client.ts')
  const orders = await load(project.folder, 'client/orders.ts')
  const fetch = (url: string, init: RequestInit) => project.fetch(new Request(url, init))
  const api = createApi({ baseUrl: 'http://localhost', token: project.token(user_id), fetch })
  const { data, meta } = await orders.aggregate(api, {
    groupBy: ['status', 'created_at:day'],
    select: ['count', 'sum(total)'],
    ...{ tz: 'Europe/Rome', sort: ['-created_at:day'], match: { status: 'paid' } },
  })
  expect([data, meta.total]).toEqual([
    [
      { group: { status: 'paid', created_at: '2026-03-29' }, count: 1, sum: { total: '0.10' } },
      { group: { status: 'paid', created_at: '2026-03-28' }, count: 1, sum: { total: '0.20' } },
    ],
    2,
  ])
  expect((await orders.aggregate(api)).data).toEqual([{ group: {}, count: 2 }])
  await expect(orders.aggregate(api, { select: ['sum(user_id)'] })).rejects.toMatchObject({
    status: 400,
  })
})
