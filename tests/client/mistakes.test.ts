/** What the compiler says of calls of the blog's client: wrong ones, and right ones whose answers are used wrongly. */
import { expect, test } from 'vitest'
import { compile } from '../types/compile.js'

const head = `
import { createApi } from '../../fixtures/blog-client/client.js'
import * as companies from '../../fixtures/blog-client/companies.js'
import * as images from '../../fixtures/blog-client/images.js'
import * as posts from '../../fixtures/blog-client/posts.js'
import { postsMutations, postsQueries } from '../../fixtures/blog-client/posts.queries.js'
import * as users from '../../fixtures/blog-client/users.js'
const api = createApi({ baseUrl: '' })
`

/** Nothing is wrong with these: each names the type that it has. */
const right = `
const post = await posts.show(api, '1', { include: ['owner', 'comments.user.phone', 'tags', 'owner[name].roles'] })
const owner: string | null | undefined = post.relationships.owner?.attributes.name
const phone: string | undefined = post.relationships.comments[0]?.relationships.user?.relationships.phone?.attributes.number
const tag: string | undefined = post.relationships.tags[0]?.attributes.name
const plain: undefined = (await posts.show(api, '1')).relationships
const none: undefined = (await posts.show(api, '1', { include: [] })).relationships
const deep = await posts.show(api, '1', { include: ['comments.user.posts.comments.user'] })
const unknown: unknown = deep.relationships.comments[0]?.relationships.user?.relationships.posts[0]?.relationships
const company = await companies.show(api, '1', { include: ['users', 'summary'] })
const pivot: boolean | undefined = company.relationships.users[0]?.pivots.is_admin
const text: string | undefined = company.relationships.summary?.text
const image = await images.show(api, '1', { include: ['imageable.comments'] })
const imageable = image.relationships.imageable
if (imageable?.type === 'posts') { const title: string = imageable.attributes.title; imageable.relationships.comments }
const page = await posts.index(api, { sort: ['-published_at', 'owner.name'], match: { title: ['a', 'b'], '-owner_id': null, published_at: ['2026-01-01', '2026-01-31'] }, perPage: 5 })
const total: number = page.meta.total
for await (const { relationships } of posts.each(api, { include: ['owner'] })) { const id: string | undefined = relationships.owner?.id }
const wanted: posts.PostInclude[] = ['owner']
const some: string | undefined = (await posts.show(api, '1', { include: wanted })).relationships.owner?.id
await posts.storeComment(api, '1', { body: 'Yes' })
await companies.attachUsers(api, '1', { users: ['1', 2], is_admin: true })
const { queryFn } = postsQueries(api).index({ include: ['owner'] })
const body: posts.PostStore = { title: 'a', description: undefined }
const { mutationFn } = postsMutations(api).patch()
`

const mistakes: readonly (readonly [code: string, message: RegExp])[] = [
  [
    `await posts.show(api, '1', { include: ['wrong'] })`,
    /'"wrong"' is not assignable to type 'PostInclude'/,
  ],
  [
    `await posts.show(api, '1', { include: ['owner', 'owner.wrong'] })`,
    /'"owner\.wrong"' .*there is no 'wrong' to include/,
  ],
  [
    `await posts.index(api, { include: ['comments.user.wrong'] })`,
    /there is no 'wrong' to include/,
  ],
  [
    `await posts.show(api, '1', { include: ['description.wrong'] })`,
    /there is no 'wrong' to include/,
  ],
  [
    `void (await posts.show(api, '1', { include: ['owner'] })).relationships.comments`,
    /'comments' does not exist/,
  ],
  [`void (await posts.show(api, '1')).relationships.owner`, /undefined/],
  [
    `const id: number = (await posts.show(api, '1')).id`,
    /'string' is not assignable to type 'number'/,
  ],
  [`void (await posts.show(api, '1')).attributes.titel`, /'titel' does not exist/],
  [`await posts.index(api, { sort: ['description'] })`, /'"description"' is not assignable/],
  [`await posts.index(api, { match: { description: 'a' } })`, /'description' does not exist/],
  [`await posts.index(api, { match: { published_at: ['2026-01-01'] } })`, /not assignable/],
  [`await companies.index(api, { match: { name: ['a', 'b'] } })`, /not assignable/],
  [`await posts.index(api, { page: '2' })`, /'string' is not assignable to type 'number'/],
  [`await posts.index(api, { pages: 2 })`, /'pages' does not exist/],
  [`await posts.store(api, {})`, /'title' is missing/],
  [`await posts.store(api, { title: null })`, /'null' is not assignable to type 'string'/],
  [`await posts.store(api, { title: 'a', owner_id: '1' })`, /'owner_id' does not exist/],
  [`await posts.patch(api, '1', { titel: 'a' })`, /'titel' does not exist/],
  [
    `await users.store(api, { email: 'a@b.cd', password: 'long enough', is_admin: true })`,
    /'is_admin' does not exist/,
  ],
  [
    `await companies.attachUsers(api, '1', { users: ['1'], is_admin: 'yes' })`,
    /'string' is not assignable to type 'boolean/,
  ],
  [`await companies.attachUsers(api, '1', { is_admin: true })`, /'users' is missing/],
  [`await posts.storeComment(api, '1', { body: 'a', post_id: '1' })`, /'post_id' does not exist/],
  [`await posts.show('1')`, /Expected 2-3 arguments/],
  [
    `postsMutations(api).store().mutationFn?.({ titel: 'a' })`,
    /'titel' does not exist|Expected 2 arguments/,
  ],
]

const said = compile({
  right: head + right,
  ...Object.fromEntries(mistakes.map(([code], index) => [`mistake${index}`, head + code])),
})

test('what is right compiles, and is typed three levels deep', () => {
  expect(said['right']).toEqual([])
})

test.each(mistakes.map(([code, message], index) => ({ code, message, index })))(
  '$code does not compile',
  ({ message, index }) => {
    const lines = said[`mistake${index}`] ?? []
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(message)
  },
)
