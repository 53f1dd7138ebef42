/** A client of records with versions: what compiles, and what it sends. */
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
import * as users from './client/users.js'
import { commentsMutations } from './client/comments.queries.js'
import { postsMutations } from './client/posts.queries.js'
export const api = createApi({ baseUrl: '' })
export const known = [comments, posts, users, commentsMutations, postsMutations]
${code}
`

const right = `
export async function change() {
  const post = await posts.show(api, '1', { include: ['comments'] })
  const version: number = post.meta.version
  const below: number | undefined = post.relationships.comments[0]?.meta?.version
  await posts.patch(api, post.id, { title: 'a' })
  const { meta } = await posts.replace(api, post.id, { title: 'b' }, { version })
  await posts.delete(api, post.id, { version: meta.version })
  await comments.patch(api, '1', { body: 'c' }, { version: below ?? 1 })
  await posts.patchComment(api, '1', '2', { body: 'c' }, { version: 1 })
  return [postsMutations(api).patch(), commentsMutations(api).delete()]
}`

const mistakes: readonly Mistake[] = [
  [`await comments.patch(api, '1', { body: 'c' })`, /Expected 4 arguments, but got 3/],
  [`await comments.delete(api, '1', {})`, /'version' is missing/],
  [`await posts.store(api, { title: 'a' }, { version: 1 })`, /'version' does not exist/],
  [`(await users.show(api, '1')).meta.version`, /'version' does not exist on type 'Meta'/],
]

const clientFiles = async () =>
  clientOf(await blueprintOf('features/versions', 'sqlite'), 'client', { hasQueries: true })

describe('a client of records with versions', () => {
  let project: Project
  let server: Served
  beforeAll(async () => {
    project = await openProject('features/versions', 'sqlite')
    server = await served((request) => project.fetch(request))
    for (const { path, content } of await clientFiles()) {
      if (path.includes('.queries.')) continue
      mkdirSync(dirname(join(project.folder, path)), { recursive: true })
      writeFileSync(join(project.folder, path), content)
    }
  })
  afterAll(async () => {
    await server.close()
    await project.close()
  })

  test('knows the version of a record, and takes it for changes', async () => {
    expectUses(await clientFiles(), use, { right, mistakes })
  })

  test('changes the version that was read, or throws that it is an older one', async () => {
    const { createApi } = await load(project.folder, 'client/client.ts')
    const posts = await load(project.folder, 'client/posts.ts')
    const token = project.token(await project.user('Ann'))
    const api = createApi({ baseUrl: server.baseUrl, token })
    const { id, meta } = await posts.store(api, { title: 'one' })
    const { version } = meta
    expect((await posts.patch(api, id, { title: 'two' }, { version })).meta.version).toBe(2)
    await expect(posts.replace(api, id, { title: '3' }, { version })).rejects.toMatchObject({
      status: 412,
    })
    await expect(posts.destroy(api, id, { version })).rejects.toMatchObject({ status: 412 })
    expect((await posts.patch(api, id, { title: 'four' })).meta.version).toBe(3)
    await posts.destroy(api, id, { version: 3 })
  })
})
