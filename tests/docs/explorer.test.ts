import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, test, vi } from 'vitest'
import { renderFixture } from '../plan/fixture.js'
import { databases, openProject, type Edits, type Project } from '../support/project.js'

const page = (where: string) => ({
  'config/svc.ts': (text: string) => text.replace("page: 'development'", `page: '${where}'`),
})

const policies: Edits = {
  'app/Policies/CompanyPolicy.ts': (text) =>
    text
      .replace(
        'update: (user) => user !== null',
        'update: (user) => ({ users: { some: { id: user?.id, pivot: { is_admin: true } } } })',
      )
      .replace('delete: (user) => user !== null', 'delete: () => { throw new Error("mine") }'),
}

const contentTypes = ['image/svg+xml', 'text/css', 'text/html', 'text/javascript']

const csp =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const folder = 'runtime/features/docs/page'

describe.each(databases)('the page about the API in development, on %s', (name) => {
  let blog: Project
  beforeAll(async () => {
    blog = await openProject('blog', name, policies, 'development')
  })
  afterAll(() => blog.close())

  it('is served from files of the project, with a policy that allows nothing else, and once', async () => {
    const names = readdirSync(join(blog.folder, folder))
    const paths = names.map((each) => (each === 'index.html' ? '/docs' : `/docs/${each}`))
    const answers = await Promise.all(paths.map((path) => blog.get(path)))
    expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 200))
    for (const { headers } of answers) expect(headers.get('content-security-policy')).toBe(csp)
    expect(answers.flatMap(({ statements }) => statements)).toEqual([])
    const types = answers.map(({ headers }) => headers.get('content-type')?.split(';')[0])
    expect([...new Set(types)].toSorted()).toEqual(contentTypes)
    const etag = answers[0]?.headers.get('etag') ?? ''
    const again = await blog.request('GET', paths[0] ?? '', { headers: { 'if-none-match': etag } })
    expect(again).toMatchObject({ status: 304, body: null })
    expect((await blog.get('/docs/nothing.js')).status).toBe(404)
    expect((await blog.get('/docs/..%2fexplorer.ts')).status).toBe(404)
  })

  it('is where / leads', async () => {
    const { status, headers } = await blog.get('/')
    expect([status, headers.get('location')]).toEqual([302, '/docs'])
  })

  it('tells what policies answer a guest and the first users, in words and as SQL that the database takes', async () => {
    const ann = await blog.user('Ann')
    const { status, body } = await blog.get('/docs/policies')
    expect(status).toBe(200)
    expect(body.users).toEqual([
      { id: null, name: 'guest' },
      { id: String(ann), name: 'Ann' },
    ])
    const answers = (key: string, method: string) =>
      body.repositories
        .find((each: { key: string }) => each.key === key)
        .methods.find((each: { method: string }) => each.method === method).answers
    expect(answers('comments', 'show')).toEqual([{ answers: 'no' }, { answers: 'yes' }])
    const [guest, own] = answers('posts', 'show')
    expect(guest.words).toBe("published_at is set or owner_id is nobody's")
    expect(own).toMatchObject({
      answers: 'when',
      words: `published_at is set or owner_id is ${ann}`,
    })
    const post = await blog.insert('posts', { title: 'Mine', owner_id: ann })
    await blog.insert('posts', { title: 'Another', owner_id: await blog.user('Bob') })
    const sql = `select id from posts where ${own.sql}`
    const rows = await blog.database.query({ sql, access: 'read' }, own.parameters)
    expect(rows.map(([id]) => Number(id))).toEqual([post])
    expect(answers('companies', 'update')[1].words).toBe(
      `one of users has (id is ${ann} and its pivot's is_admin is true)`,
    )
    expect(answers('companies', 'delete')[0]).toEqual({ answers: 'error', words: 'mine' })
  })

  it('tells what they answer the users that are named, in that order, by id or e-mail', async () => {
    const ids = []
    for (const user of ['Cleo', 'Dan', 'Eve', 'Finn', 'Gil']) ids.push(await blog.user(user))
    const eve = await blog.get(`/api/svc/users/${ids[2]}`, ids[2])
    const { email } = eve.body.data.attributes
    const named = encodeURIComponent(
      ` ${ids[4]}, ${email.toUpperCase()} ,nobody@example.com,1 or 1=1,`,
    )
    const { body } = await blog.get(`/docs/policies?users=${named}`)
    const names = body.users.map((each: { name: string }) => each.name)
    expect(names).toEqual(['guest', 'Gil', 'Eve'])
    expect(body.unknown).toEqual(['nobody@example.com', '1 or 1=1'])
    const users = body.repositories.find((each: { key: string }) => each.key === 'users')
    const update = users.methods.find((each: { method: string }) => each.method === 'update')
    expect(update.answers.map((each: { words: string }) => each.words).slice(1)).toEqual([
      `id is ${ids[4]}`,
      `id is ${ids[2]}`,
    ])
    const nobody = await blog.get('/docs/policies?users=nobody@example.com')
    expect(nobody.body).toMatchObject({
      users: [{ name: 'guest' }],
      unknown: ['nobody@example.com'],
    })
    const many = await blog.get(`/docs/policies?users=${[8, 7, 6, 5, 4, 3, 2, 1, ...ids].join()}`)
    expect(many.body.users.length + many.body.unknown.length).toBe(1 + 8)
  })

  it('tells pages of other origins nothing of that', async () => {
    const asked = async (headers: Readonly<Record<string, string>>) =>
      (await blog.request('GET', '/docs/policies', { headers })).status
    const host = '127.0.0.1:3000'
    const own = [
      {},
      { 'sec-fetch-site': 'same-origin' },
      { host: 'localhost:3000' },
      { host, origin: `http://${host}` },
      { host: '[::1]:3000' },
    ]
    const others = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { host, origin: 'http://evil.example' },
      { host, origin: 'null' },
      { host: 'evil.example:3000', origin: 'http://evil.example:3000' },
      { host: 'localhost.evil.example' },
    ]
    expect(await Promise.all(own.map(asked))).toEqual(own.map(() => 200))
    expect(await Promise.all(others.map(asked))).toEqual(others.map(() => 403))
  })
})

