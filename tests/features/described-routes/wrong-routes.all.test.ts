/** `describeRoute` that cannot run, or that no document can have: what `svc generate` says. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { emptyFolder, svc } from '../../core/cli/project.js'
import {
  described,
  documentOf,
  documentPath,
  imports,
  makeProject,
  read,
  routes,
} from './project.js'

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
    const root = emptyFolder()
    await makeProject(root, 'sqlite')
    const file = join(root, 'routes/api.ts')
    const whole = readFileSync(file, 'utf8')
    await svc(root, 'generate', '--no-compile')
    const before = read(root, documentPath)
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
      expect(read(root, documentPath)).toBe(before)
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
    const root = emptyFolder()
    await makeProject(root, 'sqlite')
    const file = join(root, 'routes/api.ts')
    const whole = readFileSync(file, 'utf8')
    await svc(root, 'generate', '--no-compile')
    const before = read(root, documentPath)
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
    expect(read(root, documentPath)).toBe(before)
    writeFileSync(file, `${whole}${twice}\n`)
    expect((await svc(root, 'client', 'web')).out).toContain('would name two routes')
    // A summary that is put together says nothing of its place.
    const composed = "api.get('/y/*', describeRoute({ summary: `Mi${'ne'}`, answers: {} }))"
    writeFileSync(file, `${whole}${composed}\n`)
    expect((await svc(root, 'generate', '--no-compile')).out).toMatch(/^routes\/api\.ts:\d+:\d+ /m)
  })
})
