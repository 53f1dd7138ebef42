/** `globalSearch`: one address that finds records of several repositories, each under its own policy. */
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { blueprintOf } from '../../core/plan/fixture.js'
import { openManifest } from '../../support/own-manifest.js'
import { databases, type Project } from '../../support/project.js'
import { checkClient, clientOf } from '../client/check-client.js'

const manifest = {
  manifest: 'tests/features/global-search/manifest.ts',
  files: {
    'app/Policies/CodePolicy.ts': `import type { CodeModel, PolicyFor } from '#app/Models.js'

export const CodePolicy: PolicyFor<CodeModel> = {
  canSee: { town: (user) => user?.is_admin === true },
  show: (user) => user !== null,
  store: () => false,
  update: () => false,
  delete: () => false,
}
`,
  },
  policies: {
    Post: { show: '(user) => any({ owner_id: user?.id }, { place: { gt: 10 } })' },
    Vault: { show: '(user) => user?.is_admin === true' },
    // Who may be seen by whoever has a token.
    User: { show: '() => true' },
  },
}

interface Found {
  readonly type: string
  readonly title: string | null
}

const path = '/api/svc/search'

describe.each(databases)('searching everything, on %s', (name) => {
  let project: Project
  let ann: number
  let bob: number
  let admin: number

  beforeAll(async () => {
    project = await openManifest(manifest, name)
    ann = await project.user('Ann Lamp')
    bob = await project.user('Bob')
    admin = await project.user('Admin', { is_admin: true })
    const posts = [
      { id: 1, title: 'A lamp', place: 3, owner_id: ann },
      { id: 2, title: 'Another LAMP', place: null, owner_id: bob },
      { id: 3, title: 'Lamps for all', place: 11, owner_id: bob },
      { id: 4, title: 'A chair', place: 12, owner_id: bob, writer_id: ann },
      { id: 5, title: 'A broken lamp', place: 13, owner_id: ann, deleted_at: instant(name) },
    ]
    for (const post of posts) await project.insert('posts', post)
    for (const table of ['vaults', 'notes']) await project.insert(table, { id: 1, name: 'lamp' })
    const codes = 'insert into codes (id, name, town, created_at, updated_at) values'
    const row = `('a/b ?', 'lamp', 'Rome', ${now}, ${now})`
    await project.database.query({ sql: `${codes} ${row}`, access: 'write' }, [])
  })
  afterAll(() => project.close())

  const now = name === 'sqlite' ? "'2026-01-01T00:00:00.000Z'" : 'now()'
  const find = (query: string, as?: number) => project.get(`${path}?${query}`, as)
  const titles = async (query: string, as?: number) =>
    (await find(query, as)).body.data.map(({ type, title }: Found) => `${type} ${title}`)

  it('answers what each repository shows, in their order, with its address', async () => {
    const { status, body } = await find('search=lamp', ann)
    expect(status).toBe(200)
    expect(body).toEqual({
      data: [
        {
          ...{ type: 'users', id: String(ann), title: 'Ann Lamp' },
          ...{ subtitle: expect.stringContaining('@'), link: `/api/svc/users/${ann}` },
        },
        // Of a record that belongs to somebody who is found.
        { type: 'posts', id: '4', title: 'A chair', subtitle: '12', link: '/api/svc/posts/4' },
        {
          ...{ type: 'posts', id: '3', title: 'Lamps for all', subtitle: '11' },
          link: '/api/svc/posts/3',
        },
        { type: 'posts', id: '1', title: 'A lamp', subtitle: '3', link: '/api/svc/posts/1' },
        {
          ...{ type: 'codes', id: 'a/b ?', title: 'lamp', subtitle: null },
          link: '/api/svc/codes/a%2Fb%20%3F',
        },
      ],
    })
    for (const { link } of body.data) expect((await project.get(link, ann)).status).toBe(200)
  })

  it('shows each person what they may see, and nothing of trashed records', async () => {
    expect(await titles('search=lamp', bob)).toEqual([
      'users Ann Lamp',
      ...['posts A chair', 'posts Lamps for all', 'posts Another LAMP', 'codes lamp'],
    ])
    expect(await titles('search=lamp', admin)).toEqual([
      'users Ann Lamp',
      ...['posts A chair', 'posts Lamps for all', 'vaults lamp', 'codes lamp'],
    ])
    const { body } = await find('search=lamp&only=codes', admin)
    expect(body.data[0].subtitle).toBe('Rome')
    // A guest may read some posts, and nothing else, as at their own addresses.
    expect(await titles('search=lamp')).toEqual(['posts Lamps for all'])
    expect(await find('search=lamp&only=codes,vaults')).toMatchObject({ status: 401 })
  })

  it('asks each repository once, and none of which the user sees nothing', async () => {
    const asked = async (query: string, as: number) => {
      const { statements } = await find(query, as)
      return statements.filter(({ sql }) => /^\s*select/i.test(sql) && !sql.includes('token'))
        .length
    }
    expect(await asked('search=lamp', admin)).toBe(4)
    expect(await asked('search=lamp', ann)).toBe(3)
    expect(await asked('search=a&perPage=50', ann)).toBe(3)
    expect(await asked('search=lamp&only=vaults', ann)).toBe(0)
  })

  it('takes so many of each, of some alone', async () => {
    expect(await titles('search=lamp&perPage=1', ann)).toEqual([
      ...['users Ann Lamp', 'posts A chair', 'codes lamp'],
    ])
    const some = ['posts A chair', 'posts Lamps for all', 'posts A lamp', 'codes lamp']
    expect(await titles('search=lamp&only=codes,posts', ann)).toEqual(some)
    expect(await titles('search=lamp&only[]=codes&only[]=posts', ann)).toEqual(some)
    expect(await titles('search=lamp&only=codes&only=posts', ann)).toEqual(some)
    expect(await titles('search=nothing+is+called+so', ann)).toEqual([])
  })

  it.each([
    ['', 'The search parameter is required: the text to find.'],
    ['search=%20', 'The search parameter is required: the text to find.'],
    ['search=a&search=b', 'The search parameter takes one value.'],
    ['search[]=a', 'The search parameter takes one value.'],
    [`search=${'a'.repeat(201)}`, 'The search parameter must not be longer than 200 characters.'],
    ['search=a%00', 'The search parameter must not contain a NUL character.'],
    ['search=a&perPage=0', 'The perPage parameter must be a positive integer.'],
    ['search=a&perPage=1&perPage=2', 'The perPage parameter takes one value.'],
    [
      'search=a&only=notes',
      "The only parameter names 'notes', and knows users, posts, vaults, codes.",
    ],
    ['search=a&only=', "The only parameter names '', and knows users, posts, vaults, codes."],
    [
      'search=a&only=__proto__',
      "The only parameter names '__proto__', and knows users, posts, vaults, codes.",
    ],
    ['search=a&page=2', 'The page parameter is not known here. Known: search, perPage, only.'],
    [
      'search=a&constructor[x]=2',
      'The constructor[x] parameter is not known here. Known: search, perPage, only.',
    ],
  ])('refuses %s', async (query, message) => {
    const { status, body } = await find(query, ann)
    expect([status, body.message]).toEqual([400, message])
    expect(Object.keys(body.errors)).toHaveLength(1)
  })

  it('is read only', async () => {
    const { status, headers } = await project.post(path, {}, ann)
    expect([status, headers.get('allow')]).toEqual([405, expect.stringContaining('GET')])
  })

  it('answers what differs only in hidden records to the byte', async () => {
    const before = JSON.stringify((await find('search=lamp', ann)).body)
    const hidden = [
      await project.insert('posts', { id: 90, title: 'hidden lamp', place: 1, owner_id: bob }),
      await project.insert('vaults', { id: 90, name: 'hidden lamp' }),
    ]
    expect(hidden).toEqual([90, 90])
    expect(JSON.stringify((await find('search=lamp', ann)).body)).toBe(before)
    expect((await find('search=hidden', ann)).body).toEqual({ data: [] })
  })
})

