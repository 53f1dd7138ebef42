import { appendFileSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runs } from '../../support/runs.js'
import { instantiations, typeCheck } from '../../support/type-check.js'
import { cases } from '../plan/fixture.js'
import { change, emit } from './emit.js'
import { unusedExports } from './unused-exports.js'

/** Every fixture, and on PostgreSQL the one with all kinds, whose columns differ there. */
const compiled = cases.filter(
  ({ fixture, database }) =>
    database === 'sqlite' || fixture === 'every-kind' || (fixture === 'blog' && runs(1) > 1),
)

describe.each(compiled)('$fixture on $database', ({ fixture, database }) => {
  let folder = ''
  beforeAll(async () => void (folder = await emit(fixture, database, 'own', { wantsClient: true })))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('type-checks under the strictest settings, the seed with the generated client too', () => {
    expect(typeCheck(folder, 'prisma')).toBe('')
  })

  test('exports nothing that nobody uses', () => {
    expect(unusedExports(textsIn(folder))).toEqual([])
  })

  test('imports nothing from svckit', () => {
    for (const [path, text] of textsIn(folder)) expect(text, path).not.toContain("from 'svckit")
  })
})

test('the blog is at most 230,000 type instantiations, of which its routes using Prisma are few', async () => {
  const folder = await emit('blog', 'sqlite', 'own', { wantsClient: true })
  const count = instantiations(folder)
  // Counted: times differ from machine to machine. Half of it is Hono's, for the first `route()`.
  expect(count).toBeLessThanOrEqual(230_000)
  appendFileSync(
    join(folder, 'routes/api.ts'),
    `import { prisma } from '#app/prisma.js'
export const found = () => prisma.post.findMany({ where: { owner: { name: 'Ada' } }, include: { comments: true } })
`,
  )
  expect(instantiations(folder) - count).toBeLessThanOrEqual(10_000)
  rmSync(folder, { recursive: true })
})

test('a new many-to-many relation asks the policy for its methods, a computed entry for what it answers', async () => {
  const folder = await emit('blog', 'sqlite')
  change(join(folder, 'app/Policies/PostPolicy.ts'), / *attachTags: .*\n/, '')
  change(join(folder, 'app/Hooks/CompanyHooks.ts'), /text: `.*`/, 'text: company.id')
  const output = typeCheck(folder)
  expect(output).toMatch(/^app\/Policies\/PostPolicy\.ts\(\d+,14\): error/m)
  expect(output).toMatch(/^app\/Hooks\/CompanyHooks\.ts\(\d+,\d+\): error/m)
  expect(output).toContain("Property 'attachTags' is missing")
  rmSync(folder, { recursive: true })
})

/** Source files by path; `runtime/` is a library, and the client and `manifest/` are not part of the server. */
function textsIn(folder: string): ReadonlyMap<string, string> {
  const own = ['app', 'config', 'routes', 'tests'].flatMap((part) =>
    readdirSync(join(folder, part), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => join(part, path)),
  )
  const paths = [...own, 'prisma/seed.ts']
  return new Map(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')]))
}
