/** A client of records that are made with those below them: what compiles, and what it sends. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { blueprintOf } from '../../core/plan/fixture.js'
import { load, openProject, type Project } from '../../support/project.js'
import { clientOf, expectUses, type Mistake } from '../client/check-client.js'
import { served, type Served } from '../client/served.js'

const use = (code: string) => `
import { createApi } from './client/client.js'
import * as orders from './client/orders.js'
import * as users from './client/users.js'
export const api = createApi({ baseUrl: '' })
export const known = [orders, users]
${code}
`

const right = `
export async function make() {
  const plain = await orders.store(api, { reference: 'a' })
  const made = await orders.store(api, {
    reference: 'b',
    lines: [{ product: 'Lamp' }, { product: 'Bulb', quantity: 3 }],
    address: { street: 's', town: 't' },
    labels: [],
  })
  const product: string = made.relationships?.lines?.[0]?.attributes.product ?? plain.id
  const town: string | undefined = made.relationships?.address?.attributes.town
  const changed: orders.Order = await orders.patch(api, made.id, { reference: product })
  return [town, changed]
}`

const mistakes: readonly Mistake[] = [
  [`await orders.store(api, { reference: 'c', lines: [{ quantity: 1 }] })`, /'product' is missing/],
  [
    `await orders.store(api, { reference: 'c', lines: [{ product: 'd', order_id: 1 }] })`,
    /'order_id'/,
  ],
  [
    `await orders.store(api, { reference: 'c', lines: { product: 'd' } })`,
    /'product' does not exist/,
  ],
  [`await orders.patch(api, '1', { lines: [] })`, /'lines' does not exist/],
  [`await orders.replace(api, '1', { reference: 'c', lines: [] })`, /'lines' does not exist/],
]

const clientFiles = async () =>
  clientOf(await blueprintOf('features/nested-create', 'sqlite'), 'client', { zod: true })

const strict = {
  'config/svc.ts': (text: string) => text.replace('strict_bodies: false', 'strict_bodies: true'),
}

describe('a client of records with those below them', () => {
  let project: Project
  let server: Served
  beforeAll(async () => {
    project = await openProject('features/nested-create', 'sqlite', strict)
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

  test('knows what a new record may be sent with', async () => {
    expectUses(await clientFiles(), use, { right, mistakes })
  })

  test('makes them, and says what is wrong with which', async () => {
    const { createApi } = await load(project.folder, 'client/client.ts')
    const orders = await load(project.folder, 'client/orders.ts')
    const token = project.token(await project.user('Ann'))
    const api = createApi({ baseUrl: server.baseUrl, token })
    const { relationships } = await orders.store(api, {
      reference: 'a',
      lines: [{ product: 'Lamp' }, { product: 'Bulb', quantity: 3 }],
      address: { street: 's', town: 't' },
    })
    const quantities = relationships.lines.map(
      ({ attributes }: { attributes: { quantity: number } }) => attributes.quantity,
    )
    expect([quantities, relationships.address.attributes.town]).toEqual([[1, 3], 't'])
    const wrong = orders.store(api, { reference: 'b', lines: [{ product: 'x', quantity: 'y' }] })
    await expect(wrong).rejects.toMatchObject({
      status: 422,
      errors: { 'lines.0.quantity': [expect.any(String)] },
    })
  })

  test('has the rules of the server for all of them', async () => {
    const { orderStoreRules, orderPatchRules } = await load(
      project.folder,
      'client/orders.rules.ts',
    )
    const body = { reference: 'a', lines: [{ product: 'Lamp' }], address: null }
    expect(orderStoreRules.parse(body)).toMatchObject({ lines: [{ product: 'Lamp' }] })
    const said = orderStoreRules.safeParse({
      reference: 'a',
      lines: [{ quantity: 1, order_id: 1 }],
    })
    const paths = said.error.issues.map(({ path }: { path: readonly unknown[] }) => path.join('.'))
    expect(paths).toContain('lines.0.product')
    expect(Object.keys(orderPatchRules.shape)).toEqual(['reference', 'note'])
  })

  test('is told what was meant by a key that nothing reads', async () => {
    const ann = await project.user('Bea')
    const send = async (body: object) => {
      const { status, body: answer } = await project.post('/api/svc/orders', body, ann)
      return [status, answer.errors]
    }
    expect(await send({ reference: 'c', line: [{ product: 'x' }] })).toEqual([
      422,
      { line: [expect.stringContaining("'lines' is")] },
    ])
    expect(await send({ reference: 'c', lines: [{ prodct: 'x' }] })).toEqual([
      422,
      {
        'lines.0.product': ['The product field is required.'],
        'lines.0.prodct': [expect.stringContaining("'product' is")],
      },
    ])
    expect((await send({ reference: 'c', lines: [{ product: 'x' }] }))[0]).toBe(201)
  })
})
