/** Clients in the hands of code that compile.test.ts compiles, against their servers: svc's of every-kind, openapi-fetch of the blog. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { load, emitFixture, openFolder, openProject, type Project } from '../../support/project.js'
import { served, type Served } from './served.js'
import { useBlog, useEveryKind } from './uses.js'

/** All errors of these are reported at once. */
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
  {
    text: 5,
    integer: 2147483648,
    float: null,
    decimal: Number('12345678901234567'),
    boolean: null,
  },
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
    json: { deep: [Infinity, 'a\0'] },
    email: `${'a'.repeat(250)}@example.test`,
    url: 'javascript:alert(1)',
    maybe_url: `https://example.test/${'a'.repeat(300)}`,
    field: 7,
    toggle: null,
  },
]

describe('the client of every-kind', () => {
  let project: Project
  let server: Served
  // The exports of a project are compiled above; here they are loaded.
  // oxlint-disable-next-line typescript/no-explicit-any
  let used: any
  // oxlint-disable-next-line typescript/no-explicit-any
  let api: any

  beforeAll(async () => {
    const client = "client: { path: './client', zod: true },"
    const folder = await emitFixture('every-kind', 'sqlite', {
      'manifest/index.ts': (text) => text.replace('defineManifest({', `defineManifest({ ${client}`),
    })
    const policies = join(folder, 'app/Policies')
    for (const name of readdirSync(policies)) {
      const text = readFileSync(join(policies, name), 'utf8')
      writeFileSync(join(policies, name), text.replaceAll('() => false', '() => true'))
    }
    writeFileSync(join(folder, 'use.ts'), useEveryKind)
    project = await openFolder(folder, 'sqlite')
    server = await served((request) => project.fetch(request))
    const loadOwn = (path: string) => load(folder, path)
    used = await loadOwn('use.ts')
    const { createApi } = await loadOwn('client/client.ts')
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

test('openapi-fetch asks the server, which answers as the types of openapi-typescript say', async () => {
  const blog = await openProject('blog', 'sqlite')
  const server = await served((request) => blog.fetch(request))
  writeFileSync(join(blog.folder, 'use.ts'), useBlog)
  const token = blog.token(await blog.user('Ann'))
  const foreign = await load(blog.folder, 'use.ts')
  expect(await foreign.use(server.baseUrl, token)).toEqual({
    ...{ title: 'Typed', titles: ['Typed'], total: 1, owner: 'Ann', status: 422 },
    errors: { title: ['The title must not be longer than 160 characters.'] },
  })
  await server.close()
  await blog.close()
})
