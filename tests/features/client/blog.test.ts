/** The blog's client, which golden.test.ts compares with what is emitted, against the blog's server over HTTP. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { MutationObserver, QueryClient } from '@tanstack/react-query'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as auth from '../../../fixtures/blog-client/auth.js'
import { createApi, SvcError, type Api } from '../../../fixtures/blog-client/client.js'
import * as comments from '../../../fixtures/blog-client/comments.js'
import * as companies from '../../../fixtures/blog-client/companies.js'
import * as images from '../../../fixtures/blog-client/images.js'
import * as phones from '../../../fixtures/blog-client/phones.js'
import * as posts from '../../../fixtures/blog-client/posts.js'
import { postsQueries } from '../../../fixtures/blog-client/posts.queries.js'
import * as roles from '../../../fixtures/blog-client/roles.js'
import * as tags from '../../../fixtures/blog-client/tags.js'
import { tagsMutations, tagsQueries } from '../../../fixtures/blog-client/tags.queries.js'
import * as users from '../../../fixtures/blog-client/users.js'
import { databases, openProject, type Project } from '../../support/project.js'
import { served, type Served } from './served.js'

const failure = async (work: Promise<unknown>): Promise<SvcError> => {
  const error: unknown = await work.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (error instanceof SvcError) return error
  throw new Error('it did not fail as a client does', { cause: error })
}

describe.each(databases)('the client on %s', (database) => {
  let blog: Project
  let server: Served
  let api: Api
  let me: string

  beforeAll(async () => {
    blog = await openProject('blog', database)
    server = await served((request) => blog.fetch(request))
    const visitor = createApi({ baseUrl: `${server.baseUrl}/` })
    const password = 'a long enough one'
    const form = { email: 'ada@example.test', password, password_confirmation: password }
    await auth.register(visitor, { ...form, name: 'Ada' })
    const { id, meta } = await auth.login(visitor, { email: form.email, password })
    me = id
    api = createApi({ baseUrl: server.baseUrl, token: async () => meta.token })
  })
  afterAll(async () => {
    await server.close()
    await blog.close()
  })

  test('makes, shows, replaces, changes and deletes a record', async () => {
    const made = await posts.store(api, { title: 'First', description: 'Draft' })
    expect(made).toMatchObject({ type: 'posts', attributes: { title: 'First', owner_id: me } })
    const shown = await posts.show(api, made.id, { include: ['owner', 'description'] })
    expect(shown.relationships.owner?.attributes.name).toBe('Ada')
    expect(shown.relationships.description).toBe('Draft')
    expect(shown.meta.authorizedToDelete).toBe(true)
    const replaced = await posts.replace(api, made.id, { title: 'Second' })
    expect(replaced.attributes).toMatchObject({ title: 'Second', description: null })
    expect(replaced.relationships).toBeUndefined()
    const changed = await posts.patch(api, made.id, { published_at: '2026-02-03T04:05:06Z' })
    expect(changed.attributes.published_at).toBe('2026-02-03T04:05:06.000Z')
    expect(await posts.delete(api, made.id)).toBeUndefined()
    expect((await failure(posts.show(api, made.id))).status).toBe(404)
  })

  test('lists by match, sort and search, page after page', async () => {
    const published_at = '2026-01-01T00:00:00.000Z'
    for (const title of ['Lamp a', 'Lamp b', 'Lamp c', 'Chair', 'One, two']) {
      await posts.store(api, { title, published_at })
    }
    await posts.store(api, { title: 'Lamp d' })
    const titles = (page: { readonly data: readonly posts.Post[] }) =>
      page.data.map(({ attributes }) => attributes.title)
    const lamps = await posts.index(api, { search: 'lamp', sort: ['-title'], perPage: 2, page: 2 })
    expect(titles(lamps)).toEqual(['Lamp b', 'Lamp a'])
    expect(lamps.meta).toMatchObject({ total: 4, last_page: 2, current_page: 2 })
    const some = { title: ['Lamp a', 'Chair'] }
    expect(titles(await posts.index(api, { match: some, sort: ['title'] }))).toEqual([
      ...['Chair', 'Lamp a'],
    ])
    expect(titles(await posts.index(api, { match: { published_at: null } }))).toEqual(['Lamp d'])
    const day = await posts.index(api, { match: { published_at: ['2026-01-01', '2026-01-01'] } })
    expect(day.meta.total).toBe(5)
    const others = { '-title': 'Chair', owner_id: me, published_at: '2026-01-01' }
    expect((await posts.index(api, { match: others, search: undefined })).meta.total).toBe(4)
    const walked: string[] = []
    for await (const post of posts.each(api, { perPage: 2, include: ['owner'], sort: ['id'] })) {
      walked.push(`${post.attributes.title} by ${post.relationships.owner?.attributes.name}`)
    }
    expect(walked).toHaveLength(6)
    expect(walked.at(-1)).toBe('Lamp d by Ada')
  })

  test('includes relations of relations, with the columns of pivots and with some columns only', async () => {
    const company = await companies.store(api, { name: 'Acme' })
    const rows = await companies.attachUsers(api, company.id, { users: me, is_admin: true })
    expect(rows).toEqual([{ company_id: company.id, user_id: me, is_admin: true }])
    const post = await posts.store(api, { title: 'Deep' })
    await posts.storeComment(api, post.id, { body: 'Yes' })
    const shown = await companies.show(api, company.id, {
      include: ['users.posts[title].comments', 'summary'],
      relatablePerPage: 1,
    })
    const [user] = shown.relationships.users
    expect(user?.pivots.is_admin).toBe(true)
    const [deep] = user?.relationships.posts ?? []
    expect(deep?.attributes).toEqual({ title: 'Deep' })
    expect(deep?.relationships.comments.map(({ attributes }) => attributes.body)).toEqual(['Yes'])
    expect(shown.relationships.summary?.text).toContain('Acme')
    const [member] = (await companies.indexUsers(api, company.id, { include: ['phone'] })).data
    expect([member?.pivots.is_admin, member?.relationships.phone]).toEqual([true, null])
  })

  test('keeps, changes and ends the links of a many-to-many relation', async () => {
    const company = await companies.store(api, { name: 'Links' })
    const other = await users.store(api, { email: 'bob@example.test', password: 'long enough' })
    await companies.attachUsers(api, company.id, { users: [me, Number(other.id)] })
    await companies.syncUsers(api, company.id, { users: [other.id], is_admin: true })
    const left: unknown[] = []
    for await (const { id, pivots } of companies.eachUsers(api, company.id)) left.push([id, pivots])
    expect(left).toEqual([[other.id, { is_admin: true }]])
    await companies.detachUsers(api, company.id, { users: other.id })
    expect((await companies.indexUsers(api, company.id)).meta.total).toBe(0)
  })

  test('reads a relation to records of several repositories', async () => {
    const post = await posts.store(api, { title: 'Pictured' })
    const image = await posts.storeImage(api, post.id, { url: '/lamp.png' })
    const { relationships } = await images.show(api, image.id, { include: ['imageable.owner'] })
    expect(relationships.imageable?.type).toBe('posts')
    expect(relationships.imageable?.relationships.owner?.id).toBe(me)
  })

  test('is read and written through TanStack Query', async () => {
    const client = new QueryClient()
    const { id } = await posts.store(api, { title: 'Asked for' })
    const post = await client.fetchQuery(postsQueries(api).show(id, { include: ['owner'] }))
    expect(post.relationships.owner?.id).toBe(me)
    const listing = tagsQueries(api).index({ search: 'query', sort: ['name'] })
    await new MutationObserver(client, tagsMutations(api).store()).mutate({ name: 'query 1' })
    const { data } = await client.fetchQuery(listing)
    expect(data.map(({ attributes }) => attributes.name)).toEqual(['query 1'])
    const change = new MutationObserver(client, tagsMutations(api).patch())
    await change.mutate({ id: String(data[0]?.id), body: { name: 'query 2' } })
    await client.invalidateQueries({ queryKey: ['tags'] })
    expect((await client.fetchQuery(listing)).data[0]?.attributes.name).toBe('query 2')
    expect(client.getQueryData(listing.queryKey)?.meta.total).toBe(1)
    await tags.store(api, { name: 'query 3' })
    const paged = tagsQueries(api).pages({ search: 'query', perPage: 1, sort: ['name'] })
    const { pages } = await client.fetchInfiniteQuery({ ...paged, pages: 5 })
    expect(pages.map((page) => page.data[0]?.attributes.name)).toEqual(['query 2', 'query 3'])
    client.clear()
  })

  test('throws what the server says is wrong', async () => {
    const invalid = await failure(posts.store(api, { title: 'x'.repeat(200) }))
    expect(invalid).toMatchObject({ name: 'SvcError', status: 422 })
    expect(invalid.errors).toEqual({ title: ['The title must not be longer than 160 characters.'] })
    expect(invalid.requestId).toMatch(/^[\w-]{8,}$/)
    const told: number[] = []
    const onUnauthorized = ({ status }: SvcError) => told.push(status)
    const stranger = createApi({ baseUrl: server.baseUrl, token: '1|no', onUnauthorized })
    expect((await failure(posts.index(stranger))).message).not.toBe('')
    expect(told).toEqual([401])
    expect(() => posts.show(api, '..')).toThrow(TypeError)
  })

  test('does with an account what its owner may', async () => {
    const named = await auth.patchOwnProfile(api, { name: 'Ada L.' })
    expect(named.attributes.name).toBe('Ada L.')
    const { relationships } = await auth.showOwnProfile(api, { include: ['posts'] })
    expect(Array.isArray(relationships.posts)).toBe(true)
    const tokens = await auth.indexOwnTokens(api)
    expect(tokens.filter(({ is_current }) => is_current)).toHaveLength(1)
    const other = tokens.find(({ is_current }) => !is_current)
    expect(await auth.deleteOwnToken(api, String(other?.id))).toBeUndefined()
    const { message } = await auth.forgotPassword(api, { email: 'ada@example.test' })
    expect(message).not.toBe('')
    const password = 'another long one'
    await auth.changePassword(api, {
      current_password: 'a long enough one',
      ...{ password, password_confirmation: password },
    })
    await auth.logout(api)
    expect((await failure(posts.index(api))).status).toBe(401)
  })

  test('has a function for each operation that the document tells of', async () => {
    const called = new Set<string>()
    const note = async (url: string | URL | Request, init?: RequestInit) => {
      const path = new URL(String(url)).pathname
      const names = { '/900001': '/{id}', '/900002': '/{relatedId}', '/900003': '/{emailHash}' }
      const shown = Object.entries(names).reduce((text, [id, to]) => text.replace(id, to), path)
      called.add(`${init?.method} ${shown}`)
      return fetch(url, init)
    }
    const visitor = createApi({ baseUrl: server.baseUrl, fetch: note, retries: 0 })
    const modules = [auth, comments, companies, images, phones, posts, roles, tags, users]
    for (const call of modules.flatMap((each) => Object.values<unknown>({ ...each }))) {
      if (typeof call !== 'function') continue
      const isVerifying = call.name === 'verifyEmail'
      // The server refuses missing arguments, which are undefined; only the address matters here.
      const made: unknown = call(visitor, '900001', isVerifying ? '900003' : '900002', {})
      const sent = Object(made) as Promise<unknown> & AsyncGenerator
      await ('next' in sent ? sent.next() : sent).catch((error: unknown) => error)
    }
    const document = JSON.parse(
      readFileSync(join(blog.folder, 'app/OpenApi/openapi.json'), 'utf8'),
    ) as { paths: Record<string, Record<string, { responses?: object }>> }
    // Some only say why they cannot be done.
    const canSucceed = ({ responses = {} }) => /"2\d\d":/.test(JSON.stringify(responses))
    const told = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item)
        .filter(([, operation]) => canSucceed(operation))
        .map(([method]) => `${method.toUpperCase()} ${path}`),
    )
    const ofClient = told.filter((each) => each.includes(' /api/'))
    expect([...called].toSorted()).toEqual(ofClient.toSorted())
  })
})

describe('a server that is away for a moment', () => {
  test('is asked again, as often and as long as was said, and only for what changes nothing', async () => {
    const asked: string[] = []
    let answers: [status: number, retryAfter: string | null][] = []
    const server = await served(({ method }) => {
      asked.push(method)
      const [status, after] = answers.shift() ?? [200, null]
      const headers = after === null ? {} : { 'retry-after': after }
      return Response.json({ message: 'Later.', data: { id: '1' } }, { status, headers })
    })
    const { baseUrl } = server
    const run = async (given: typeof answers, work: (api: Api) => Promise<unknown>) => {
      answers = [...given]
      asked.length = 0
      const status = await work(createApi({ baseUrl })).then(
        () => 200,
        (error: unknown) => (error instanceof SvcError ? error.status : String(error)),
      )
      return [status, ...asked]
    }
    const show = (api: Api) => posts.show(api, '1')
    const past = new Date(0).toUTCString()
    const away: [number, string] = [503, '0']
    expect(await run([away, [503, past]], show)).toEqual([200, 'GET', 'GET', 'GET'])
    expect(await run([away, away, away], show)).toEqual([503, 'GET', 'GET', 'GET'])
    expect(await run([[503, null]], show)).toEqual([503, 'GET'])
    expect(await run([[503, '3600']], show)).toEqual([503, 'GET'])
    expect(await run([[500, '0']], show)).toEqual([500, 'GET'])
    expect(await run([away], (api) => posts.store(api, { title: 'a' }))).toEqual([503, 'POST'])
    await server.close()
  })

  test('is not waited for any more by who has no use for the answer', async () => {
    const controller = new AbortController()
    const server = await served(() => {
      controller.abort(new Error('Enough.'))
      return new Response(null, { status: 503, headers: { 'retry-after': '9' } })
    })
    const api = createApi({ baseUrl: server.baseUrl })
    const asked = posts.show(api, '1', { signal: controller.signal })
    await expect(asked).rejects.toThrow('Enough.')
    await server.close()
  })

  test('may answer the page of a proxy, or nothing, or be another one', async () => {
    const server = await served(({ url }) =>
      url.endsWith('/1')
        ? new Response('<h1>Bad gateway</h1>', { status: 502, statusText: 'Bad Gateway' })
        : url.endsWith('/2')
          ? new Response(null, { status: 500 })
          : new Response('<h1>My application</h1>'),
    )
    const api = createApi({ baseUrl: server.baseUrl })
    const page = await failure(posts.show(api, '1'))
    expect([page.status, page.message, page.errors]).toEqual([502, 'Bad Gateway', {}])
    expect((await failure(posts.show(api, '2'))).message).toMatch(/\S/)
    const other = await failure(posts.show(api, '3'))
    expect([other.status, other.message]).toEqual([200, `No JSON came from ${server.baseUrl}`])
    await server.close()
  })
})
