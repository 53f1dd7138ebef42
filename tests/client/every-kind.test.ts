/** Clients of the other fixtures: compiled as strictly as somebody may, and one of them used and run. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clientSettings } from '../../generator/blueprint/client.js'
import { clientFiles, type ClientFile } from '../../generator/plan/client/files.js'
import { describeProject } from '../../generator/plan/project.js'
import { blueprintOf, type Fixture } from '../plan/fixture.js'
import { emitFixture, openFolder, type Project } from '../support/project.js'
import { checkClient } from './check-client.js'
import { served, type Served } from './served.js'

async function clientOf(fixture: Fixture, hasQueries = false): Promise<readonly ClientFile[]> {
  const blueprint = await blueprintOf(fixture, 'sqlite')
  const project = describeProject(blueprint, { name: fixture, svckit: '10.0.0' })
  return clientFiles(project, clientSettings(fixture, hasQueries, true))
}

/** Written beside the client of every-kind, compiled with it and run against its server. */
const use = `
import { register } from './client/auth.js'
import type { Api } from './client/client.js'
import * as articles from './client/articles.js'
import * as categories from './client/categories.js'
import * as comments from './client/comments.js'
import * as samples from './client/samples.js'
import { sampleStoreRules } from './client/samples.rules.js'
import { errorsIn } from './client/rules/errors.js'
import * as tags from './client/tags.js'
import * as users from './client/users.js'

export async function signUp(api: Api): Promise<string> {
  const password = 'long enough'
  const { meta } = await register(api, { name: 'Ann', email: 'ann@example.test', password, password_confirmation: password })
  return meta.token
}

export async function useSamples(api: Api) {
  const made = await samples.store(api, {
    text: 'One', integer: 2147483647, float: 1.25, decimal: '123456789.123', boolean: true, email: 'one@example.test',
    password: 'long enough for it', json: { list: [1, 'two', null] }, multi_select: ['mon', 'wed'], select: "it's",
    date: '2026-02-03', date_time: '2026-02-03T04:05:06+02:00', uuid: '11111111-1111-4111-8111-11111111111A', maybe_kind: null,
  })
  const { attributes } = await samples.patch(api, made.id, { maybe_decimal: 7, maybe_boolean: false })
  const typed: [string, number, ('mon' | 'tue' | 'wed')[], 'draft' | 'live' | "it's", unknown, string | null, boolean | null] = [
    attributes.decimal, attributes.integer, attributes.multi_select, attributes.select, attributes.json, attributes.maybe_decimal, attributes.maybe_boolean,
  ]
  const found = async (match: samples.SampleMatch) => (await samples.index(api, { match })).meta.total
  const totals = [
    await found({ id: made.id, text: 'on', number: [1, 2], integer: [0, 2147483647], decimal: ['0.5', 123456790], maybe_decimal: [7, 7] }),
    await found({ boolean: true, date: '2026-02-03', date_time: ['2026-02-03', '2026-02-03'], uuid: [String(attributes.uuid)] }),
    await found({ select: ["it's", 'draft'], float: [1.25], maybe_date: null }),
    await found({ '-boolean': true }),
  ]
  const listed = await samples.index(api, { sort: ['-date', 'id'], search: 'one' })
  return { typed, totals, instant: attributes.date_time, uuid: attributes.uuid, listed: listed.data.length }
}

export async function useArticles(api: Api) {
  const article = await articles.store(api, { title: 'Deep' })
  const parent = await categories.store(api, { name: 'All' })
  const category = await categories.store(api, { name: 'News', parent_id: parent.id })
  await articles.attachCategories(api, article.id, { categories: [category.id], position: 3 })
  const tag = await tags.store(api, { name: 'new' })
  await articles.syncTags(api, article.id, { tags: tag.id, weight: null })
  await articles.storeDiscussion(api, article.id, { body: 'Really?' })
  const shown = await articles.show(api, article.id, {
    include: ['author.profile', 'categories.parent.children', 'discussion.subject.categories', 'tags', 'rank', 'reading_time', 'subtitle', 'cover'],
  })
  const { author, categories: among, discussion, tags: tagged, cover, subtitle } = shown.relationships
  const [comment] = discussion
  const subject = comment?.relationships.subject
  const position: number | undefined = among[0]?.pivots.position
  const weight: number | null | undefined = tagged[0]?.pivots.weight
  const minutes: number | undefined = shown.relationships.reading_time?.minutes
  const rank: number | null = shown.relationships.rank
  const { data } = await comments.indexSubject(api, String(comment?.id), { include: ['categories'] })
  const walked: string[] = []
  for await (const { id } of users.eachArticles(api, String(author?.id), { perPage: 1 })) walked.push(id)
  return {
    author: author?.attributes.name, profile: author?.relationships.profile, position, weight, minutes, rank, cover, subtitle, walked: walked.length,
    subject: subject?.type === 'articles' ? subject.relationships.categories[0]?.attributes.name : subject?.type,
    parents: among[0]?.relationships.parent?.relationships.children.map(({ attributes }) => attributes.name),
    below: data.map(({ type }) => type),
  }
}

export const wrong = (body: object) => errorsIn(sampleStoreRules, body)
export const store = (api: Api, body: object) => samples.store(api, body as samples.SampleStore)
`

