/** `app/Actions` is the developer's: written once, kept, and typed by the manifest. */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { linkDependencies, newProject, svc } from '../../core/cli/project.js'
import { fill } from '../../core/write/folder.js'

// The server does without Prisma's client.
process.env['SVC_SKIP_PRISMA_CLIENT'] = '1'

let root = ''
const path = 'app/Actions/PostActions.ts'
const policy = 'app/Policies/PostPolicy.ts'
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const change = (file: string, from: string | RegExp, to: string) => {
  const text = read(file).replace(from, to)
  expect(text).not.toBe(read(file))
  fill(root, { [file]: text })
}
const declare = (actions: string) => {
  const text = read('manifest/posts.ts').replace(/\n {2}actions: \{.*/, '')
  const said = actions === '' ? '' : `\n  actions: { ${actions} },`
  fill(root, { 'manifest/posts.ts': text.replace('repository({', `repository({${said}`) })
}

beforeEach(async () => {
  root = await newProject()
  linkDependencies(root)
  change('manifest/posts.ts', 'import {', 'import { action,')
})

test('is written with what answers 501, and kept once it is edited', async () => {
  declare('publish: action()')
  const first = await svc(root, 'generate')
  expect(first.code).toBe(0)
  expect(first.out).toMatch(/app\/Actions\/PostActions\.ts.*publish is not written yet/)
  expect(read(path)).toContain("publish: async (_context, _records) => notWritten('publish')")
  expect(read(policy)).toContain('runPublish: ')

  change(path, /publish: async .*/, 'publish: (_, posts) => posts.length,')
  change(policy, /runPublish: .*/, 'runPublish: (user) => user !== null,')
  const [edited, opened] = [read(path), read(policy)]
  // One more is missing in both files of the developer's, with the places.
  declare('publish: action(), archive: action()')
  const missing = await svc(root, 'generate')
  expect(read(path)).toBe(edited)
  expect(read(policy)).toContain('runPublish: (user) => user !== null,')
  expect(missing.out).toMatch(
    /app\/Actions\/PostActions\.ts:\d+:\d+ .*Property 'archive' is missing/,
  )
  expect(missing.out).not.toContain('not written yet')
  expect(read(policy).length).toBeGreaterThanOrEqual(opened.length)

  // One that is too many.
  change(path, 'actions: {', 'actions: { archive: () => 1,')
  declare('publish: action()')
  const other = await svc(root, 'generate')
  expect(other.out).toMatch(/PostActions\.ts:\d+:\d+ .*'archive' does not exist in type/)
})

test('where it is deleted, its actions answer 501, and where the manifest has none, nothing is left', async () => {
  declare('publish: action()')
  await svc(root, 'generate')
  rmSync(join(root, path))
  const { code } = await svc(root, 'generate')
  expect(code).toBe(0)
  expect(existsSync(join(root, path))).toBe(false)
  expect(read('app/Repositories/PostRepository.ts')).toContain('actions({}, {')
  declare('')
  expect((await svc(root, 'generate')).code).toBe(0)
  expect(existsSync(join(root, 'app/actions.ts'))).toBe(false)
  expect(read('app/Repositories/PostRepository.ts')).not.toContain('actions')
})
