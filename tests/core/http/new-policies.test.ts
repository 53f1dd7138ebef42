/** `newPolicies` in a manifest: what is open before anybody has edited a policy, asked of the server. */
import { onTestFinished, describe, expect, test } from 'vitest'
import { generateInto } from '../../support/generate.js'
import {
  databases,
  linkModules,
  openFolder,
  type DatabaseName,
  type Project,
} from '../../support/project.js'
import { typeCheck } from '../../support/type-check.js'
import { emptyFolder } from '../cli/project.js'
import { fill } from '../write/folder.js'

const texts = {
  'manifest/users.ts': `import { belongsToMany, boolean, email, password, repository, text } from 'svckit'
export const users = repository({
  fields: { name: text(), email: email().unique(), password: password(), is_admin: boolean().default(false) },
  related: { teams: belongsToMany() },
})
`,
  'manifest/things.ts': `import { belongsTo, belongsToMany, hasMany, repository, text } from 'svckit'
const owner = belongsTo('users', { filledBy: 'user' })
export const teams = repository({ fields: { name: text() }, related: { owner, users: belongsToMany() } })
export const tags = repository({ fields: { name: text() } })
export const posts = repository({
  public: true,
  fields: { title: text() },
  related: { owner, editor: belongsTo('users').nullable(), comments: hasMany(), tags: belongsToMany() },
})
export const comments = repository({
  fields: { body: text() },
  related: { post: belongsTo(), parent: belongsTo('comments').nullable() },
})
export const messages = repository({
  fields: { body: text() },
  related: { sender: belongsTo('users'), receiver: belongsTo('users') },
})
`,
}

const index = (policies: string, name: DatabaseName) => `import { defineManifest } from 'svckit'
import { comments, messages, posts, tags, teams } from './things.js'
import { users } from './users.js'
export default defineManifest({
  database: '${name}',
  openapi: false,
  reads: [],
  newPolicies: '${policies}',
  repositories: { users, teams, tags, posts, comments, messages },
})
`

interface World {
  readonly project: Project
  /** The statuses of a request as Ada, whose rows they are, as Bob, and as a guest. */
  readonly as: (method: 'GET' | 'PATCH' | 'POST', path: string, body?: unknown) => Promise<number[]>
}

async function worldOf(policies: string, name: DatabaseName): Promise<World> {
  process.env['SVC_SKIP_PRISMA_CLIENT'] = '1'
  const folder = emptyFolder()
  fill(folder, { ...texts, 'manifest/index.ts': index(policies, name) })
  await generateInto(folder)
  await linkModules(folder)
  const project = await openFolder(folder, name)
  onTestFinished(() => project.close())
  const ada = await project.user('Ada')
  const bob = await project.user('Bob')
  await project.insert('posts', { title: 'One', owner_id: ada, editor_id: bob })
  await project.insert('comments', { body: 'One', post_id: 1 })
  await project.insert('tags', { name: 'One' })
  await project.insert('teams', { name: 'One', owner_id: ada })
  await project.insert('messages', { body: 'One', sender_id: ada, receiver_id: bob })
  const as: World['as'] = async (method, path, body) => {
    const options = body === undefined ? {} : { body: JSON.stringify(body) }
    const headers = { 'content-type': 'application/json' }
    const statuses = []
    for (const user of [bob, undefined, ada]) {
      statuses.push((await project.request(method, path, { ...options, headers, as: user })).status)
    }
    const [ofBob = 0, ofGuest = 0, ofAda = 0] = statuses
    return [ofAda, ofBob, ofGuest]
  }
  return { project, as }
}

const title = { title: 'Two' }
const body = { body: 'Two' }

