import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { movedRuntimeFiles } from '../../../generator/plan/compare/moved-runtime-files.js'
import { typeCheck } from '../../support/type-check.js'
import { checkout, emptyFolder, linkDependencies, svc } from '../cli/project.js'
import { run } from '../compile/run.js'
import { fill, textsOf, type Texts } from '../write/folder.js'

/** The blog as svc wrote it on the last day on which runtime/ had a folder `kernel`, and imports climbed: files by path. */
const archive = join(checkout, 'fixtures/upgrade/blog-10.0.0.json.br')

function blogOfThen(): { root: string; edit: (path: string, from: string, to: string) => void } {
  // The tests of the project do without Prisma's client.
  process.env['SVC_SKIP_PRISMA_CLIENT'] = '1'
  const root = emptyFolder()
  const texts: Texts = JSON.parse(brotliDecompressSync(readFileSync(archive)).toString('utf8'))
  fill(root, texts)
  linkDependencies(root)
  const edit = (path: string, from: string, to: string) => {
    const text = readFileSync(join(root, path), 'utf8')
    if (!text.includes(from)) throw new Error(`${path} has no '${from}'`)
    fill(root, { [path]: text.replace(from, to) })
  }
  // Since then, the other side of a morph is spoken of.
  edit('manifest/images.ts', 'import { repository,', 'import { morphTo, repository,')
  edit('manifest/images.ts', '  fields: {', '  related: { imageable: morphTo() },\n  fields: {')
  return { root, edit }
}

const stats = `import { Hono } from 'hono';
import { any } from "../../runtime/kernel/condition.js"; // from '../../runtime/kernel/any.js', says nobody
import type { Env } from "../context.js";

/** "../../runtime/kernel/condition.js" is a text here. */
export const StatsController = new Hono<Env>().get('/', async (c) => {
  const { HttpError } = await import('../../runtime/errors.js');
  const later = await import("../../runtime/kernel/condition.js");
  return c.json({ same: later.any === any, error: typeof HttpError });
});
`

const ownTest = `import { expect, test } from 'vitest'
import { StatsController } from '../app/Own/StatsController.js'

type Any = typeof import('../runtime/kernel/condition.js').any

test('mine', async () => {
  const any: Any = (await import('../runtime/kernel/condition.js')).any
  expect(typeof any).toBe('function')
  const answer = await StatsController.request('/')
  expect(await answer.json()).toEqual({ same: true, error: 'function' })
})
`

test('a project of the first layout of runtime/ is carried over with its edits, and undo takes it back', async () => {
  const { root, edit } = blogOfThen()
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  fill(root, { 'app/Own/StatsController.ts': stats, 'tests/own.test.ts': ownTest })
  edit(
    'routes/api.ts',
    'svcResources(api)',
    "svcResources(api)\napi.route('/stats', StatsController)",
  )
  const own = "import { StatsController } from '../app/Own/StatsController.js'\n"
  edit('routes/api.ts', 'import { svcAuth }', `${own}import { svcAuth }`)
  const posts = 'app/Http/Controllers/PostController.ts'
  edit(
    posts,
    'import { PostRepository }',
    "import { log } from '../../log.js'\nimport { PostRepository }",
  )
  edit(posts, ".get('/', async (c) => {", ".get('/', async (c) => {\n    log.debug('listed')")
  fill(root, {
    'runtime/kernel/condition.ts': `${read('runtime/kernel/condition.ts')}// The end.\n`,
  })
  fill(root, { 'runtime/http/respond.ts': `${read('runtime/http/respond.ts')}// The end.\n` })
  const before = textsOf(root)

  const { code, out } = await svc(root, 'generate')
  expect(code, out).toBe(0)
  const lines = out.split('\n').filter((line) => /^ {2}(merge|move) /.test(line))
  expect(
    lines.map((line) => line.split('  ')[1]?.trim() + ' ' + /\S+\.ts/.exec(line)?.[0]),
  ).toEqual([
    'merge app/Http/Controllers/PostController.ts',
    'merge app/Own/StatsController.ts',
    'merge app/Policies/PostPolicy.ts',
    'merge prisma/seed.ts',
    'merge routes/api.ts',
    'merge runtime/http/respond.ts',
    'merge tests/own.test.ts',
    'move runtime/policy/condition.ts',
  ])
  const remark = '(its imports follow files that moved)'
  expect(lines).toContain(`  merge     app/Own/StatsController.ts  ${remark}`)
  expect(lines).toContain(
    '  move      runtime/policy/condition.ts  (from runtime/kernel/condition.ts)',
  )
  expect(read('app/Own/StatsController.ts')).toBe(
    stats
      .replace('"../../runtime/kernel/condition.js"; //', '"#runtime/policy/condition.js"; //')
      .replace(
        'import("../../runtime/kernel/condition.js")',
        'import("#runtime/policy/condition.js")',
      )
      .replace('import type { Env }', 'import type { AppEnv }')
      .replace('Hono<Env>', 'Hono<AppEnv>'),
  )
  expect(read(posts)).toContain("import { log } from '../../log.js'\n")
  expect(read('runtime/policy/condition.ts')).toMatch(/\/\/ The end\.\n$/)
  expect(existsSync(join(root, 'runtime/kernel'))).toBe(false)

  // What the owner has to say in another word is reported with its place, and does not compile.
  expect(out).toMatch(/app\/Policies\/PostPolicy\.ts:6:\d+ /)
  sayIsNull(edit)
  expect(typeCheck(root)).toBe('')
  expect(await run('vitest', ['run'], root)).toMatchObject({ code: 0 })
  expect((await svc(root, 'generate', '--check')).code).toBe(0)
  edit('app/Policies/PostPolicy.ts', '{ isNull: false }', '{ not: null }')
  expect((await svc(root, 'undo')).code).toBe(0)
  expect(textsOf(root)).toEqual(before)
})

function sayIsNull(edit: (path: string, from: string, to: string) => void): void {
  edit('app/Policies/PostPolicy.ts', '{ not: null }', '{ isNull: false }')
}

test('an issuer in the config of then is no conflict, and its tokens are still taken', async () => {
  const { root, edit } = blogOfThen()
  const issuer = `{ issuer: 'https://i.test', audience: 'blog', jwks_url: 'https://i.test/keys', column: 'id' }`
  edit('config/svc.ts', 'jwt: null', `jwt: ${issuer}`)
  const { code, out } = await svc(root, 'generate', '--no-compile')
  expect(code, out).toBe(0)
  expect(readFileSync(join(root, 'config/svc.ts'), 'utf8')).toContain(issuer)
  expect(readFileSync(join(root, 'app/auth.ts'), 'utf8')).toContain('findByJwt')
})

test('imports that svc wrote and somebody formatted otherwise keep their look', async () => {
  const { root, edit } = blogOfThen()
  const path = 'app/Http/Controllers/TagController.ts'
  edit(
    path,
    "import type { Env } from '../../context.js'",
    'import type { Env } from "../../context.js";',
  )
  expect((await svc(root, 'generate', '--no-compile')).code).toBe(0)
  expect(readFileSync(join(root, path), 'utf8')).toContain(
    'import type { AppEnv } from "#app/context.js";\n',
  )
  sayIsNull(edit)
  expect(typeCheck(root)).toBe('')
})

test('what has moved leads to a file of today, and never away from one', () => {
  const isThere = (path: string) => existsSync(join(checkout, path))
  expect([...movedRuntimeFiles.values()].filter((path) => !isThere(path))).toEqual([])
  expect([...movedRuntimeFiles.keys()].filter(isThere)).toEqual([])
})
