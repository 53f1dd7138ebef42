/** What `serve` answers on the direct way is what Hono answers: the same status, headers and bytes, over one connection each. */
import { Agent, request as send, type Server } from 'node:http'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { databases, type DatabaseName } from '../../support/databases.js'
import { openManifest } from '../../support/own-manifest.js'
import { load, type Project } from '../../support/project.js'

const manifest = {
  manifest: 'tests/core/http/manifests/direct-way.ts',
  policies: {
    Note: {
      show: '(user) => any({ is_open: true }, { owner_id: user?.id }, { owner: { is: { is_admin: true } } })',
      store: '(user) => ({ owner_id: user?.id })',
      update: '(user) => ({ owner_id: user?.id, likes: { lt: 70_000 } })',
      delete: '(user) => user?.is_admin === true',
    },
    Value: { update: '(user) => ({ whole: { in: [1, 2, user?.id ?? 0] } })' },
    // A guest sees none, so nobody asks whether a guest may change one.
    Shelf: {
      show: '(user) => ({ label: user?.name })',
      update: '(user) => user.is_admin === true',
      store: 'async (user) => user.is_admin === true',
    },
    Mistake: {
      show: "() => { globalThis.beforeMistake?.(); throw new Error('a mistake of mine') }",
    },
    Task: {
      show: '(user) => any({ owner_id: user?.id }, { label: { contains: "x" } })',
      store: '(user) => any({ owner_id: user?.id }, { label: "text" })',
      update: '(user) => ({ owner_id: user?.id, owner: { is: { is_admin: true } } })',
    },
    Wait: { show: 'async (user) => user !== null' },
  },
}

const edits = {
  'config/svc.ts': (text: string) =>
    text
      .replace("origins: ['*'],", "origins: ['https://example.org'],\n    credentials: true,")
      .replace('strict_queries: false', 'strict_queries: true'),
}

interface Answer {
  readonly status: number | undefined
  readonly head: readonly string[]
  readonly body: string
}

/** As a client reads it, but for the date. */
function headOf(rawHeaders: readonly string[]): readonly string[] {
  const pairs = rawHeaders.flatMap((name, at) => {
    // Both servers count together.
    const value = name === 'RateLimit' ? 'what is left' : rawHeaders[at + 1]
    return at % 2 === 0 && name !== 'Date' ? [`${name.toLowerCase()}: ${value}`] : []
  })
  return pairs.toSorted()
}

/** Repeatable numbers below 1. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const texts = [
  '',
  'plain',
  'a "quote" and \\ a stroke',
  'line\nbreak\u0001',
  'größer 漢字 🎉',
  '\ud83c alone',
  '\u2028</script>',
]

/** Every feature that does something with plain requests. */
const withFeatures = (text: string, name: DatabaseName) =>
  text
    .replace(
      /openapi: false,\n {2}reads: \[.*\],/,
      `reads: ['operators', 'trees', 'sparse', 'includeArguments', 'cursors', 'offsets', 'filters'],
  metrics: true, tracing: true, rateLimit: true, idempotency: true, dryRun: true, messages: ['de'],
  mutations: 'together', ${name === 'sqlite' ? 'readerThreads' : 'readReplicas'}: true,`,
    )
    .replace(
      'softDeletes: true,',
      "softDeletes: true, versioned: true, bulk: true, export: true, hooks: 'inside',",
    )
    .replace('editions: repository({', "editions: repository({ hooks: 'inside', ")

const limits = (text: string) =>
  text
    .replace('per_minute: 600', 'per_minute: 1_000_000')
    .replace("enforced: 'production'", "enforced: 'always'")

const cases = databases.flatMap((name) =>
  (['alone', 'with every feature'] as const).map((how) => [name, how] as const),
)