test('in production it is where the config says so, and policies never are; in development it may be off', async () => {
  vi.stubEnv('FRONTEND_APP_URL', 'https://app.example.com')
  vi.stubEnv('APP_KEY', 'a'.repeat(64))
  vi.stubEnv('MAIL_MAILER', 'log')
  onTestFinished(() => void vi.unstubAllEnvs())
  const statuses = async (environment: 'development' | 'production', edits: Edits) => {
    const blog = await openProject('blog', 'sqlite', edits, environment)
    const answers = await Promise.all(
      ['/docs', '/', '/docs/policies'].map((path) => blog.get(path)),
    )
    await blog.close()
    return answers.map(({ status }) => status)
  }
  expect(await statuses('production', {})).toEqual([404, 404, 404])
  expect(await statuses('production', page('always'))).toEqual([200, 404, 404])
  expect(await statuses('development', page('off'))).toEqual([404, 404, 404])
})

test('the page holds nothing inline, asks for nothing from elsewhere, and writes no markup', async () => {
  const all = await renderFixture('blog', 'sqlite')
  const files = all.filter(({ path }) => path.startsWith(folder))
  const html = files.find(({ path }) => path.endsWith('.html'))?.content
  expect(html).not.toMatch(/ style=| on\w+=|<style|<script(?![^>]* src=)/)
  const text = files.map(({ content }) => content).join('\n')
  const elsewhere = [...text.matchAll(/https?:\/\/[^'"\s`$]+/g)].map(([url]) => url)
  expect([...new Set(elsewhere)]).toEqual(['http://www.w3.org/2000/svg'])
  expect(text).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|\beval\b|new Function/)
})

test('the page is in no project without a document', async () => {
  const files = await renderFixture('minimal', 'sqlite')
  expect(files.filter(({ path }) => /docs|explorer/i.test(path))).toEqual([])
  const texts = files.filter(({ path }) => /^(app|config|routes)\//.test(path))
  expect(texts.filter(({ content }) => /docs|explorer/i.test(content))).toEqual([])
})
