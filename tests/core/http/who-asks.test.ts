/** Clients take turns for reader threads and for memory, and no header says who a client is. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../../runtime/database/caller.js'
import { emitFixture, openFolder, type Project } from '../../support/project.js'

let project: Project
const callers: Caller[] = []
beforeAll(async () => {
  const folder = await emitFixture('blog', 'sqlite')
  const list = 'globalThis as unknown as { callers: { push(caller: object): void } }'
  for (const [name, mounts] of [
    ['api', 'svcAuth(api)'],
    ['graphql', 'svcGraphql(graphql)'],
  ] as const) {
    const path = join(folder, 'routes', `${name}.ts`)
    const noted = `${name}.use((c, next) => {
  c.set('reads', (caller) => (${list}).callers.push(caller))
  return next()
})`
    writeFileSync(path, readFileSync(path, 'utf8').replace(`\n${mounts}`, `\n${noted}\n${mounts}`))
  }
  Object.assign(globalThis, { callers })
  project = await openFolder(folder, 'sqlite')
})
afterAll(async () => {
  Reflect.deleteProperty(globalThis, 'callers')
  await project.close()
})

/** The status, and who asked, for all that a request reads. */
async function asked(authorization: string, address: string, path: string, body?: string) {
  callers.length = 0
  const incoming = { socket: { remoteAddress: address, destroyed: false } }
  const headers = { authorization, 'content-type': 'application/json' }
  const sent = body === undefined ? {} : { method: 'POST', body }
  const request = new Request(`http://localhost${path}`, { headers, ...sent })
  const { status } = await project.fetch(request, { incoming })
  return [status, ...new Set(callers.map((caller) => caller.who()))]
}

test('a user is one, with whichever token, from wherever, and however the header is spelled', async () => {
  const form = { email: 'ada@example.test', password: 'correct horse' }
  const chosen = { ...form, name: 'Ada', password_confirmation: form.password }
  const made = await project.post('/api/register', chosen)
  const again = await project.post('/api/login', form)
  const [first, second] = [made, again].map(({ body }) => body.meta.token)
  expect(first).not.toBe(second)
  const posts = (header: string, address: string) => asked(header, address, '/api/svc/posts')
  const ada = [200, `user ${made.body.id}`]
  expect(await posts(`Bearer ${first}`, '192.0.2.1')).toEqual(ada)
  expect(await posts(`bEARER    ${first}`, '192.0.2.2')).toEqual(ada)
  expect(await posts(`Bearer ${second}`, '192.0.2.1')).toEqual(ada)
  const query = JSON.stringify({ query: '{ postList { id } }' })
  expect(await asked(`BEARER ${second}`, '192.0.2.3', '/graphql', query)).toEqual(ada)
  const bob = await project.user('Bob')
  expect(await posts(`Bearer ${project.token(bob)}`, '192.0.2.1')).toEqual([200, `user ${bob}`])
})
