/** A client of repositories with actions and getters: what compiles, and what it sends. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { blueprintOf } from '../../core/plan/fixture.js'
import { load, openFolder, emitFixture, type Project } from '../../support/project.js'
import { clientOf, expectUses, type Mistake } from '../client/check-client.js'
import { served, type Served } from '../client/served.js'

const use = (code: string) => `
import { createApi } from './client/client.js'
import * as comments from './client/comments.js'
import * as posts from './client/posts.js'
export const api = createApi({ baseUrl: '' })
export const known = [comments, posts]
${code}
`

const right = `
import type { ActionInfo, GetterInfo } from './client/types.js'
export async function run() {
  const data: unknown = await posts.publish(api, ['1', 2, { id: 3, version: 1 }], { at: null, note: 'n' })
  await posts.publish(api, 'all', {}, { match: { title: 'a' }, search: 'b', after: '7' })
  await posts.publishOne(api, '1', {}, { version: 3 })
  await posts.rename(api, '1', { title: 'new' })
  await posts.importAll(api, { count: 2 })
  await comments.hide(api, ['1'])
  const { words }: { words: number } = await posts.stats(api, '1')
  const total: number = await posts.total(api)
  const [action]: ActionInfo[] = await posts.actions(api)
  const [getter]: GetterInfo[] = await posts.gettersOf(api, '1')
  return [data, words, total, action?.destructive, getter?.authorized]
}`

const mistakes: readonly Mistake[] = [
  [`await posts.publish(api, 'some')`, /'"some"' is not assignable/],
  [`await posts.publish(api, ['1'], { at: 5 })`, /'number' is not assignable/],
  [`await posts.rename(api, '1')`, /Expected 3-4 arguments/],
  [`await posts.rename(api, '1', { titel: 'x' })`, /'titel' does not exist/],
  [`await posts.importAll(api, {})`, /'count' is missing/],
  [`await comments.hide(api, [{ id: 1, version: 1 }])`, /is not assignable/],
  [`(await posts.stats(api, '1')).words.trim()`, /'trim' does not exist/],
  [`await comments.stats(api, '1')`, /'stats' does not exist/],
]

const code = `
import type { ActionsFor, PostActions as Declared, PostModel } from '#app/Models.js'

export const PostActions: ActionsFor<PostModel, Declared> = {
  actions: {
    publish: (_, posts, { note }) => ({ titles: posts.map(({ title }) => title), note }),
    rename: async ({ repositories, user }, post, { title }) => {
      await repositories.posts.patch(user, String(post.id), { title })
    },
    importAll: (_, { count }) => count,
  },
  getters: {
    stats: (_, post) => ({ words: post.title.split(' ').length }),
    total: () => 7,
  },
}
`

const clientFiles = async () => clientOf(await blueprintOf('features/actions', 'sqlite'), 'client')

describe('a client of actions', () => {
  let project: Project
  let server: Served
  beforeAll(async () => {
    const folder = await emitFixture('features/actions', 'sqlite')
    writeFileSync(join(folder, 'app/Actions/PostActions.ts'), code)
    for (const { path, content } of await clientFiles()) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), content)
    }
    project = await openFolder(folder, 'sqlite')
    server = await served((request) => project.fetch(request))
  })
  afterAll(async () => {
    await server.close()
    await project.close()
  })

  test('has a function for each, typed by the manifest', async () => {
    expectUses(await clientFiles(), use, { right, mistakes })
  })

  test('runs them, and gives what they return', async () => {
    const { createApi, SvcError } = await load(project.folder, 'client/client.ts')
    const posts = await load(project.folder, 'client/posts.ts')
    const token = project.token(await project.user('Ann'))
    const api = createApi({ baseUrl: server.baseUrl, token })
    const { id } = await posts.store(api, { title: 'two words' })
    const other = await posts.store(api, { title: 'b' })
    expect(await posts.publish(api, [id, { id: other.id, version: 1 }], { note: 'n' })).toEqual({
      titles: ['two words', 'b'],
      note: 'n',
    })
    expect(await posts.publish(api, 'all', {}, { match: { title: 'b' } })).toEqual([
      { titles: ['b'], note: 'none' },
    ])
    expect(await posts.stats(api, id)).toEqual({ words: 2 })
    // It is destructive, so nobody may until its policy says so.
    await expect(posts.rename(api, id, { title: 'c' })).rejects.toThrow(SvcError)
    const shown = await posts.actionsOf(api, id)
    expect(
      shown.map(({ key, authorized }: { key: string; authorized: boolean }) => [key, authorized]),
    ).toEqual([
      ['publish', true],
      ['rename', false],
    ])
    await expect(posts.publish(api, [id, '99'], {})).rejects.toMatchObject({
      ...{ status: 404, errors: { 'ids.1': ['Not found.'] } },
    })
  })
})
