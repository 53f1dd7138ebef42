/** The compiler, as strict as it can be, accepts clients and their uses. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import openapiTypescript, { astToString } from 'openapi-typescript'
import { expect, test } from 'vitest'
import type { Blueprint } from '../../../generator/blueprint/types.js'
import { openapiDocument } from '../../../generator/features/openapi/document.js'
import { blueprintOf, without, type Fixture } from '../../core/plan/fixture.js'
import { compile } from '../../core/types/compile.js'
import { allPages, filesOf } from '../../support/pages.js'
import { buildBlueprint, describeProject, loadManifest } from '../../support/with-features.js'
import { checkClient, clientOf, instantiationsOfClient } from './check-client.js'
import { useAwkward, useBlog, useEveryKind } from './uses.js'

const head = `
import { createApi } from '../../../fixtures/blog-client/client.js'
import * as companies from '../../../fixtures/blog-client/companies.js'
import * as images from '../../../fixtures/blog-client/images.js'
import * as posts from '../../../fixtures/blog-client/posts.js'
import { postsMutations, postsQueries } from '../../../fixtures/blog-client/posts.queries.js'
import * as users from '../../../fixtures/blog-client/users.js'
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

/** The blueprint of a manifest that only this test has. */
async function blueprintIn(files: Readonly<Record<string, string>>): Promise<Blueprint> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-client-'))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const loaded = await loadManifest(folder)
  rmSync(folder, { recursive: true })
  const built = 'problems' in loaded ? loaded : buildBlueprint(loaded.manifest, loaded)
  if ('problems' in built) throw new Error(JSON.stringify(built.problems))
  return built.blueprint
}

/** The client of the shop in docs/shop.md, and what the pages do with it. */
async function shopFiles() {
  const isManifest = ([path]: readonly [string, string]) => path.startsWith('manifest/')
  const manifest = Object.fromEntries([...filesOf('docs/shop.md')].filter(isManifest))
  const shown = /```ts\n(import \{ login \}[\s\S]*?)```/.exec(allPages())?.[1] ?? ''
  expect(shown).toContain('products.each')
  const more = `
    import { useQuery } from '@tanstack/react-query'
    import * as categories from './api/categories.js'
    import { productsMutations, productsQueries } from './api/products.queries.js'
    export const used = [categories.indexProducts(api, '2'), useQuery(productsQueries(api).index({ search: 'lamp' })), productsMutations(api).store()]
  `
  const client = await clientOf(await blueprintIn(manifest), 'shop/api', { hasQueries: true })
  return [...client, { path: 'shop/use.ts', content: shown + more }]
}

/** Returns the types that openapi-typescript makes of a document. */
async function schemaOf(fixture: Fixture, path: string) {
  // With `fields`, any attribute may be missing: these types are of answers that have all.
  const blueprint = without(await blueprintOf(fixture, 'sqlite'), 'reads')
  const project = describeProject(blueprint, { name: fixture, svckit: '10.0.0' })
  const document = await openapiDocument(project)
  return { path, content: astToString(await openapiTypescript(document)) }
}

test('clients, and types of openapi-typescript, compile with what uses them', async () => {
  const everyKind = await blueprintOf('every-kind', 'sqlite')
  const files = await Promise.all([
    clientOf(await blueprintOf('minimal', 'sqlite'), 'minimal'),
    clientOf(everyKind, 'every-kind/client', { zod: true }),
    clientOf(await blueprintOf('awkward-names', 'sqlite'), 'awkward', {
      hasQueries: true,
      zod: true,
    }),
    shopFiles(),
    schemaOf('blog', 'foreign/schema.ts'),
    // JSON that holds JSON is a circle for TypeScript, in whose declarations it is anything.
    schemaOf('every-kind', 'foreign/every-kind.d.ts'),
  ])
  const uses = [
    { path: 'every-kind/use.ts', content: useEveryKind },
    { path: 'foreign/use.ts', content: useBlog },
    { path: 'awkward-use.ts', content: useAwkward },
  ]
  expect(checkClient([...files.flat(), ...uses])).toBe('')
})

test('repositories that are called as types in functions compile', async () => {
  const keys = ['counts', 'fields', 'groups', 'includes', 'picks', 'records', 'selects']
  const repositories = keys.map(
    (key) => `${key}: repository({
      aggregate: { groupBy: ['name'] }, match: { name: 'text' }, sort: ['id'], count: ['others'],
      fields: { name: text() }, related: { others: hasMany({ foreignKey: '${key.slice(0, -1)}_id' }) },
    })`,
  )
  const parents = keys.map((key) => `${key.slice(0, -1)}: belongsTo().nullable()`)
  const others = `others: repository({ aggregate: {}, fields: { name: text() }, related: { ${parents.join(', ')} } })`
  const text = `import { belongsTo, defineManifest, hasMany, repository, text } from 'svckit'
export default defineManifest({
  database: 'sqlite',
  repositories: { ${[...repositories, others].join(', ')} },
})
`
  const files = await clientOf(await blueprintIn({ 'manifest.ts': text }), 'called')
  expect(checkClient(files)).toBe('')
})

const size = 100

/** Each of seven fields, with every kind of list, and five relations. */
function repositoryText(n: number): string {
  const other = (distance: number) => `item${((n - 1 + distance) % size) + 1}s`
  return `item${n}s: repository({
    title: 'name', searchable: ['name'], sort: ['id', 'name', 'amount'],
    match: { name: 'text', is_active: 'boolean', amount: 'between', happened_at: 'datetime' },
    fields: {
      name: text().max(160), notes: textarea().nullable(), is_active: boolean().default(true), amount: decimal(10, 2),
      happened_at: dateTime().nullable(), quantity: integer().default(0), kind: select(['a', 'b']).default('a'),
    },
    related: {
      next: belongsTo('${other(1)}', { sortable: ['name'] }).nullable(),
      previous: hasMany('${other(size - 1)}', { inverse: 'next' }),
      far: belongsToMany('${other(30)}', { table: 'far_${n}', pivot: { weight: integer().default(0) } }),
      near: belongsTo('${other(2)}').nullable(),
      rank: computed<number>(),
    },
  })`
}

const manifestText = `import { belongsTo, belongsToMany, boolean, computed, dateTime, decimal, defineManifest, hasMany, integer, repository, select, text, textarea } from 'svckit'
export default defineManifest({ database: 'sqlite', reads: [], repositories: { ${Array.from({ length: size }, (_, index) => repositoryText(index + 1)).join(', ')} } })
`

test(`the client of ${size} repositories is at most 60,000 type instantiations`, async () => {
  const files = await clientOf(await blueprintIn({ 'manifest.ts': manifestText }), 'large')
  expect(files).toHaveLength(size + 2)
  // Counted: times differ from machine to machine.
  expect(instantiationsOfClient(files)).toBeLessThanOrEqual(60_000)
})
