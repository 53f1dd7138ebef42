/** A client of records that are written with those of their many-to-many relations: what compiles, and what it sends. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { emit } from '../../core/compile/emit.js'
import { blueprintOf } from '../../core/plan/fixture.js'
import { load, openFolder, type Project } from '../../support/project.js'
import { clientOf, expectUses, type Mistake } from '../client/check-client.js'
import { served, type Served } from '../client/served.js'

const use = (code: string) => `
import { createApi } from './client/client.js'
import * as articles from './client/articles.js'
export const api = createApi({ baseUrl: '' })
export const known = articles
${code}
`

const right = `
export async function make() {
  const made = await articles.store(api, {
    title: 'a',
    tags: [{ id: '1' }, { name: 'red', pivots: { position: 2 } }],
    reviewers: [{ id: 7 }],
  })
  const position: number | undefined = made.relationships?.tags?.[0]?.pivots.position
  const changed = await articles.patch(api, made.id, { tags: [] })
  const name: string | undefined = changed.relationships?.tags?.[0]?.attributes.name
  const replaced = await articles.replace(api, made.id, { title: 'b', reviewers: [] })
  return [position, name, replaced]
}`

const mistakes: readonly Mistake[] = [
  [`await articles.store(api, { title: 'c', tags: ['1'] })`, /'string' is not assignable/],
  [
    `await articles.store(api, { title: 'c', reviewers: [{ name: 'x' }] })`,
    /'name' does not exist/,
  ],
  [
    `await articles.patch(api, '1', { tags: [{ id: '1', pivots: { position: 'x' } }] })`,
    /'string' is not assignable to type 'number'/,
  ],
]

const clientFiles = async () =>
  clientOf(await blueprintOf('features/nested-pivots', 'sqlite'), 'client', { zod: true })

describe('a client of records with those of their relations', () => {
  let project: Project
  let server: Served
  beforeAll(async () => {
    process.env['SVC_SKIP_PRISMA_CLIENT'] = '1'
    project = await openFolder(await emit('features/nested-pivots', 'sqlite', 'open'), 'sqlite')
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

  test('knows what a record may be written with', async () => {
    expectUses(await clientFiles(), use, { right, mistakes })
  })

  test('writes them, and has the rules of the server', async () => {
    const { createApi } = await load(project.folder, 'client/client.ts')
    const articles = await load(project.folder, 'client/articles.ts')
    const token = project.token(await project.user('Ann'))
    const api = createApi({ baseUrl: server.baseUrl, token })
    const tags = [{ name: 'red', pivots: { position: 2 } }]
    const made = await articles.store(api, { title: 'a', tags })
    expect(made.relationships.tags).toMatchObject([
      { attributes: { name: 'red' }, pivots: { position: 2 } },
    ])
    const changed = await articles.patch(api, made.id, { tags: [] })
    expect(changed.relationships.tags).toEqual([])

    const rules = await load(project.folder, 'client/articles.rules.ts')
    const body = { title: 'a', tags, reviewers: [{ id: 1 }] }
    expect(rules.articleStoreRules.parse(body)).toEqual(body)
    expect(rules.articlePatchRules.safeParse({ tags: [{ id: 1, name: 'red' }] }).success).toBe(
      false,
    )
    expect(rules.articlePatchRules.safeParse({ reviewers: [{ name: 'red' }] }).success).toBe(false)
  })
})