describe.each(databases)("newPolicies: 'owner' on %s", (name) => {
  test('opens rows to their owner, through what they belong to as well, and nothing else', async () => {
    const { project, as } = await worldOf('owner', name)
    expect(await as('GET', '/api/svc/posts/1')).toEqual([200, 404, 404])
    expect(await as('PATCH', '/api/svc/posts/1', title)).toEqual([200, 404, 401])
    expect(await as('POST', '/api/svc/posts', title)).toEqual([201, 201, 401])
    expect(await as('GET', '/api/svc/comments/1')).toEqual([200, 404, 401])
    expect(await as('PATCH', '/api/svc/comments/1', body)).toEqual([200, 404, 401])
    const comment = { body: 'Mine?', post_id: 1 }
    expect(await as('POST', '/api/svc/comments', comment)).toEqual([201, 422, 401])
    // Of two people, none is the owner; and tags have none at all.
    expect(await as('GET', '/api/svc/messages/1')).toEqual([404, 404, 401])
    expect(await as('GET', '/api/svc/tags/1')).toEqual([404, 404, 401])
    expect(await as('GET', '/api/svc/users/1')).toEqual([200, 404, 401])
    expect(await as('PATCH', '/api/svc/users/2', { name: 'Eve' })).toEqual([404, 200, 401])
    // Nobody makes himself a member.
    expect(await as('POST', '/api/svc/teams/1/attach/users', { users: [1] })).toEqual([
      403, 404, 401,
    ])
    expect(typeCheck(project.folder)).toBe('')
  })
})

test("newPolicies: 'signed-in' opens everything to everyone who is signed in, but not other people", async () => {
  const { as } = await worldOf('signed-in', 'sqlite')
  expect(await as('PATCH', '/api/svc/posts/1', title)).toEqual([200, 200, 401])
  expect(await as('PATCH', '/api/svc/messages/1', body)).toEqual([200, 200, 401])
  expect(await as('POST', '/api/svc/posts/1/attach/tags', { tags: [1] })).toEqual([201, 201, 401])
  expect(await as('GET', '/api/svc/users/2')).toEqual([200, 200, 401])
  expect(await as('PATCH', '/api/svc/users/2', { name: 'Eve' })).toEqual([403, 200, 401])
  expect(await as('POST', '/api/svc/users', { name: 'Eve' })).toEqual([403, 403, 401])
  expect(await as('POST', '/api/svc/teams/1/attach/users', { users: [2] })).toEqual([403, 403, 401])
})

test("newPolicies: 'public-read' opens reading to all, guests where the manifest says public, and e-mails to none", async () => {
  const { as } = await worldOf('public-read', 'sqlite')
  expect(await as('GET', '/api/svc/posts/1')).toEqual([200, 200, 200])
  expect(await as('GET', '/api/svc/tags/1')).toEqual([200, 200, 401])
  expect(await as('PATCH', '/api/svc/posts/1', title)).toEqual([200, 403, 401])
  expect(await as('PATCH', '/api/svc/tags/1', { name: 'Two' })).toEqual([403, 403, 401])
  expect(await as('GET', '/api/svc/users/1')).toEqual([200, 404, 401])
})

test("newPolicies: 'public-read' opens reading to all where there are no users", async () => {
  const folder = emptyFolder()
  fill(folder, {
    'manifest/index.ts': `import { belongsToMany, defineManifest, repository, text } from 'svckit'
const tags = repository({ fields: { name: text() } })
const notes = repository({ fields: { body: text() }, related: { tags: belongsToMany() } })
export default defineManifest({ database: 'sqlite', openapi: false, reads: [], newPolicies: 'public-read', repositories: { notes, tags } })
`,
  })
  await generateInto(folder)
  await linkModules(folder)
  const project = await openFolder(folder, 'sqlite')
  onTestFinished(() => project.close())
  await project.insert('notes', { body: 'One' })
  await project.insert('tags', { name: 'One' })
  const statuses = async (...all: Promise<{ status: number }>[]) =>
    (await Promise.all(all)).map(({ status }) => status)
  expect(await statuses(project.get('/api/svc/notes/1'), project.get('/api/svc/tags'))).toEqual([
    200, 200,
  ])
  const writes = [
    project.post('/api/svc/notes', body),
    project.patch('/api/svc/notes/1', body),
    project.delete('/api/svc/notes/1'),
    project.post('/api/svc/notes/1/attach/tags', { tags: [1] }),
  ]
  expect(await statuses(...writes)).toEqual([401, 401, 401, 401])
  expect(typeCheck(folder)).toBe('')
})
