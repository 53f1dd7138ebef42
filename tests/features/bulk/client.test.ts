/** A client of repositories that take many records at once: what compiles, and what it sends. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { blueprintOf } from '../../core/plan/fixture.js'
import { load, openProject, type Project } from '../../support/project.js'
import { clientOf, expectUses, type Mistake } from '../client/check-client.js'
import { served, type Served } from '../client/served.js'

const use = (code: string) => `
import { createApi } from './client/client.js'
import * as comments from './client/comments.js'
import * as posts from './client/posts.js'
import * as tags from './client/tags.js'
export const api = createApi({ baseUrl: '' })
export const known = [comments, posts, tags]
${code}
`

const right = `
export async function change() {
  const [first] = await posts.storeMany(api, [{ title: 'a', slug: 'a' }, { title: 'b', slug: 'b' }])
  const version: number = first?.meta.version ?? 1
  const changed = await posts.patchMany(api, [{ id: 1, title: 'c' }, { id: '2', place: null, version }])
  const title: string = changed[0]?.attributes.title ?? ''
  await posts.deleteMany(api, ['1', 2, { id: 3, version: 1 }])
  await comments.patchMany(api, [{ id: 1, version: 1, body: title }])
  await comments.deleteMany(api, [{ id: 1, version: 1 }])
}`

const mistakes: readonly Mistake[] = [
  [`await posts.patchMany(api, [{ title: 'c' }])`, /'id' is missing/],
  [`await posts.storeMany(api, [{ title: 'c' }])`, /'slug' is missing/],
  [`await comments.patchMany(api, [{ id: 1, body: 'c' }])`, /'version' is missing/],
  [`await comments.deleteMany(api, ['1'])`, /'string' is not assignable/],
  [`await comments.deleteMany(api, [{ id: 1 }])`, /'version' is missing/],
  [`await tags.storeMany(api, [{ name: 'c' }])`, /'storeMany' does not exist/],
]

const clientFiles = async () => clientOf(await blueprintOf('features/bulk', 'sqlite'), 'client')

describe('a client of many records', () => {
  let project: Project
  let server: Served
  beforeAll(async () => {
    project = await openProject('features/bulk', 'sqlite')
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

  test('has a function for each way', async () => {
    expectUses(await clientFiles(), use, { right, mistakes })
  })

  test('makes, changes and deletes them', async () => {
    const { createApi } = await load(project.folder, 'client/client.ts')
    const posts = await load(project.folder, 'client/posts.ts')
    const token = project.token(await project.user('Ann'))
    const api = createApi({ baseUrl: server.baseUrl, token })
    const [one, two] = await posts.storeMany(api, [
      { title: 'one', slug: 'one' },
      { title: 'two', slug: 'two' },
    ])
    const [changed] = await posts.patchMany(api, [{ id: two.id, title: 'too', version: 1 }])
    expect([changed.attributes.title, changed.meta.version]).toEqual(['too', 2])
    const old = { id: two.id, version: 1 }
    await expect(posts.deleteMany(api, [one.id, old])).rejects.toMatchObject({
      status: 409,
      errors: { 'ids.1': [expect.any(String)] },
    })
    await posts.deleteMany(api, [one.id, { ...old, version: 2 }])
    expect((await posts.index(api)).data).toEqual([])
  })
})