const instant = (name: string) =>
  name === 'sqlite' ? '2026-01-01T00:00:00.000+00:00' : '2026-01-01T00:00:00.000Z'

test('the client has a function of its own, which knows what is searched', async () => {
  const files = clientOf(await blueprintOf('features/global-search', 'sqlite'), 'client')
  const use = (code: string) => ({
    path: 'use.ts',
    content: `import { createApi } from './client/client.js'
import { search } from './client/search.js'
const api = createApi({ baseUrl: '' })
${code}`,
  })
  const right = use(`
export async function find(): Promise<string[]> {
  const found = await search(api, { search: 'lamp', perPage: 3, only: ['posts', 'tags'] })
  return found.map(({ type, title, link }) => type === 'users' ? link : (title ?? ''))
}`)
  const wrong = use(`export const wrong = () => search(api, { search: 'a', only: ['comments'] })`)
  expect(checkClient([...(await files), right])).toBe('')
  expect(checkClient([...(await files), wrong])).toContain(`"comments"' is not assignable`)
})

test.each(databases)(
  'finds nothing where one may see none of the columns that are searched, on %s',
  async (name) => {
    const show = '() => true,\n  canSee: { text: (user) => user?.is_admin === true }'
    const project = await openManifest(
      {
        manifest: 'tests/features/global-search/manifests/hidden.ts',
        policies: { Letter: { show }, Sheet: { show } },
        edits: {
          'config/svc.ts': (text) => text.replace(/strict_queries: \w+/, 'strict_queries: true'),
        },
      },
      name,
    )
    const admin = await project.user('Admin', { is_admin: true })
    for (const table of ['letters', 'sheets']) await project.insert(table, { text: 'zebra' })
    const types = async (as?: number) => {
      const { status, body } = await project.get(`${path}?search=zebra`, as)
      return [status, body.data?.map(({ type }: Found) => type)]
    }
    expect(await types()).toEqual([200, []])
    expect(await types(admin)).toEqual([200, ['letters', 'sheets']])
    await project.close()
  },
)
