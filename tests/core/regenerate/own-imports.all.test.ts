import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newProject, svc } from '../cli/project.js'
import { fill } from '../write/folder.js'

const folding = 'runtime/features/folding/fold-stored.ts'

/** A project that folds nothing has no file for it. */
async function project() {
  const root = await newProject('--runtime=own')
  const has = (path: string) => existsSync(join(root, path))
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  const generate = async () => {
    const first = await svc(root, 'generate')
    expect(first.code, first.out).toBe(0)
    const { out } = await svc(root, 'generate', '--json')
    const left = JSON.parse(out).files.filter(
      ({ status }: { status: string }) => !['same', 'keep', 'orphan'].includes(status),
    )
    expect(left, 'a second run has nothing to do').toEqual([])
  }
  await generate()
  return { root, has, read, generate }
}

test('a file of the runtime that my own code imports is there as long as I import it', async () => {
  const { root, has, generate } = await project()
  expect(has(folding)).toBe(false)
  fill(root, {
    'app/Own/notify.ts':
      "import type { foldStored } from '#runtime/features/folding/fold-stored.js'\n",
  })
  await generate()
  expect(has(folding)).toBe(true)
  fill(root, {
    'app/Own/notify.ts':
      "export type Fold = typeof import('../../runtime/features/folding/fold-stored.js').foldStored\n",
  })
  await generate()
  expect(has(folding)).toBe(true)
  rmSync(join(root, 'app/Own'), { recursive: true })
  await generate()
  expect(has(folding)).toBe(false)
  expect(has('runtime/features/folding')).toBe(false)
})

test('so is what I import in a file of svc, in one that I ejected, and in the runtime itself', async () => {
  const { root, has, read, generate } = await project()
  const line = "import type {} from '#runtime/features/folding/fold-stored.js'\n"
  for (const path of ['app/log.ts', 'app/Http/middleware.ts', 'runtime/errors.ts']) {
    const text = read(path)
    if (path === 'app/Http/middleware.ts') await svc(root, 'eject', path)
    fill(root, { [path]: `${text}${line}` })
    await generate()
    expect(has(folding), path).toBe(true)
    expect(read(path)).toBe(`${text}${line}`)
    fill(root, { [path]: text })
    await generate()
    expect(has(folding), path).toBe(false)
  }
})

test('a file of the runtime that I edited stays with what it imports, though nothing needs it any more', async () => {
  const { root, has, read, generate } = await project()
  fill(root, { 'app/Own/notify.ts': "import '#runtime/features/folding/fold-stored.js'\n" })
  await generate()
  fill(root, { [folding]: `${read(folding)}// Mine.\n` })
  rmSync(join(root, 'app/Own'), { recursive: true })
  await generate()
  expect(has(folding)).toBe(true)
  expect(has('runtime/features/folding/fold.ts')).toBe(true)
})
