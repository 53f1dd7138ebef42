/** `describeRoute` of a project: what `svc generate` makes of it, and what its server does. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { templateOf } from '../../../runtime/features/described-routes/path-template.js'
import { newProject, svc } from '../../core/cli/project.js'
import { run } from '../../core/compile/run.js'
import { toldOn } from '../../support/databases.js'
import {
  load,
  linkModules,
  openFolder,
  type DatabaseName,
  type Project,
} from '../../support/project.js'
import { served } from '../client/served.js'

const path = 'app/OpenApi/openapi.json'
const described = 'app/OpenApi/described.json'

/** After the lines that svc writes; a schema of another file, a router of its own, names that mean harm. */
const imports = `import { z } from 'zod'
import { middleware } from '#app/Http/middleware.js'
import { describeRoute } from '#runtime/features/described-routes/describe-route.js'
import { Trees } from '#app/Http/Trees.js'
`
const routes = `
if (process.env['NODE_ENV'] === 'development') console.log('{ "paths": {} }')
const address = z.object({ street: z.string().min(1), floor: z.number().int().optional() })
api.use('/guests/*', ...middleware(['auth:token']))
api.post(
  '/guests/:id',
  describeRoute({
    summary: 'Invite somebody',
    operationId: 'invite',
    token: 'required',
    params: z.object({ id: z.coerce.number().int().positive().max(2147483647) }),
    query: z.object({ tags: z.array(z.string().max(5)).optional(), page: z.coerce.number().int().min(1).default(1) }),
    body: z.strictObject({
      email: z.email(),
      role: z.enum(['reader', 'writer']).default('reader'),
      lines: z.array(address).max(3).optional(),
    }),
    answers: {
      201: z.object({ id: z.number(), email: z.string(), role: z.enum(['reader', 'writer']), tags: z.array(z.string()), page: z.number(), by: z.number() }),
      409: null,
    },
  }),
  (c) => {
    const { email, role } = c.req.valid('json')
    const { tags = [], page } = c.req.valid('query')
    const { id } = c.req.valid('param')
    return c.json({ id, email, role, tags, page, by: Number(c.get('user')?.id) }, 201)
  },
)
api.route('/trees', Trees)
api.get(
  '/codes/:code{[0-9]{3}}/parts/:part-id{(?:a|b){1,2}}',
  describeRoute({ summary: 'Show a part', answers: { 200: z.object({ code: z.string(), part: z.string() }) } }),
  (c) => c.json({ code: c.req.param('code'), part: c.req.param('part-id') }),
)
`
const trees = `import { Hono } from 'hono'
import { z } from 'zod'
import type { AppEnv } from '#app/context.js'
import { describeRoute } from '#runtime/features/described-routes/describe-route.js'

const Tree = z.object({ name: z.string(), get children() { return z.array(Tree) } })

export const Trees = new Hono<AppEnv>()
  .put('/', describeRoute({ summary: 'Plant', operationId: 'delete', body: Tree, answers: { 200: Tree } }), (c) =>
    c.json(c.req.valid('json')),
  )
  .get(
    '/:delete{[a-z]+}',
    describeRoute({
      summary: 'Ends */ the remark \`\${0}\` "',
      query: z.object({ match: z.string().optional(), "it's": z.string().optional() }),
      answers: { 200: z.object({ 'a\\'b': z.literal("it's \`\${1}\`"), match: z.string(), oneOf: z.null(), $ref: z.string() }) },
    }),
    (c) => {
      const { match = c.req.param('delete') } = c.req.valid('query')
      return c.json({ 'a\\'b': "it's \`\${1}\`" as const, match, oneOf: null, $ref: '#/x' })
    },
  )
`

async function makeProject(database: DatabaseName): Promise<string> {
  const root = await newProject('--database', database)
  await linkModules(root)
  const file = join(root, 'routes/api.ts')
  const [head = '', ...rest] = readFileSync(file, 'utf8').split('import { svcAuth }')
  writeFileSync(
    file,
    `${head}${imports}import { svcAuth }${rest.join('import { svcAuth }')}${routes}`,
  )
  writeFileSync(join(root, 'app/Http/Trees.ts'), trees)
  return root
}

/** Somebody with a token. */
async function signIn(project: Project) {
  const password = 'a long enough one'
  const form = { name: 'Ann', email: 'ann@example.com', password, password_confirmation: password }
  const { body } = await project.post('/api/register', form)
  return { id: Number(body.id), token: String(body.meta.token) }
}

const read = (root: string, file: string) => readFileSync(join(root, file), 'utf8')
const documentOf = (root: string) => JSON.parse(read(root, path))