describe.each(cases)('requests on %s, %s', (name, how) => {
  let project: Project
  let direct: Running
  let usual: Running
  let seen = 0
  const people: number[] = []
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const signals = ['SIGTERM', 'SIGINT', 'unhandledRejection'] as const
  const before = signals.map((signal) => process.listeners(signal as 'SIGTERM'))

  interface Running {
    readonly server: Server
    readonly port: number
    close(): Promise<void>
  }

  beforeAll(async () => {
    // On one of them, with what makes answers differ by their origin and by unknown parameters.
    const own = name === 'sqlite' ? manifest : { ...manifest, edits }
    const all = {
      ...manifest,
      change: (text: string) => withFeatures(text, name),
      edits: { 'config/svc.ts': limits },
    }
    project = await openManifest(how === 'alone' ? own : all, name)
    const { serve } = await load(project.folder, 'runtime/http/serve.ts')
    const { createApp } = await load(project.folder, 'app/app.ts')
    const { log } = await load(project.folder, 'app/log.ts')
    const app = createApp()
    const fetch = (...call: readonly unknown[]) => {
      seen += 1
      return app.fetch(...call)
    }
    const options = { host: '127.0.0.1', port: 0, log, graceMs: 0 }
    direct = await serve({ fetch, router: app.router }, options)
    usual = await serve({ fetch: app.fetch }, options)
    await fill()
  })
  afterAll(async () => {
    agent.destroy()
    await Promise.all([direct.close(), usual.close()])
    signals.forEach((signal, at) => {
      for (const listener of process.listeners(signal as 'SIGTERM')) {
        if (before[at]?.includes(listener) !== true) process.off(signal, listener)
      }
    })
    await project.close()
  })

  async function fill(): Promise<void> {
    const next = numbers(7)
    const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T
    people.push(await project.user('Ann', { is_admin: true }), await project.user('Ben'))
    const day = name === 'sqlite' ? '2026-02-03T00:00:00.000+00:00' : '2026-02-03'
    for (let at = 0; at < 40; at += 1) {
      const owner_id = pick([...people, null])
      const [title, body] = [pick(texts), pick([...texts, null])]
      const likes = pick([0, -5, 2_147_483_647, 69_999, 70_000])
      await project.insert('notes', {
        title,
        body,
        likes,
        is_open: pick([true, false, null]),
        owner_id,
      })
      await project.insert('values', {
        whole: pick([0, -1, 1, 2, 2_147_483_647, null]),
        large: pick(['9007199254740993', '-9223372036854775808', '0', null]),
        part: pick([0, 0.1, -1e21, 1e-7, 123_456.789, null]),
        price: pick(
          ['12.50', '0.00', '-99.99', null].map((price) =>
            name === 'sqlite' && price !== null ? Number(price) : price,
          ),
        ),
        flag: pick([true, false, null]),
        label: pick([...texts, null]),
        day: pick([day, null]),
        at: pick(['2026-02-03T04:05:06.789Z', '1999-12-31T23:59:59.000Z', null]),
        tree: pick(['{"a":[1,2.5,"x\\"y"],"b":null}', '"text"', '[]', 'null', null]),
      })
    }
    for (const table of ['editions', 'mistakes', 'waits', 'shelves'])
      await project.insert(table, { label: 'one' })
    await project.insert('labels', { id: '0190a6b2-7c4e-7000-8000-000000000001', label: 'by uuid' })
  }

  const ask = (
    port: number,
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: string,
  ) =>
    new Promise<Answer>((resolve, reject) => {
      const sent = send({ host: '127.0.0.1', port, method, path, headers, agent }, (answer) => {
        const bytes: Buffer[] = []
        answer.on('data', (piece: Buffer) => bytes.push(piece))
        answer.on('end', () => {
          const body = Buffer.concat(bytes).toString('latin1')
          resolve({ status: answer.statusCode, head: headOf(answer.rawHeaders), body })
        })
      })
      sent.on('error', reject).end(body)
    })

  /** What differs between two records that are made one after the other. */
  const withoutIds = ({ status, head, body }: Answer): Answer => {
    if (status !== 201) return { status, head, body }
    const { id } = (JSON.parse(body) as { data: { id: string } }).data
    const time = /"(created_at|updated_at)":"[^"]{24}"/g
    return {
      status,
      head: head
        .filter((line) => !line.startsWith('content-length'))
        .map((line) => line.replace(`/${id}`, '/ID')),
      body: body.replace(`"id":"${id}"`, '"id":"ID"').replaceAll(time, '"$1":"TIME"'),
    }
  }

  async function sameWrite(path: string, headers: Record<string, string>, body?: string) {
    const one = withoutIds(await ask(direct.port, 'POST', path, headers, body))
    const other = withoutIds(await ask(usual.port, 'POST', path, headers, body))
    expect([path, headers, body, one]).toEqual([path, headers, body, other])
    return one
  }

  async function same(method: string, path: string, headers: Record<string, string>) {
    const one = await ask(direct.port, method, path, headers)
    const other = await ask(usual.port, method, path, headers)
    expect([method, path, headers, one]).toEqual([method, path, headers, other])
    return one
  }

  const tokenOf = (person: number | undefined) => `Bearer ${project.token(person ?? 0)}`

  test('random requests have the same bytes and headers', async () => {
    const next = numbers(11)
    const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T
    const keys = ['users', 'notes', 'values', 'editions', 'labels', 'mistakes', 'waits', 'nothing']
    const rests = [
      ...['', '', '', '/1', '/2', '/7', '/39', '/0', '/999', '/01', '/1.5', '/x', '/%31', '/1/'],
      ...[
        '/2147483648',
        '/0190a6b2-7c4e-7000-8000-000000000001',
        '/1/owner',
        '//1',
        '/../1',
        '/%00',
      ],
    ]
    const queries = [
      ...[
        '',
        '',
        '',
        '?',
        '?page=2',
        '?page=2&perPage=3',
        '?perPage=100',
        '?perPage=1000',
        '?page=0',
        '?page=x',
      ],
      ...[
        '?sort=-id',
        '?sort=title',
        '?sort=-likes,title',
        '?sort=nothing',
        '?sort=',
        '?page=1&page=2',
        '?page[number]=2',
      ],
      ...[
        '?title=plain',
        '?filter[title]=plain',
        '?likes[gte]=5',
        '?search=quote',
        '?include=owner',
        '?include=notes',
      ],
      ...[
        '?fields=title',
        '?fields[notes]=title',
        '?cursor=',
        '?withTotal=false',
        '?unknown=1',
        '?page=99999999999999999',
      ],
      ...[
        '?search=%',
        '?search=%C3%B6',
        '?search=a+b',
        '?page=2#x',
        '?a=/../',
        '?search="',
        '?withMeta=true',
      ],
    ]
    const [ann, ben] = people
    const tokens = [
      ...[tokenOf(ann), tokenOf(ann), tokenOf(ben), tokenOf(ben), tokenOf(ann).toLowerCase()],
      ...[
        'Bearer 1|short',
        `Bearer 99|${'x'.repeat(40)}`,
        'Basic eDp5',
        '',
        `Bearer 1|${'x'.repeat(40)}`,
        'a.b.c',
      ],
    ]
    const more: readonly Record<string, string>[] = [
      ...[
        {},
        {},
        {},
        { origin: 'https://example.org' },
        { connection: 'close' },
        { 'content-length': '0' },
      ],
      ...[
        { host: 'Example.org' },
        { host: 'a b' },
        { 'if-match': '"1"' },
        { accept: 'text/csv' },
        { 'x-request-id': 'odd id' },
      ],
    ]
    for (let at = 0; at < 500; at += 1) {
      const method = pick(['GET', 'GET', 'GET', 'GET', 'GET', 'GET', 'HEAD', 'OPTIONS', 'PUT'])
      const path = `/api/svc/${pick(keys)}${pick(rests)}${pick(queries)}`
      const authorization = pick(tokens)
      const id = { 'x-request-id': `request-${at}` }
      const signed = authorization === '' ? {} : { authorization }
      const headers = { ...id, ...signed, ...pick(more) }
      // An id that is none is replaced by a random one.
      if (headers['x-request-id'] === 'odd id') continue
      await same(method, path, headers)
    }
  })

  test('records and lists are answered without Hono, also with parameters and where a policy promises', async () => {
    const headers = { authorization: tokenOf(people[0]), 'x-request-id': 'request-of-test' }
    const paths = [
      'notes',
      'notes/1',
      'values',
      'values?page=2&sort=-at',
      'notes?include=owner',
      'waits',
      'editions/1',
      'labels',
    ]
    for (const path of paths) {
      await same('GET', `/api/svc/${path}`, headers)
      seen = 0
      const { status } = await ask(direct.port, 'GET', `/api/svc/${path}`, headers)
      expect([path, status, seen]).toEqual([
        path,
        path === 'notes/1' ? status : 200,
        status === 200 ? 0 : 1,
      ])
    }
  })

  test('plans show each user what is shown without a plan, whatever the values of their conditions', async () => {
    const { repositories } = await load(project.folder, 'app/Repositories/index.ts')
    const { jsonShows } = await load(project.folder, 'runtime/operations/json-reads.ts')
    const users = [1, 2, 70_000, 40_000, 2, 1, 2_147_483_647].map((id) => ({
      id,
      is_admin: id === 2,
    }))
    for (const user of users) {
      for (const key of ['notes', 'values', 'users', 'editions', 'labels']) {
        const repository = repositories[key]
        for (const query of [
          {},
          { page: 2, perPage: 3 },
          repository.definition.sort?.includes('id') === true
            ? { sort: [{ key: 'id', descending: true }] }
            : { perPage: 1 },
        ]) {
          const planned = await repository.index(user, query)
          const asked = await repository.index(user, { ...query, where: true })
          expect([user, key, query, planned]).toEqual([user, key, query, asked])
        }
      }
    }
    const [row] = (await repositories['notes'].index(users[0])).data
    await repositories['notes'].show(users[0], row.id)
    const show = jsonShows.get(repositories['notes'].show)
    // The plan of one user serves another one, with a condition on the other id.
    const shown = await show(users[0], row.id, {})
    // A version is a header of the answer, besides.
    expect(typeof shown).toBe(how === 'alone' ? 'string' : 'object')
    expect(typeof shown === 'string' ? JSON.parse(shown) : shown).toEqual(
      await repositories['notes'].show(users[0], row.id),
    )
    expect(jsonShows.get(async () => null)).toBeUndefined()
  })

  test('every value of a list is what Hono writes of it', async () => {
    for (const person of people) {
      const headers = { authorization: tokenOf(person), 'x-request-id': 'request-of-test' }
      for (const key of ['notes', 'values', 'users']) {
        await same('GET', `/api/svc/${key}?perPage=100`, headers)
        for (let id = 1; id <= 40; id += 1) await same('GET', `/api/svc/${key}/${id}`, headers)
      }
    }
  })

  const json = { 'content-type': 'application/json', 'x-request-id': 'request-of-test' }

  test('random records that are made have the same bytes and headers', async () => {
    const next = numbers(13)
    const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T
    const [ann, ben] = people
    const values = [
      ...[
        'text',
        'größer 🎉',
        '',
        '  ',
        5,
        -1,
        0.5,
        1e21,
        true,
        null,
        [],
        {},
        '5',
        'x'.repeat(300),
      ],
      ...[
        '2026-02-03',
        '2026-02-03T04:05:06.789Z',
        '9007199254740993',
        '12.50',
        '\ud83c',
        'a@b.example',
      ],
      ...[{ a: [1, 2.5] }, [[[]]], ann, ben, 999],
    ]
    const fields = {
      notes: ['title', 'body', 'likes', 'is_open', 'owner_id', 'id', 'unknown', 'deleted_at'],
      values: ['whole', 'large', 'part', 'price', 'flag', 'label', 'day', 'at', 'tree'],
      shelves: ['label'],
      tasks: ['label', 'owner_id'],
      editions: ['label', 'version'],
      labels: ['label', 'id'],
      mistakes: ['label'],
      waits: ['label'],
    }
    const usable: Readonly<Record<string, object>> = {
      notes: { title: 'A title', likes: 1, owner_id: ann },
      tasks: { label: 'a', owner_id: ann },
      ...Object.fromEntries(
        ['shelves', 'editions', 'labels', 'mistakes', 'waits'].map((key) => [key, { label: 'a' }]),
      ),
    }
    const bodyOf = (key: keyof typeof fields): string => {
      const body: Record<string, unknown> = next() < 0.7 ? { ...usable[key] } : {}
      for (let left = Math.floor(next() * 3); left > 0; left -= 1)
        body[pick(fields[key])] = pick(values)
      return JSON.stringify(body)
    }
    const odd = [
      ...[
        '',
        '{',
        '[]',
        '[{}]',
        '"text"',
        'null',
        '5',
        '{"label":"a","label":"b"}',
        '{"__proto__":{}}',
      ],
      ...[
        '{"label":"a"} x',
        '\u00ff',
        `{"tree":${'['.repeat(99)}${']'.repeat(99)}}`,
        '{"constructor":1}',
      ],
      ...[`{"label":"${'y'.repeat(70_000)}"}`, `{"label":"${'y'.repeat(3_000_000)}"}`],
    ]
    const tokens = [
      ...[tokenOf(ann), tokenOf(ann), tokenOf(ann), tokenOf(ben), tokenOf(ben)],
      ...['', 'Bearer 1|short', `Bearer 99|${'x'.repeat(40)}`],
    ]
    const more: readonly Record<string, string>[] = [
      ...[{}, {}, {}, {}, {}, {}, { origin: 'https://example.org' }, { connection: 'close' }],
      ...[{ 'content-type': 'text/plain' }, { 'content-type': 'application/json; charset=latin1' }],
      ...[
        { 'content-encoding': 'gzip' },
        { 'if-match': '"1"' },
        how === 'alone' ? { 'idempotency-key': 'a' } : {},
      ],
      ...[
        { prefer: 'return=minimal' },
        { 'transfer-encoding': 'chunked' },
        { host: 'Example.org' },
      ],
      ...[{ expect: '100-continue' }, { 'content-type': 'application/vnd.api+json' }],
    ]
    let made = 0
    for (let at = 0; at < 400; at += 1) {
      const key = pick(Object.keys(fields) as (keyof typeof fields)[])
      const authorization = pick(tokens)
      const signed = authorization === '' ? {} : { authorization }
      const path = `/api/svc/${key}${pick(['', '', '', '', '', '', '', '?a=1', '/1', '/'])}`
      const body = next() < 0.85 ? bodyOf(key) : pick(odd)
      const { status } = await sameWrite(path, { ...json, ...signed, ...pick(more) }, body)
      if (status === 201) made += 1
    }
    expect(made).toBeGreaterThan(30)
  })

  test('records are made without Hono, and what they cannot be is answered by it', async () => {
    const headers = { ...json, authorization: tokenOf(people[0]) }
    const bodies = [
      ['labels', { label: 'a' }, 201],
      ['editions', { label: 'a' }, 201],
      ['labels', {}, 422],
    ]
    for (const [key, body, status] of bodies) {
      seen = 0
      const path = `/api/svc/${String(key)}`
      const answer = await ask(direct.port, 'POST', path, headers, JSON.stringify(body))
      expect([path, answer.status, seen]).toEqual([path, status, status === 201 ? 0 : 1])
    }
  })

  test('a token that is revoked makes no record', async () => {
    const eva = await project.user('Eva')
    const headers = { ...json, authorization: tokenOf(eva) }
    const body = JSON.stringify({ label: 'by Eva' })
    expect((await sameWrite('/api/svc/labels', headers, body)).status).toBe(201)
    const remove = `delete from personal_access_tokens where user_id = ${eva}`
    await project.database.query({ sql: remove, access: 'write' }, [])
    expect((await sameWrite('/api/svc/labels', headers, body)).status).toBe(401)
    const counted = `select count(*) from labels where label = 'by Eva'`
    const [row] = await project.database.query({ sql: counted, access: 'read' }, [])
    expect(Number(row?.[0])).toBe(2)
  })

  test('a token that is revoked is refused by the next request, and a row that is changed is seen', async () => {
    const cid = await project.user('Cid')
    const headers = { authorization: tokenOf(cid), 'x-request-id': 'request-of-test' }
    expect((await same('GET', '/api/svc/values/1', headers)).status).toBe(200)
    await project.database.query({ sql: `update "values" set label = 'new'`, access: 'write' }, [])
    expect((await same('GET', '/api/svc/values/1', headers)).body).toContain('"label":"new"')
    const remove = `delete from personal_access_tokens where user_id = ${cid}`
    await project.database.query({ sql: remove, access: 'write' }, [])
    expect((await same('GET', '/api/svc/values/1', headers)).status).toBe(401)
  })

  test('the access log has the same lines, without the query', async () => {
    const { log } = await load(project.folder, 'app/log.ts')
    const lines: unknown[] = []
    const enabled = vi.spyOn(log, 'isLevelEnabled').mockReturnValue(true)
    const info = vi.spyOn(log, 'info').mockImplementation((...[line]: unknown[]) => {
      lines.push({ ...(line as object), ms: 0 })
    })
    const headers = { authorization: tokenOf(people[0]), 'x-request-id': 'request-of-test' }
    for (const path of ['values/1?page=2', 'values?page=2', 'values/999']) {
      await same('GET', `/api/svc/${path}`, headers)
      expect(lines.length).toBe(2)
      const [one, other] = lines.splice(0)
      expect(one).toEqual(other)
    }
    enabled.mockRestore()
    info.mockRestore()
  })

  test('an empty list asks nothing about the records that it does not show', async () => {
    const headers = { 'x-request-id': 'request-of-test' }
    for (let time = 0; time < 2; time += 1) {
      const { status, body } = await same('GET', '/api/svc/shelves', headers)
      expect([status, JSON.parse(body).meta.total]).toEqual([200, 0])
    }
  })

  test('a failure is logged with the time since its request came', async () => {
    const { log } = await load(project.folder, 'app/log.ts')
    const times: number[] = []
    const enabled = vi.spyOn(log, 'isLevelEnabled').mockReturnValue(true)
    const error = vi.spyOn(log, 'error').mockReturnValue(undefined)
    const info = vi.spyOn(log, 'info').mockImplementation((...[line]: unknown[]) => {
      times.push((line as { ms: number }).ms)
    })
    let ahead = 0
    const now = performance.now.bind(performance)
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + ahead)
    // An hour passes while the policy is asked.
    vi.stubGlobal('beforeMistake', () => (ahead += 3_600_000))
    const headers = { authorization: tokenOf(people[0]), 'x-request-id': 'request-of-test' }
    await same('GET', '/api/svc/mistakes', headers)
    for (const each of [clock, info, error, enabled]) each.mockRestore()
    vi.unstubAllGlobals()
    expect(times.map((ms) => ms >= 3_600_000)).toEqual([true, true])
  })

  test('a request without an id gets one, and statements that somebody watches are watched', async () => {
    const statements: string[] = []
    const stop = project.database.observe(({ sql }) => void statements.push(sql))
    const answer = await ask(direct.port, 'GET', '/api/svc/values/1', {
      authorization: tokenOf(people[0]),
    })
    stop()
    expect(answer.head.join()).toMatch(/x-request-id: [0-9a-f]{8}-[0-9a-f-]{27}/)
    expect(statements.length).toBe(2)
  })
})
