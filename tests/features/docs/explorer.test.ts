import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, test, vi } from 'vitest'
import { renderFixture } from '../../core/plan/fixture.js'
import { databases, openProject, type Edits, type Project } from '../../support/project.js'

const page = (where: string) => ({
  'config/svc.ts': (text: string) => text.replace("page: 'development'", `page: '${where}'`),
})

const policies: Edits = {
  'app/Policies/PhonePolicy.ts': (text) =>
    text.replace(
      'store: (user) => user !== null',
      `store: (user) => user?.name === 'Mia',
  canSee: { number: (user) => user?.name === 'Mia' },
  canStore: { number: (user) => user?.name === 'Mia' }`,
    ),
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

/** As the runtime has it: a project gets it inside the package. */
const folder = fileURLToPath(new URL('../../../runtime/features/docs/page/', import.meta.url))

describe.each(databases)('the page about the API in development, on %s', (name) => {
  let blog: Project
  beforeAll(async () => {
    blog = await openProject('blog', name, policies, 'development')
  })
  afterAll(() => blog.close())

  const socket = { remoteAddress: '127.0.0.1' }
  const policiesOf = (query = '') => blog.request('GET', `/docs/policies${query}`, { socket })

  it('is served from files of the runtime, with a policy that allows nothing else, and once', async () => {
    const names = readdirSync(folder)
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

  it('tells which parts it has', async () => {
    const own = await blog.request('GET', '/docs/parts', { socket })
    expect(own.body).toEqual({ policies: true, console: '/graphql' })
    const elsewhere = { socket: { remoteAddress: '192.0.2.1', localAddress: '192.0.2.2' } }
    expect((await blog.request('GET', '/docs/parts', elsewhere)).body.policies).toBe(false)
  })

  it('is where / leads', async () => {
    const { status, headers } = await blog.get('/')
    expect([status, headers.get('location')]).toEqual([302, '/docs'])
  })

  it('tells what policies answer a guest and the first users, in words and as SQL that the database takes', async () => {
    const ann = await blog.user('Ann')
    const { status, body } = await policiesOf()
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
    const { body } = await policiesOf(`?users=${named}`)
    const names = body.users.map((each: { name: string }) => each.name)
    expect(names).toEqual(['guest', 'Gil', 'Eve'])
    expect(body.unknown).toEqual(['nobody@example.com', '1 or 1=1'])
    const users = body.repositories.find((each: { key: string }) => each.key === 'users')
    const update = users.methods.find((each: { method: string }) => each.method === 'update')
    expect(update.answers.map((each: { words: string }) => each.words).slice(1)).toEqual([
      `id is ${ids[4]}`,
      `id is ${ids[2]}`,
    ])
    const nobody = await policiesOf('?users=nobody@example.com')
    expect(nobody.body).toMatchObject({
      users: [{ name: 'guest' }],
      unknown: ['nobody@example.com'],
    })
    const many = await policiesOf(`?users=${[8, 7, 6, 5, 4, 3, 2, 1, ...ids].join()}`)
    expect(many.body.users.length + many.body.unknown.length).toBe(1 + 8)
  })

  it('tells why of the four rights of a record, without what its user may not see', async () => {
    const owner = await blog.user('Ivy')
    const other = await blog.user('Jon')
    const post = await blog.insert('posts', { title: 'Draft', owner_id: owner })
    const rightsOf = async (path: string) => {
      const { status, body } = await blog.request('GET', `/docs/why/${path}`, { socket })
      return { status, rights: body.rights, message: body.message }
    }
    const { rights } = await rightsOf(`posts/${post}?user=${owner}`)
    expect(rights.map((each: Right) => [each.operation, each.answer])).toEqual([
      ['show', 'yes'],
      ['update', 'yes'],
      ['delete', 'yes'],
      ['store', 'yes'],
    ])
    const hidden = await rightsOf(`posts/${post}?user=${other}`)
    expect(hidden.rights[0]).toMatchObject({ operation: 'show', answer: 'no' })
    expect(hidden.rights[0].text).toContain(`owner_id is the user's id, ${other}`)
    const company = await blog.insert('companies', { name: 'Acme' })
    const failing = await rightsOf(`companies/${company}?user=${owner}`)
    expect(failing.rights[2]).toEqual({ operation: 'delete', answer: 'no', text: 'It fails: mine' })
    // People of a company are shown to who may see all users.
    expect(failing.rights[1].text).toContain('one of users')
    expect(await rightsOf('nothing/1')).toMatchObject({ status: 404 })
    expect(await rightsOf('posts/1?user=nobody@example.com')).toMatchObject({ status: 404 })
    const elsewhere = { socket: { remoteAddress: '192.0.2.1', localAddress: '192.0.2.2' } }
    expect((await blog.request('GET', `/docs/why/posts/${post}`, elsewhere)).status).toBe(403)
  })

  interface Right {
    readonly operation: string
    readonly answer: string
  }

  it('tells in a denied answer why, to who asks for it from this machine', async () => {
    const owner = await blog.user('Kit')
    const other = await blog.user('Lou')
    const hidden = await blog.insert('posts', { title: 'Draft', owner_id: owner })
    const now = new Date().toISOString()
    const shown = await blog.insert('posts', { title: 'Out', owner_id: owner, published_at: now })
    const asked = async (method: string, path: string, more: object = {}) => {
      const headers = { 'x-svc-why': '1', 'content-type': 'application/json' }
      const options = { as: other, headers, socket, ...more }
      const { status, body } = await blog.request(method, `/api/svc/posts${path}`, options)
      return { status, why: body.why }
    }
    const missed = await asked('GET', `/${hidden}`)
    expect(missed).toMatchObject({
      status: 404,
      why: {
        sentence: `No: Lou (user ${other}) does not see posts/${hidden}: it is there, and hidden (404).`,
      },
    })
    const body = JSON.stringify({ title: 'Mine' })
    expect(await asked('PATCH', `/${shown}`, { body })).toMatchObject({
      status: 403,
      why: { steps: [{ rule: 'show' }, { rule: 'update', answer: 'no' }] },
    })
    expect(await asked('GET', '/999999')).toEqual({ status: 404, why: undefined })
    expect((await asked('GET', `/${shown}`)).why).toBeUndefined()
    expect(await asked('GET', `/${hidden}`, { headers: {} })).toMatchObject({ why: undefined })
    const elsewhere = { socket: { remoteAddress: '192.0.2.1', localAddress: '192.0.2.2' } }
    expect((await asked('GET', `/${hidden}`, elsewhere)).why).toBeUndefined()
    // On this machine too: a page of another origin, and one whose name was pointed here.
    for (const foreign of [
      { origin: 'https://evil.test' },
      { host: 'evil.test:3000' },
      { 'sec-fetch-site': 'cross-site' },
    ]) {
      const headers = { 'x-svc-why': '1', ...foreign }
      expect((await asked('GET', `/${hidden}`, { headers })).why).toBeUndefined()
    }
  })

  it('tells a user, a guest, and nobody with a wrong token, what may be made and which fields are closed', async () => {
    const may = await blog.user('May')
    const rightsOf = async (key: string, as?: number) =>
      (await blog.get(`/docs/rights/${key}`, as)).body
    const open = { see: [], store: [], update: [] }
    expect(await rightsOf('tags', may)).toEqual({ store: true, closed: open })
    expect(await rightsOf('tags')).toMatchObject({ store: false })
    expect(await rightsOf('phones', may)).toMatchObject({
      store: false,
      closed: { see: ['number'], store: ['number'], update: [] },
    })
    const mia = await blog.user('Mia')
    expect(await rightsOf('phones', mia)).toEqual({ store: true, closed: open })
    const headers = { authorization: 'Bearer 1|nonsense' }
    expect((await blog.request('GET', '/docs/rights/tags', { headers })).status).toBe(401)
    expect((await blog.get('/docs/rights/nothing', may)).status).toBe(404)
  })

  it('tells pages of other origins nothing of that', async () => {
    const asked = async (headers: Readonly<Record<string, string>>) =>
      (await blog.request('GET', '/docs/policies', { headers, socket })).status
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

  it('tells other machines nothing of that, whatever they call this one', async () => {
    const host = { host: 'localhost:3000' }
    const asked = async (from: string, headers = {}, to = '192.0.2.1') => {
      const connection = { remoteAddress: from, localAddress: to }
      const options = { headers: { ...host, ...headers }, socket: connection }
      return (await blog.request('GET', '/docs/policies', options)).status
    }
    for (const own of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '192.0.2.1']) {
      expect([own, await asked(own)]).toEqual([own, 200])
    }
    for (const other of ['192.0.2.7', '::ffff:192.0.2.7', '2001:db8::7', '']) {
      expect([other, await asked(other)]).toEqual([other, 403])
    }
    for (const name of ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip', 'x-forwarded-proto']) {
      expect([name, await asked('127.0.0.1', { [name]: '127.0.0.1' })]).toEqual([name, 403])
    }
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
      ['/docs', '/', '/docs/policies', '/docs/why/posts/1'].map((path) => blog.get(path)),
    )
    const owner = await blog.user('Ann')
    const post = await blog.insert('posts', { title: 'Draft', owner_id: owner })
    const headers = { 'x-svc-why': '1' }
    const socket = { remoteAddress: '127.0.0.1' }
    const asked = { as: await blog.user('Bob'), headers, socket }
    const { body } = await blog.request('GET', `/api/svc/posts/${post}`, asked)
    expect(body.why !== undefined).toBe(environment === 'development')
    await blog.close()
    return answers.map(({ status }) => status)
  }
  expect(await statuses('production', {})).toEqual([404, 404, 404, 404])
  expect(await statuses('production', page('always'))).toEqual([200, 404, 404, 404])
  expect(await statuses('development', page('off'))).toEqual([404, 404, 404, 404])
})

const scripts = readdirSync(folder).filter((name) => name.endsWith('.js'))
const sizeOf = (names: Iterable<string>) =>
  [...names].reduce((sum, name) => sum + readFileSync(`${folder}${name}`).byteLength, 0)

/** A module with all that it imports before it runs. */
function modulesOf(name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found
  found.add(name)
  const text = readFileSync(`${folder}${name}`, 'utf8')
  for (const [, next = ''] of text.matchAll(/^(?:import|\}) .*?from '\.\/(.+?)'$/gm))
    modulesOf(next, found)
  return found
}

test('a visit to one view loads at most 100 KB of the page, the rest waits for its own', () => {
  const shell = ['index.html', 'style.css', 'icon.svg']
  const main = readFileSync(`${folder}main.js`, 'utf8')
  const views = [...main.matchAll(/import\('\.\/(.+?)'\)/g)].map(([, name = '']) => name)
  expect(views).toContain('data.js')
  for (const view of views) {
    const modules = modulesOf(view, modulesOf('main.js'))
    expect([view, sizeOf([...shell, ...modules]) <= 100_000]).toEqual([view, true])
  }
  const reached = new Set([...scripts.filter((name) => name === 'why.js'), ...modulesOf('main.js')])
  for (const view of views) modulesOf(view, reached)
  expect(scripts.filter((name) => !reached.has(name))).toEqual([])
})

test('a project is not served what it has not', async () => {
  const statuses = async (fixture: string, environment: 'development' | 'production') => {
    const project = await openProject(fixture, 'sqlite', page('always'), environment)
    const found = []
    for (const name of scripts) {
      if ((await project.get(`/docs/${name}`)).status === 404) found.push(name)
    }
    const parts = (await project.get('/docs/parts')).body
    await project.close()
    return { missing: found, parts }
  }
  vi.stubEnv('FRONTEND_APP_URL', 'https://app.example.com')
  vi.stubEnv('APP_KEY', 'a'.repeat(64))
  vi.stubEnv('MAIL_MAILER', 'log')
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(await statuses('blog', 'production')).toEqual({
    missing: ['console.js', 'policies.js', 'why.js'],
    parts: { policies: false, console: null },
  })
})

test('the page holds nothing inline, asks for nothing from elsewhere, and writes no markup', () => {
  const textOf = (name: string) => readFileSync(`${folder}${name}`, 'utf8')
  expect(textOf('index.html')).not.toMatch(/ style=| on\w+=|<style|<script(?![^>]* src=)/)
  const text = readdirSync(folder).map(textOf).join('\n')
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
