/** A client of lists that are files, too. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { blueprintOf } from '../../core/plan/fixture.js'
import { load, openProject, type Project } from '../../support/project.js'
import { checkClient, clientOf } from '../client/check-client.js'
import { served, type Served } from '../client/served.js'

const clientFiles = async () =>
  clientOf(await blueprintOf('features/csv-export', 'sqlite'), 'client', {})

const uses = `
import { createApi } from './client/client.js'
import * as categories from './client/categories.js'
import * as products from './client/products.js'
import * as users from './client/users.js'
const api = createApi({ baseUrl: '' })
const found = { match: { is_listed: true }, sort: ['-price'], include: ['seller'] } as const
export const file: Blob = await products.exportCsv(api, { ...found, fields: ['name'] })
await categories.exportCsv(api)
await products.exportCsv(api, { where: { any: [{ name: 'Lamp' }, { not: { is_listed: true } }] }, sort: ['-price'] })
// @ts-expect-error: they have no such column
await products.exportCsv(api, { where: { nmae: 'Lamp' } })
// @ts-expect-error: these take no tree
await categories.exportCsv(api, { where: {} })
// @ts-expect-error: an export has no pages
await products.exportCsv(api, { page: 2 })
// @ts-expect-error: their lists are JSON alone
await users.exportCsv(api)
`

let project: Project
let server: Served
beforeAll(async () => {
  project = await openProject('features/csv-export', 'sqlite')
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

test('has a function for those alone', async () => {
  const files = [...(await clientFiles()), { path: 'uses.ts', content: uses }]
  expect(checkClient(files)).toBe('')
})

test('gets the file, or the error of the server', async () => {
  const { createApi } = await load(project.folder, 'client/client.ts')
  const categories = await load(project.folder, 'client/categories.ts')
  const token = project.token(await project.user('Ann'))
  await project.insert('categories', { name: 'Lamps', shelf: 'a' })
  const api = createApi({ baseUrl: server.baseUrl, token })
  const file = await categories.exportCsv(api)
  expect(await file.text()).toMatch(/^id,name,shelf,created_at,updated_at\r\n1,Lamps,a,/)
  const products = await load(project.folder, 'client/products.ts')
  for (const name of ['Lamp', 'Chair', 'Sofa']) {
    await products.store(api, { name, price: '1.00', is_listed: name !== 'Sofa' })
  }
  const found = await products.exportCsv(api, {
    where: { any: [{ name: 'Lamp' }, { not: { is_listed: true } }] },
    match: { name: 'a' },
    fields: ['name'],
    sort: ['-name'],
  })
  expect(await found.text()).toBe('id,name\r\n3,Sofa\r\n1,Lamp\r\n')
  const wrong = products.exportCsv(api, { where: { nmae: 'Lamp' } })
  await expect(wrong).rejects.toMatchObject({ name: 'SvcError', status: 400 })
  const guest = categories.exportCsv(createApi({ baseUrl: server.baseUrl }))
  await expect(guest).rejects.toMatchObject({ name: 'SvcError', status: 401 })
})
