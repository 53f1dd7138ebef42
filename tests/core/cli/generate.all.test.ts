import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { fillBase } from '../write/base.js'
import { fill } from '../write/folder.js'
import { newProject, spawnSvc } from './project.js'

let root = ''

beforeAll(() => vi.stubEnv('SVC_SKIP_PRISMA_CLIENT', '1'))

beforeEach(async () => {
  root = await newProject()
})

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const replace = (path: string, from: string | RegExp, to: string) =>
  fill(root, { [path]: read(path).replace(from, to) })

/** Returns what `svc generate` writes to app/Models.ts when the manifest gets this. */
const addField = () =>
  replace(
    'manifest/posts.ts',
    'body: textarea(),',
    'body: textarea(),\n    subtitle: text().nullable(),',
  )

describe('svc generate', () => {
  test('starts from what the last run of the same build made of the same manifest', async () => {
    await spawnSvc(root, 'generate', '--force')
    const ours = read('app/app.ts')
    const other = '// Not what svc writes.\n'
    const cache = JSON.parse(read('.svc/tidied.json'))
    const entry = cache.whole.files.find(({ path }: { path: string }) => path === 'app/app.ts')
    entry.hash = createHash('sha1').update(other).digest('base64')
    fillBase(root, { 'app/app.ts': other })
    fill(root, {
      'app/app.ts': other,
      '.svc/tidied.json': JSON.stringify(cache),
    })
    await spawnSvc(root, 'generate')
    expect(read('app/app.ts'), 'nothing was rendered').toBe(other)

    addField()
    await spawnSvc(root, 'generate')
    expect(read('app/app.ts'), 'another manifest').toBe(ours)

    fillBase(root, { 'app/app.ts': other })
    fill(root, {
      'app/app.ts': other,
      '.svc/tidied.json': JSON.stringify({ ...cache, build: 'another' }),
    })
    await spawnSvc(root, 'generate')
    expect(read('app/app.ts'), 'another build').toBe(ours)
  })
})
test('the compiled command does the same', async () => {
  addField()
  expect((await spawnSvc(root, 'generate', '--check')).code).toBe(2)
  expect((await spawnSvc(root, 'generate')).code).toBe(0)
  expect((await spawnSvc(root, 'diff')).out).toBe('No differences.\n')
  const { code, out } = await spawnSvc(root, 'undo')
  expect(code).toBe(0)
  expect(out).toMatch(/^Restored \d+ files:\n(  [\w./-]+\n){5}  … and \d+ more\n$/)
  expect((await spawnSvc(root, 'svc:generate', '--check')).code).toBe(2)
})
