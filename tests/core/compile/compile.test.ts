import { appendFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { instantiations, typeCheck } from '../../support/type-check.js'
import { compileAll } from './compile-all.js'
import { change, emit } from './emit.js'

// Every kind of field is in this one; the other fixtures are in `compile-fixtures.all.test.ts`.
compileAll([{ fixture: 'every-kind', database: 'sqlite' }])

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
