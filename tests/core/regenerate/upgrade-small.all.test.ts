import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { onTestFinished, expect, test } from 'vitest'
import { packRuntime } from '../../../generator/plan/runtime-archive.js'
import { openFolder } from '../../support/project.js'
import { typeCheck } from '../../support/type-check.js'
import { checkout, emptyFolder, linkDependencies, svc } from '../cli/project.js'
import { fill, textsOf, type Texts } from '../write/folder.js'

/**
 * The small project of `svc new` as svc wrote it before answers and statements had limits, with published controllers and a
 * saved migration, without GraphQL and without the packed base of `runtime/`: files by path.
 */
const archive = join(checkout, 'fixtures/upgrade/small-10.0.0.json.br')

function projectOfThen() {
  process.env['SVC_SKIP_PRISMA_CLIENT'] = '1'
  const root = emptyFolder()
  const texts: Texts = JSON.parse(brotliDecompressSync(readFileSync(archive)).toString('utf8'))
  const runtime = Object.entries(texts).filter(([path]) => /^runtime\/.*\.ts$/.test(path))
  const { name, content } = packRuntime(new Map(runtime))
  fill(root, { ...texts, [`.svc/base/${name}`]: content })
  linkDependencies(root)
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  const edit = (path: string, from: string, to: string) => {
    if (!read(path).includes(from)) throw new Error(`${path} has no '${from}'`)
    fill(root, { [path]: read(path).replace(from, to) })
  }
  return { root, read, edit }
}

test('svc doctor names a runtime that is older than the svckit that is installed', async () => {
  const { root, edit } = projectOfThen()
  const wrong = async () => {
    const { code, out } = await svc(root, 'doctor')
    expect(code).toBe(1)
    return out.split('\n').filter((line) => line.includes('runtime'))
  }
  expect(await wrong()).toEqual([
    expect.stringMatching(
      /^ {2}runtime\/ {2}is older than svckit 10\.0\.0, which is installed: \d+ files differ$/,
    ),
  ])
  edit('svc.lock.json', '"10.0.0"', '"9.9.0"')
  const [line] = await wrong()
  expect(line).toContain('runtime/  is that of svckit 9.9.0, and 10.0.0 is installed: ')
  expect((await svc(root, 'generate', '--no-compile')).code).toBe(0)
  expect((await svc(root, 'doctor')).out).not.toContain('runtime/')
})

test("Prisma's command line stays in the version that its owner chose", async () => {
  const { root, read, edit } = projectOfThen()
  edit('package.json', '"prisma": "7.10.0"', '"prisma": "7.9.0"')
  expect((await svc(root, 'generate', '--no-compile')).code).toBe(0)
  expect(JSON.parse(read('package.json')).devDependencies.prisma).toBe('7.9.0')
})

test('a project of an earlier 10.0.0 is carried over with its edits, serves, and undo takes it back', async () => {
  const { root, read, edit } = projectOfThen()
  edit('app/Policies/PostPolicy.ts', 'show: () => false', 'show: () => true')
  edit('app/Policies/PostPolicy.ts', 'store: () => false', 'store: (user) => user !== null')
  edit('config/svc.ts', 'body_bytes: 1_048_576', 'body_bytes: 2_000_000')
  edit('config/svc.ts', 'login: { limit: 6, minutes: 1 }', 'login: { limit: 60, minutes: 1 }')
  edit('package.json', '"scripts": {', '"scripts": {\n    "lint": "oxlint",')
  const posts = 'app/Http/Controllers/PostController.ts'
  edit(posts, ".get('/', async (c) => {", ".get('/', async (c) => {\n    c.header('X-Mine', 'yes')")
  edit('app/Http/Controllers/Svc/LoginController.ts', '/** POST', '/** Mine. POST')
  const respond = 'runtime/http/respond.ts'
  fill(root, { [respond]: `${read(respond)}// The end.\n` })
  const before = textsOf(root)

  const { code, out } = await svc(root, 'generate')
  expect(code, out).toBe(0)
  expect(out).toMatch(
    /1 line of yours no longer compiles:\n {2}app\/Http\/Controllers\/Svc\/ProfileController\.ts:\d+:3 .*'hasNewEmail'\.\n$/,
  )
  const config = read('config/svc.ts')
  for (const line of ['body_bytes: 2_000_000', 'limit: 60,', 'response_bytes:', 'statement_ms:']) {
    expect(config).toContain(line)
  }
  const { scripts, devDependencies, allowScripts } = JSON.parse(read('package.json'))
  expect(scripts).toMatchObject({
    lint: 'oxlint',
    typecheck: 'node scripts/prisma-client.js && tsc --checkers 1',
  })
  expect(devDependencies.typescript).toMatch(/^7\./)
  // Its command line was one; nothing else of it stays behind.
  expect(devDependencies.prisma).toBeUndefined()
  expect(Object.keys(allowScripts)).not.toContain('prisma')
  expect(read('prisma.config.ts')).not.toContain('prisma/config')
  expect(read(respond)).toMatch(/\/\/ The end\.\n$/)
  expect(read('app/Http/Controllers/Svc/LoginController.ts')).toContain('/** Mine. POST')
  expect(existsSync(join(root, 'runtime/features/relations/budget.ts'))).toBe(false)
  // The owner has to change nothing else.
  const profile = 'app/Http/Controllers/Svc/ProfileController.ts'
  expect(typeCheck(root)).toMatch(new RegExp(`^${profile}\\(\\d+,\\d+\\): .*'hasNewEmail'\\.\n$`))
  const carried = read(profile)
  expect(carried).toContain('new Hono<AppEnv>()')
  edit(profile, '  hasNewEmail,\n', '')
  edit(
    profile,
    "    if (hasNewEmail(user, body)) await auth.throttle(c, 'changeEmail', String(user.id))\n",
    '',
  )
  const check = await svc(root, 'generate', '--check')
  expect(check.code, check.out).toBe(0)

  // The project as it is now; the one that goes back is a copy of before.
  const project = await openFolder(root, 'sqlite')
  onTestFinished(() => project.close())
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({
    email: 'ada@example.com',
    password: 'a long password',
    password_confirmation: 'a long password',
  })
  const registered = await project.request('POST', '/api/register', { headers, body })
  expect(registered.status).toBe(200)
  const signedIn = await project.request('POST', '/api/login', { headers, body })
  const as = { ...headers, authorization: `Bearer ${signedIn.body.meta.token}` }
  const post = { headers: as, body: JSON.stringify({ title: 'One', body: 'Two' }) }
  expect((await project.request('POST', '/api/svc/posts', post)).status).toBe(201)
  const list = await project.request('GET', '/api/svc/posts', { headers: as })
  expect([list.status, list.headers.get('x-mine'), list.body.data.length]).toEqual([200, 'yes', 1])

  fill(root, { [profile]: carried })
  expect((await svc(root, 'undo')).code).toBe(0)
  const sqlite = /^test\.sqlite/
  const after = Object.entries(textsOf(root)).filter(([path]) => !sqlite.test(path))
  expect(Object.fromEntries(after)).toEqual(before)
})
