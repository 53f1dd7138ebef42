/** `app/Filters` is the developer's: written once, kept, and typed by the manifest. */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { linkDependencies, newProject, svc } from '../../core/cli/project.js'
import { fill } from '../../core/write/folder.js'

// The server does without Prisma's client.
process.env['SVC_SKIP_PRISMA_CLIENT'] = '1'

let root = ''
const path = 'app/Filters/PostFilters.ts'
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const change = (file: string, from: string | RegExp, to: string) => {
  const text = read(file).replace(from, to)
  expect(text).not.toBe(read(file))
  fill(root, { [file]: text })
}
const declare = (filters: string) => {
  const text = read('manifest/posts.ts').replace(/\n {2}filters: \{.*/, '')
  const said = filters === '' ? '' : `\n  filters: { ${filters} },`
  fill(root, { 'manifest/posts.ts': text.replace('repository({', `repository({${said}`) })
}

beforeEach(async () => {
  root = await newProject()
  linkDependencies(root)
  change('manifest/posts.ts', 'import {', 'import { filter, sorter,')
})

test('is written with what finds nothing, and kept once it is edited', async () => {
  declare("ready: filter('boolean')")
  const first = await svc(root, 'generate')
  expect(first.code).toBe(0)
  expect(first.out).toMatch(/app\/Filters\/PostFilters\.ts.*ready finds nothing yet/)
  expect(read(path)).toContain('ready: () => false')

  change(path, 'ready: () => false', 'ready: (value) => value && { id: { gt: 10 } }')
  const edited = read(path)
  // One more is missing, with the place.
  declare("ready: filter('boolean'), late: filter('boolean')")
  const missing = await svc(root, 'generate')
  expect(read(path)).toBe(edited)
  expect(missing.out).toMatch(/^1 line of yours no longer compiles:$/m)
  expect(missing.out).toMatch(/app\/Filters\/PostFilters\.ts:\d+:\d+ .*Property 'late' is missing/)
  expect(missing.out).not.toContain('finds nothing')

  // One that is too many.
  change(path, 'filters: {', 'filters: { late: () => true,')
  declare("ready: filter('boolean')")
  const other = await svc(root, 'generate')
  expect(other.out).toMatch(/PostFilters\.ts:\d+:\d+ .*'late' does not exist in type/)
})

test('where it is deleted, nothing is found, and the project says so', async () => {
  declare("ready: filter('boolean')")
  change('manifest/posts.ts', 'sort: [', "sort: [sorter('luck'), ")
  await svc(root, 'generate')
  rmSync(join(root, path))
  const { code, out } = await svc(root, 'generate')
  expect(code).toBe(0)
  expect(out).toMatch(/app\/Filters\/PostFilters\.ts.*you deleted it/)
  expect(existsSync(join(root, path))).toBe(false)
  const repository = read('app/Repositories/PostRepository.ts')
  expect(repository).toContain('customFilters({}, {')
  expect(repository).not.toContain('app/Filters')
  expect((await svc(root, 'generate', '--check')).code).toBe(0)
})

test('moves with a repository that is renamed', async () => {
  declare("ready: filter('boolean')")
  await svc(root, 'generate')
  change(path, 'ready: () => false', 'ready: (value) => value && { id: { gt: 10 } }')
  change(
    'manifest/posts.ts',
    'repository({',
    "repository({\n  uriKey: 'articles',\n  renamedFrom: 'posts',",
  )
  const { out } = await svc(root, 'generate')
  expect(existsSync(join(root, path))).toBe(false)
  const moved = read('app/Filters/ArticleFilters.ts')
  expect(moved).toContain(
    'export const ArticleFilters: FiltersFor<ArticleModel, ArticleFilterValues>',
  )
  expect(moved).toContain('id: { gt: 10 }')
  expect(out).not.toContain('compile')
})

test('goes with the last of them', async () => {
  declare("ready: filter('boolean')")
  await svc(root, 'generate')
  declare('')
  change('manifest/posts.ts', 'import { filter, sorter,', 'import {')
  const { code } = await svc(root, 'generate')
  expect(code).toBe(0)
  expect(existsSync(join(root, path))).toBe(false)
  expect((await svc(root, 'generate', '--check')).code).toBe(0)
})