describe.each(toldOn('sqlite'))('describeRoute on %s', (database) => {
  test('brings routes into the document and the client, which is called, and the contract holds', async () => {
    const root = await makeProject(database)
    const { code, out } = await svc(root, 'generate', '--no-compile')
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining(described) })
    const { paths, components, tags } = documentOf(root)
    const { post } = paths['/api/guests/{id}']
    const part = paths['/api/codes/{code}/parts/{part-id}'].get
    expect(part.operationId).toBe('getCodesCodePartsPartId')
    expect(part.parameters.map(({ name }: { name: string }) => name)).toEqual(['code', 'part-id'])
    expect(Object.keys(part.responses)).toEqual(['200', '400', '404'])
    expect(Object.keys(post.responses)).toEqual([
      '201',
      '400',
      '401',
      '404',
      '409',
      '413',
      '415',
      '422',
    ])
    expect(post).toMatchObject({
      operationId: 'invite',
      security: [{ bearer: [] }],
      tags: ['own'],
    })
    expect(
      post.parameters.map(({ name, required }: Record<string, unknown>) => [name, required]),
    ).toEqual([
      ['id', true],
      ['tags', undefined],
      ['page', undefined],
    ])
    expect(post.requestBody.content['application/json'].schema).toMatchObject({
      required: ['email'],
      properties: { email: { format: 'email' }, role: { default: 'reader' } },
    })
    expect(paths['/api/trees'].put.requestBody.content['application/json'].schema).toEqual({
      $ref: '#/components/schemas/delete.body',
    })
    // A component `delete.200` would be a second type of that name to tools that call answers so.
    expect(paths['/api/trees'].put.responses['200'].content['application/json'].schema).toEqual({
      $ref: '#/components/schemas/delete.answer.200',
    })
    expect(components.schemas['delete.body'].properties.children.items).toEqual({
      $ref: '#/components/schemas/delete.body',
    })
    expect(tags.map(({ name }: { name: string }) => name)).toContain('own')
    expect((await svc(root, 'generate', '--check', '--no-compile')).code).toBe(0)

    const project = await openFolder(root, database)
    onTestFinished(() => project.close())
    await svc(root, 'client', 'web')
    const loadClient = (name: string) => load(root, `web/${name}.ts`)
    const { createApi, SvcError } = await loadClient('client')
    const own = await loadClient('own-routes')
    const server = await served((request) => project.fetch(request))
    onTestFinished(() => server.close())
    const { id, token } = await signIn(project)
    const api = createApi({ baseUrl: server.baseUrl, token })
    const guest = { email: 'a@example.com' }
    expect(await own.invite(api, '7', guest, { tags: ['a', 'b'], page: 2 })).toEqual({
      ...guest,
      id: 7,
      role: 'reader',
      tags: ['a', 'b'],
      page: 2,
      by: id,
    })
    const tree = { name: 'a', children: [{ name: 'b', children: [] }] }
    expect(await own.delete_(api, tree)).toEqual(tree)
    expect(await own.getTreesDelete(api, 'leaf', { match: 'a&b=c' })).toMatchObject({
      match: 'a&b=c',
    })
    expect(await own.getCodesCodePartsPartId(api, '123', 'ab')).toEqual({
      code: '123',
      part: 'ab',
    })
    await expect(own.getCodesCodePartsPartId(api, '12', 'ab')).rejects.toBeInstanceOf(SvcError)
    const text = read(root, 'web/own-routes.ts')
    expect(text).toMatch(/getCodesCodePartsPartId\(\s+api: Api,\s+code: string,\s+partId: string/)
    await expect(own.invite(api, '7', { email: 'x' })).rejects.toBeInstanceOf(SvcError)

    const contract = await run(
      'vitest',
      ['run', 'tests/contract.test.ts', '-t', '/api/(guests|trees|codes)'],
      root,
      { TEST_DATABASE_URL: `${inject('postgres')}postgres` },
    )
    expect(contract.code, contract.output).toBe(0)
    expect(contract.output).toMatch(/4 passed/)
  })

  test('refuses what it does not describe, as svc’s own routes do', async () => {
    const root = await makeProject(database)
    expect((await svc(root, 'generate', '--no-compile')).code).toBe(0)
    const project = await openFolder(root, database)
    onTestFinished(() => project.close())
    const { token } = await signIn(project)
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const send = (
      body: string,
      address = '/api/guests/7',
      more: Record<string, string> = headers,
    ) => project.request('POST', address, { headers: more, body })
    const post = async (body: unknown, address?: string) => {
      const answer = await send(JSON.stringify(body), address)
      return [answer.status, answer.body]
    }
    const right = { email: 'a@example.com' }
    expect(await post({ email: 'x', role: 'king', lines: [{ street: '' }] })).toEqual([
      422,
      {
        message: 'The email must be an e-mail address. (and 2 more errors)',
        errors: {
          email: ['The email must be an e-mail address.'],
          role: ['The role must be one of: reader, writer.'],
          'lines.0.street': ['The lines.0.street must not be empty.'],
        },
      },
    ])
    expect(await post({ ...right, nothing: 1 })).toMatchObject([
      422,
      { errors: { nothing: ['The nothing field is not known.'] } },
    ])
    expect(await post({})).toMatchObject([
      422,
      { errors: { email: ['The email field is required.'] } },
    ])
    expect(await post([])).toMatchObject([400, { message: 'The request body must be an object.' }])
    expect(await post(null)).toMatchObject([
      400,
      { message: 'The request body must be a JSON object.' },
    ])
    expect(await post(right, '/api/guests/x')).toMatchObject([404, { message: 'Not found.' }])
    expect(await post(right, '/api/guests/7?page=0&tags=a,bbbbbb')).toEqual([
      400,
      {
        message: 'The tags.1 must not be longer than 5 characters.',
        errors: {
          'tags.1': ['The tags.1 must not be longer than 5 characters.'],
          page: ['The page must be at least 1.'],
        },
      },
    ])
    expect((await send('{')).status).toBe(400)
    const { authorization } = headers
    expect(
      (await send('{}', undefined, { authorization, 'content-type': 'text/plain' })).status,
    ).toBe(415)
    expect((await project.post('/api/guests/7', right)).status).toBe(401)
  })
})

