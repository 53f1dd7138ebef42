/** A client of a server whose writes can be tried, or be bounded: what compiles, and what it sends. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { blueprintOf } from '../../core/plan/fixture.js'
import { load, openProject, type Project } from '../../support/project.js'
import { checkClient, clientOf, expectUses, type Mistake } from '../client/check-client.js'
import { served, type Served } from '../client/served.js'

const use = (code: string) => `
import * as auth from './client/auth.js'
import { createApi, dryRun } from './client/client.js'
import * as orders from './client/orders.js'
import * as tags from './client/tags.js'
export const api = createApi({ baseUrl: '' })
export const known = [auth, dryRun, orders, tags]
${code}
`

const right = `
export async function write() {
  const { data, affected } = await dryRun(api, (trial) => orders.store(trial, { title: 'a' }))
  const title: string = data.attributes.title
  const rows: number | undefined = affected?.['orders']
  await dryRun(api, (trial) => orders.delete(trial, data.id, { maxAffected: rows }))
  await orders.attachTags(api, data.id, { tags: ['1'] }, { maxAffected: 2 })
  await tags.storeMany(api, [{ name: title }], { maxAffected: 1 })
}`

const mistakes: readonly Mistake[] = [
  [`await orders.show(api, '1', { maxAffected: 1 })`, /'maxAffected' does not exist/],
  [
    `await auth.login(api, { email: 'a', password: 'b' }, { maxAffected: 1 })`,
    /'maxAffected' does not exist/,
  ],
  [
    `(await dryRun(api, (trial) => orders.store(trial, { title: 'a' }))).data.attributes.titel`,
    /'titel' does not exist/,
  ],
]

const clientFiles = async () => clientOf(await blueprintOf('features/dry-run', 'sqlite'), 'client')

describe('a client of a server whose writes can be tried', () => {
  let project: Project
  let server: Served
  beforeAll(async () => {
    project = await openProject('features/dry-run', 'sqlite')
    server = await served((request) => project.fetch(request))
    for (const { path, content } of await clientFiles()) {
      mkdirSync(dirname(join(project.folder, path)), { recursive: true })
      writeFileSync(join(project.folder, path), content)
    }
  })
  afterAll(async () => {
    await server.close()
    await project.close()
  })

  test('tries what writes, and bounds it, and nothing else', async () => {
    const files = await clientFiles()
    expectUses(files, use, { right, mistakes })
    expect(checkClient([...files, { path: 'use.ts', content: use(right) }], 'node')).toBe('')
  })

  test('is answered what would be written, or what the write would throw', async () => {
    const { createApi, dryRun } = await load(project.folder, 'client/client.ts')
    const orders = await load(project.folder, 'client/orders.ts')
    const api = createApi({
      baseUrl: server.baseUrl,
      token: project.token(await project.user('Ann')),
    })
    const tried = await dryRun(api, (trial: unknown) => orders.store(trial, { title: 'a' }))
    expect([tried.data.attributes.title, tried.affected]).toEqual(['a', { orders: 1 }])
    expect((await orders.index(api)).data).toEqual([])
    const { id } = await orders.store(api, { title: 'b' })
    await orders.storeLine(api, id, { title: 'l' })
    const gone = await dryRun(api, (trial: unknown) => orders.destroy(trial, id))
    expect(gone.affected).toEqual({ lines: 1, orders: 1 })
    await expect(orders.destroy(api, id, { maxAffected: 1 })).rejects.toMatchObject({
      status: 409,
      errors: { 'max-affected': ['2: lines 1, orders 1.'] },
    })
    await expect(dryRun(api, (trial: unknown) => orders.show(trial, id))).rejects.toThrow(
      'nothing was written',
    )
    await expect(
      dryRun(api, (trial: unknown) => orders.patch(trial, '9', { title: 'x' })),
    ).rejects.toMatchObject({ status: 404 })
    await orders.destroy(api, id, { maxAffected: 2 })
    expect((await orders.index(api)).data).toEqual([])
  })
})
