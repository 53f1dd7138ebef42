/** A client whose lists have cursors: what the compiler says of it, and how it walks. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { blueprintOf } from '../../core/plan/fixture.js'
import { load, openProject } from '../../support/project.js'
import { checkClient, clientOf } from '../client/check-client.js'

const uses = `
import { createApi } from './client/client.js'
import * as posts from './client/posts.js'
import * as tags from './client/tags.js'
const api = createApi({ baseUrl: '' })
const page = await posts.pageFrom(api, '', { sort: ['-price'], include: ['comments'], withTotal: 'bounded' })
export const next: string | null = page.meta.next_cursor
export const total: number | undefined = page.meta.total
export const body: string | undefined = page.data[0]?.relationships.comments[0]?.attributes.body
export const numbered: number = (await posts.index(api)).meta.last_page
for await (const { attributes } of posts.each(api, { sort: ['title'] })) attributes.title satisfies string
await posts.pageFromComments(api, '1', '', { perPage: 2 })
// @ts-expect-error: a page that has a number is none of a cursor
await posts.pageFrom(api, '', { page: 2 })
// @ts-expect-error: nobody sorts by that
await posts.pageFrom(api, '', { sort: ['cursor'] })
// @ts-expect-error: tags have none
await tags.pageFrom(api, '')
`

const files = async () => {
  const all = await clientOf(await blueprintOf('features/cursors', 'sqlite'), 'client', {
    hasQueries: true,
  })
  return all.map(({ path, content }) => ({
    path: path.startsWith('client/') ? path : `client/${path}`,
    content,
  }))
}

test('asks for pages from a cursor on, where there is one', async () => {
  expect(checkClient([...(await files()), { path: 'uses.ts', content: uses }])).toBe('')
})

test('each record comes once, whatever is written while it walks', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-client-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const { path, content } of await files()) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  const project = await openProject('features/cursors', 'sqlite')
  onTestFinished(() => project.close())
  const loadClient = (path: string) => load(folder, `client/${path}`)
  const { createApi } = await loadClient('client.ts')
  const posts = await loadClient('posts.ts')
  const asked: string[] = []
  const api = createApi({
    baseUrl: 'http://localhost',
    fetch: (at: string, init: RequestInit) => {
      asked.push(at)
      return project.fetch(new Request(at, init))
    },
  })
  const made: string[] = []
  for (let at = 0; at < 7; at++) made.unshift(String(await project.insert('posts', { title: 'a' })))
  const walked: string[] = []
  for await (const { id } of posts.each(api, { perPage: 2 })) {
    walked.push(id)
    await project.insert('posts', { title: 'new' })
  }
  expect(walked).toEqual(made)
  expect(asked).toHaveLength(4)
  expect(asked[0]).toContain('cursor=')
  const numbered: string[] = []
  for await (const { id } of posts.each(api, { perPage: 5, page: 2 })) numbered.push(id)
  expect(numbered).toHaveLength(9)
})