let summaries = 0
const route = (address: string, more = '', method = 'get') => {
  summaries += 1
  return `api.${method}('${address}', describeRoute({ summary: 'Mine ${summaries}', ${more}answers: {} }))`
}
const isTaken = 'is called so in the document'
const twice = route('/x6', "operationId: 'invite', ")
/** What no document can have; of two routes, the last. */
const wrongRoutes: readonly (readonly [text: string, problem: string, fix: string])[] = [
  [
    route('/x1', '', 'use'),
    `ALL /api/x1 is no one route that a document can have`,
    'one of GET, POST, PUT, PATCH, DELETE, and a path of texts and parameters',
  ],
  [
    route('/x2/*'),
    `GET /api/x2/* is no one route that a document can have: it has a '*' that is no parameter's`,
    'a path of texts and parameters',
  ],
  [
    route('/x3/:id{[0-9]{3}}.json'),
    `GET /api/x3/:id{[0-9]{3}}.json is no one route that a document can have: it has a '{'`,
    "'/guests/:id{[0-9]+}'",
  ],
  [
    route('/x4/:id/y/:id'),
    `GET /api/x4/:id/y/:id is no one route that a document can have: it has two parameters ':id'`,
    "'/guests/:id'",
  ],
  [
    `${route('/x5/:id{[0-9]+}')}\n${route('/x5/:id{[a-z]+}', "operationId: 'other', ")}`,
    `GET /api/x5/:id{[a-z]+} is GET /api/x5/{id} in a document, and so is another route`,
    'describe one of them',
  ],
  [
    twice,
    "'invite' would name two routes, POST /api/guests/:id and GET /api/x6",
    'another operationId for one of them',
  ],
  [
    route('/x7', "operationId: 'indexPosts', "),
    `'indexPosts' names GET /api/x7, and GET /api/svc/posts ${isTaken}`,
    "another operationId: 'indexPostsHere'",
  ],
  [
    route('/x8', "operationId: 'login', ", 'put'),
    `'login' names PUT /api/x8, and POST /api/login ${isTaken}`,
    "another operationId: 'loginHere'",
  ],
  [
    route('/svc/posts/:slug'),
    `GET /api/svc/posts/{slug} and /api/svc/posts/{id} are one path in a document`,
    'the parameters of /api/svc/posts/{id}, in the same places',
  ],
  [
    `${route('/x9/:one')}\n${route('/x9/:other', '', 'post')}`,
    'POST /api/x9/{other} and /api/x9/{one} are one path in a document',
    'the parameters of /api/x9/{one}, in the same places',
  ],
]

