/** Code that uses clients: compile.test.ts compiles it, other tests write it beside a client and run it. */

/** Beside the client of every-kind. */
export const useEveryKind = `
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

/** Beside what openapi-typescript makes of the blog. */
export const useBlog = `
import createClient from 'openapi-fetch'
import type { paths } from './schema.js'

export async function use(baseUrl: string, token: string) {
  const client = createClient<paths>({
    baseUrl, headers: { authorization: \`Bearer \${token}\` }, querySerializer: { array: { style: 'form', explode: false } },
  })
  const stored = await client.POST('/api/svc/posts', { body: { title: 'Typed' } })
  const id: string = stored.data?.data.id ?? ''
  const shown = await client.GET('/api/svc/posts/{id}', { params: { path: { id }, query: { include: ['owner', 'comments.user'] } } })
  const title: string | undefined = shown.data?.data.attributes.title
  const listed = await client.GET('/api/svc/posts', { params: { query: { sort: ['-title', 'id'], title: ['Typed', 'Other'], perPage: 5 } } })
  const titles: string[] | undefined = listed.data?.data.map(({ attributes }) => attributes.title)
  const total: number | undefined = listed.data?.meta.total
  const { error, response } = await client.POST('/api/svc/posts', { body: { title: 'x'.repeat(200) } })
  const errors = error !== undefined && 'errors' in error ? error.errors : undefined
  return { title, titles, total, owner: shown.data?.data.relationships?.owner?.attributes.name, status: response.status, errors }
}

export const wrong = (client: ReturnType<typeof createClient<paths>>) => [
  // @ts-expect-error there is no such sort
  client.GET('/api/svc/posts', { params: { query: { sort: ['description'] } } }),
  // @ts-expect-error there is no such field
  client.POST('/api/svc/posts', { body: { titel: 'a' } }),
  // @ts-expect-error there is no such path
  client.GET('/api/svc/post'),
]
`

/** Columns with names that every object has. */
export const useAwkward = `
import * as posts from './awkward/blog-posts.js'
import type { Api } from './awkward/client.js'

export const right = async (api: Api) => {
  await posts.index(api, { match: { class: 'a' } })
  await posts.patch(api, '1', {})
  await posts.store(api, { class: 'a', person_id: '1' })
  return posts.store(api, { class: 'a', person_id: '1', constructor: 'b', toString: null })
}

export const wrong = (api: Api) => [
  // @ts-expect-error it is a text
  posts.patch(api, '1', { constructor: 1 }),
  // @ts-expect-error it is a text
  posts.index(api, { match: { constructor: 1 } }),
]
`