/** What is wrong with each of these is said of all at once. */
const spoiled: readonly object[] = [
  {},
  {
    text: 'a',
    integer: -6,
    float: 90.75,
    decimal: '-1',
    boolean: 'yes',
    email: 'none',
    password: 'x',
  },
  { text: 'a'.repeat(81), integer: 2.5, float: '1', decimal: '1.2345', boolean: 1, email: null },
  { text: 5, integer: 2147483648, float: null, decimal: 12345678901234567, boolean: null },
  {
    multi_select: [],
    select: 'other',
    date: '2026-02-30',
    date_time: 'soon',
    uuid: '1',
    json: null,
  },
  { multi_select: ['mon', 'mon'], date: 20260203, maybe_decimal: '1234567', maybe_days: ['wed'] },
  {
    multi_select: ['mon', 'sun', 'tue'],
    maybe_json: { a: 2 ** 60 },
    maybe_float: '1',
    text: 'a\0b',
  },
  {
    json: { deep: [1e400, 'a\0'] },
    email: `${'a'.repeat(250)}@example.test`,
    field: 7,
    toggle: null,
  },
]

describe('the client of every-kind', () => {
  let project: Project
  let server: Served
  // What a project exports is compiled above; here it is loaded.
  // oxlint-disable-next-line typescript/no-explicit-any
  let used: any
  // oxlint-disable-next-line typescript/no-explicit-any
  let api: any

  beforeAll(async () => {
    const client = "client: { path: './client', zod: true },"
    const folder = await emitFixture('every-kind', 'sqlite', {
      'manifest/index.ts': (text) => text.replace('openapi: true,', `openapi: true, ${client}`),
    })
    const policies = join(folder, 'app/Policies')
    for (const name of readdirSync(policies)) {
      const text = readFileSync(join(policies, name), 'utf8')
      writeFileSync(join(policies, name), text.replaceAll('() => false', '() => true'))
    }
    writeFileSync(join(folder, 'use.ts'), use)
    project = await openFolder(folder, 'sqlite')
    server = await served((request) => project.fetch(request))
    const load = (path: string) => import(pathToFileURL(join(folder, path)).href)
    used = await load('use.ts')
    const { createApi } = await load('client/client.ts')
    const { baseUrl } = server
    api = createApi({ baseUrl, token: await used.signUp(createApi({ baseUrl })) })
  })
  afterAll(async () => {
    await server.close()
    await project.close()
  })

  test('sends and shows a value of each kind, and finds it', async () => {
    expect(await used.useSamples(api)).toEqual({
      typed: [
        ...['123456789.123', 2147483647, ['mon', 'wed'], "it's", { list: [1, 'two', null] }],
        ...['7', false],
      ],
      totals: [1, 1, 1, 0],
      instant: '2026-02-03T02:05:06.000Z',
      uuid: '11111111-1111-4111-8111-11111111111a',
      listed: 1,
    })
  })

  test('reads relations of every kind', async () => {
    expect(await used.useArticles(api)).toEqual({
      ...{ author: 'Ann', profile: null, position: 3, weight: null, cover: null, subtitle: null },
      ...{ minutes: undefined, rank: null, walked: 1, subject: 'News', parents: ['News'] },
      below: ['articles'],
    })
  })

  test.each(spoiled)('says before it is sent what the server says of %j', async (body) => {
    const { errors } = await used.store(api, body).then(
      () => ({ errors: null }),
      (error: unknown) => error,
    )
    expect(errors).not.toBeNull()
    expect(used.wrong(body)).toEqual(errors)
  })
})

test('clients of all fixtures compile, with what uses them', async () => {
  const clients = await Promise.all([
    ...[clientOf('minimal'), clientOf('every-kind'), clientOf('awkward-names', true)],
  ])
  const content = use.replaceAll('./client/', './every-kind/')
  expect(checkClient([...clients.flat(), { path: 'use.ts', content }]).problems).toBe('')
})
