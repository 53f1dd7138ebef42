import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { typeCheck } from '../../support/type-check.js'
import { linkDependencies, newProject, svc } from '../cli/project.js'
import { fill, textsOf } from '../write/folder.js'

const errors = 'runtime/errors.ts'

async function project(...options: readonly string[]) {
  const root = await newProject(...options)
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  const has = (path: string) => existsSync(join(root, path))
  const run = (...line: readonly string[]) => svc(root, ...line)
  const isUpToDate = async () => (await run('generate', '--check')).code === 0
  return { root, read, has, run, isUpToDate }
}

/** `.svc` has what went before, too. */
const committed = (root: string) =>
  Object.entries(textsOf(root)).filter(([path]) => !path.startsWith('.svc/journal'))

describe('svc publish runtime', () => {
  test('makes the project what svc new --runtime own makes, and undo takes it back', async () => {
    const { root, run, isUpToDate } = await project()
    const before = committed(root)
    const { code, out } = await run('publish', 'runtime')
    expect([code, out]).toEqual([0, expect.stringMatching(/\n\nNext: npm install\n$/)])
    const own = await project('--runtime=own')
    const name = /svc-starter-\w+/g
    const named = (texts: readonly (readonly [string, string])[]) =>
      texts.map(([path, text]) => [path, text.replaceAll(name, 'starter')])
    expect(named(committed(root))).toEqual(named(committed(own.root)))
    expect(await isUpToDate()).toBe(true)
    expect((await run('undo')).code).toBe(0)
    expect(committed(root)).toEqual(before)
  })

  test('brings what code of mine imports, and compiles', async () => {
    const { root, has, run } = await project()
    fill(root, {
      'app/Own/fold.ts': "export { foldStored } from '#runtime/features/folding/fold-stored.js'\n",
    })
    await run('publish', 'runtime')
    expect(has('runtime/features/folding/fold-stored.ts')).toBe(true)
    linkDependencies(root)
    expect(typeCheck(root)).toBe('')
  })

  test('merges an edit with what a newer svc brings, as in every project that has the files', async () => {
    const { root, read, run } = await project()
    await run('publish', 'runtime')
    fill(root, { [errors]: `${read(errors)}// Mine.\n` })
    expect((await run('generate')).code).toBe(0)
    expect(read(errors)).toMatch(/\/\/ Mine\.\n$/)
  })

  test('--undo goes back where nothing was edited', async () => {
    const { root, has, run, isUpToDate } = await project()
    const before = committed(root)
    await run('publish', 'runtime')
    expect((await run('publish', 'runtime', '--undo')).code).toBe(0)
    expect(committed(root)).toEqual(before)
    expect(has('runtime')).toBe(false)
    expect(await isUpToDate()).toBe(true)
  })

  test('--undo names what was edited, deleted, ejected, added, or is imported by its path, and changes nothing', async () => {
    const { root, read, run } = await project('--runtime=own')
    await run('eject', 'runtime/setup-error.ts')
    rmSync(join(root, 'runtime/find-file.ts'))
    fill(root, {
      [errors]: `${read(errors)}// Mine.\n`,
      'runtime/mine.ts': 'export const mine = 1\n',
      'app/Own/near.ts': "export { conflict } from '../../runtime/errors.js'\n",
    })
    const before = committed(root)
    const { code, errors: said } = await run('publish', 'runtime', '--undo')
    expect([code, said]).toEqual([
      1,
      `The package does not have these changes, so nothing was changed:
  app/Own/near.ts  imports ../../runtime/errors.js
  runtime/errors.ts  was edited, deleted or ejected
  runtime/find-file.ts  was edited, deleted or ejected
  runtime/mine.ts  is a file of your own
  runtime/setup-error.ts  was edited, deleted or ejected
  fix    svc diff --mine runtime, which shows the edits; move what you need to app/, and import #runtime/…
`,
    ])
    expect(committed(root)).toEqual(before)
  })

  test('changes nothing where it is so already, or where svc has something else to write', async () => {
    const { root, read, run } = await project()
    const refused = async (...line: readonly string[]) => {
      const { code, errors: said } = await run('publish', 'runtime', ...line)
      return [code, said.split('\n')[0]]
    }
    expect(await refused('--undo')).toEqual([1, 'The project imports svckit-runtime already.'])
    const manifest = read('manifest/posts.ts')
    fill(root, { 'manifest/posts.ts': manifest.replace("sort: ['id', 'title',", "sort: ['id',") })
    const before = committed(root)
    expect(await refused()).toEqual([
      1,
      'The project is not up to date, and this command changes only the runtime.',
    ])
    expect(committed(root)).toEqual(before)
    fill(root, { 'manifest/posts.ts': manifest })
    await run('publish', 'runtime')
    expect(await refused()).toEqual([1, 'The project has its own runtime/ already.'])
  })
})