describe('svc generate, with routes that describe themselves', () => {
  test('keeps what they said last while they cannot run, says why, and goes when they go', async () => {
    const root = await makeProject('sqlite')
    const file = join(root, 'routes/api.ts')
    const whole = readFileSync(file, 'utf8')
    await svc(root, 'generate', '--no-compile')
    const before = read(root, path)
    for (const [wrong, why] of [
      ["\nimport '#app/nothing.js'\n", /Could not resolve "#app\/nothing\.js"/],
      ["\nthrow new Error('not today')\n", /Error: not today/],
      ['\nawait new Promise(() => {})\n', /did not come to an end/],
      [
        "\napi.get('/x', describeRoute({ summary: 'x', operationId: 'a; b', answers: {} }))\n",
        /is no name/,
      ],
    ] as const) {
      writeFileSync(file, whole + wrong)
      const { code, out } = await svc(root, 'generate', '--no-compile')
      expect(code).toBe(0)
      expect(out).toMatch(why)
      expect(read(root, path)).toBe(before)
    }
    expect((await svc(root, 'client', 'web')).out).toMatch(/is no name/)
    const own = { paths: { '/api/guests/{id}': { post: { summary: 'Mine' } } } }
    writeFileSync(join(root, 'app/OpenApi/own.json'), JSON.stringify(own))
    writeFileSync(file, whole)
    await svc(root, 'generate', '--no-compile')
    const { post } = documentOf(root).paths['/api/guests/{id}']
    expect(post).toMatchObject({ summary: 'Mine', operationId: 'invite' })
    writeFileSync(file, whole.slice(0, whole.indexOf(routes)).replace(imports, ''))
    rmSync(join(root, 'app/Http/Trees.ts'))
    expect((await svc(root, 'generate', '--no-compile')).out).toContain(described)
    expect(Object.keys(documentOf(root).paths['/api/guests/{id}'].post)).toEqual(['summary'])
    expect((await svc(root, 'generate', '--check', '--no-compile')).code).toBe(0)
  })

  test('what no document can have is a problem with its place and a way out, and nothing is written', async () => {
    const root = await makeProject('sqlite')
    const file = join(root, 'routes/api.ts')
    const whole = readFileSync(file, 'utf8')
    await svc(root, 'generate', '--no-compile')
    const before = read(root, path)
    // What the whole document has as well is looked for once each route by itself is right.
    for (const together of [wrongRoutes.slice(0, 6), wrongRoutes.slice(6)]) {
      const wrong = `${whole}${together.map(([text]) => text).join('\n')}\n`
      writeFileSync(file, wrong)
      const { code, out } = await svc(root, 'generate', '--no-compile')
      expect(code, out).toBe(1)
      const problems = out.split(/\n(?=routes\/api\.ts:)/)
      expect(problems).toHaveLength(together.length)
      for (const [text, problem, fix] of together) {
        const found = problems.filter((each) => each.includes(`describeRoute: ${problem}`))
        expect(found, problem).toEqual([expect.stringContaining(fix)])
        const [, row, column] = /^routes\/api\.ts:(\d+):(\d+) {2}/.exec(found[0] ?? '') ?? []
        const named = wrong.split('\n')[Number(row) - 1]?.slice(Number(column) - 1)
        expect(named).toMatch(/^(summary: 'Mine \d+'|operationId: ')/)
        // The name of two routes is found where it is said first.
        if (text !== twice) expect(text).toContain(named)
      }
    }
    expect(read(root, path)).toBe(before)
    writeFileSync(file, `${whole}${twice}\n`)
    expect((await svc(root, 'client', 'web')).out).toContain('would name two routes')
    // A summary that is put together says nothing of its place.
    const composed = "api.get('/y/*', describeRoute({ summary: `Mi${'ne'}`, answers: {} }))"
    writeFileSync(file, `${whole}${composed}\n`)
    expect((await svc(root, 'generate', '--no-compile')).out).toMatch(/^routes\/api\.ts:\d+:\d+ /m)
  })
})

test.each([
  ['/', '/', []],
  ['/a/:id', '/a/{id}', ['id']],
  ['/a/:user-id/:file.json', '/a/{user-id}/{file.json}', ['user-id', 'file.json']],
  ['/:id{[0-9]{3}}', '/{id}', ['id']],
  ['/:id{[0-9]{1,3}(?:a{2}|:b)}/:c', '/{id}/{c}', ['id', 'c']],
  ['/:path{a/b/[^/]+}', '/{path}', ['path']],
  ['/:id{\\{x\\}}', '/{id}', ['id']],
  ['/posts:batch', '/posts:batch', []],
] as const)('the path %s is %s in a document', (given, shown, names) => {
  expect(templateOf(given)).toEqual({ shown, names })
})

test.each([
  ['/a/*', "has a '*' that is no parameter's"],
  ['/a/:id?', "has a '?' that is no parameter's"],
  ['/:id{[0-9]+', "has a '{' that is no parameter's"],
  ['/:id{[0-9]+}x', "has a '{' that is no parameter's"],
  ['/a{b}', "has a '{' that is no parameter's"],
  ['/:id/x:y', "has a ':' that is no parameter's"],
  ['/:a/:a', "has two parameters ':a'"],
])('of %s there is none: it %s', (given, problem) => {
  expect(templateOf(given)).toEqual({ problem })
})
