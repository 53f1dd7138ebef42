/** A client of a server that takes keys: what compiles, and what it sends again. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { blueprintOf } from '../../core/plan/fixture.js'
import { load, openProject, type Project } from '../../support/project.js'
import { clientOf, expectUses, type Mistake } from '../client/check-client.js'
import { served, type Served } from '../client/served.js'

const use = (code: string) => `
import * as auth from './client/auth.js'
import { createApi } from './client/client.js'
import * as orders from './client/orders.js'
export const api = createApi({ baseUrl: '' })
export const known = [auth, orders]
${code}
`

const right = `
export async function write(idempotencyKey: string) {
  const { id, meta } = await orders.store(api, { title: 'a' }, { idempotencyKey })
  await orders.patch(api, id, { title: 'a' }, { version: meta.version, idempotencyKey })
  await orders.storeLine(api, id, { title: 'l' }, { idempotencyKey })
  await orders.attachTags(api, id, { tags: ['1'] }, { idempotencyKey })
  await orders.delete(api, id, { idempotencyKey })
}`

const mistakes: readonly Mistake[] = [
  `await orders.show(api, '1', { idempotencyKey: 'a' })`,
  `await auth.login(api, { email: 'a', password: 'b' }, { idempotencyKey: 'a' })`,
].map((code) => [code, /'idempotencyKey' does not exist/])

const clientFiles = async () =>
  clientOf(await blueprintOf('features/idempotency', 'sqlite'), 'client')

describe('a client of a server that takes keys', () => {
  let project: Project
  let server: Served
  let token: string
  beforeAll(async () => {
    project = await openProject('features/idempotency', 'sqlite')
    server = await served((request) => project.fetch(request))
    token = project.token(await project.user('Ann'))
    for (const { path, content } of await clientFiles()) {
      mkdirSync(dirname(join(project.folder, path)), { recursive: true })
      writeFileSync(join(project.folder, path), content)
    }
  })
  afterAll(async () => {
    await server.close()
    await project.close()
  })

  test('gives one to what writes, and to nothing else', async () => {
    expectUses(await clientFiles(), use, { right, mistakes })
  })

  /** A client whose requests arrive, and whose first answers are lost. */
  const losing = async (lost: number, answer?: () => Response) => {
    const { createApi } = await load(project.folder, 'client/client.ts')
    const sent: Request[] = []
    const send: typeof fetch = async (input, init) => {
      const request = new Request(input, init)
      sent.push(request.clone())
      const answered = await fetch(request)
      if (sent.length > lost) return answered
      if (answer !== undefined) return answer()
      throw new TypeError('fetch failed')
    }
    return { api: createApi({ baseUrl: server.baseUrl, token, fetch: send }), sent }
  }
  const count = async () =>
    Number(
      (
        await project.database.query({ sql: 'select count(*) from orders', access: 'read' }, [])
      )[0]?.[0],
    )

  test('sends again what had no answer, and the order is there once', async () => {
    const orders = await load(project.folder, 'client/orders.ts')
    const { api, sent } = await losing(1)
    const { id } = await orders.store(api, { title: 'once' }, { idempotencyKey: 'lost' })
    expect(sent.map(({ headers }) => headers.get('idempotency-key'))).toEqual(['lost', 'lost'])
    expect([await count(), id]).toEqual([1, '1'])
  })

  test('sends again what is still running, and what no key makes safe not', async () => {
    const orders = await load(project.folder, 'client/orders.ts')
    const before = await count()
    const running = () => new Response('{}', { status: 409, headers: { 'retry-after': '0' } })
    const keyed = await losing(2, running)
    await orders.store(keyed.api, { title: 'b' }, { idempotencyKey: 'b' })
    expect(keyed.sent).toHaveLength(3)
    expect(await count()).toBe(before + 1)
    const plain = await losing(1)
    await expect(orders.store(plain.api, { title: 'c' })).rejects.toThrow('fetch failed')
    expect(plain.sent).toHaveLength(1)
    const tooOften = await losing(9)
    tooOften.api.retries = 0
    await expect(
      orders.store(tooOften.api, { title: 'd' }, { idempotencyKey: 'd' }),
    ).rejects.toThrow('fetch failed')
  })
})
