import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { emptyFolder, spawnSvc, svc } from '../cli/project.js'
import { fill, textsOf } from '../write/folder.js'

let root = ''
beforeEach(async () => {
  root = emptyFolder()
  await svc(root, 'new', '.')
})

const before = (line: string) => {
  const text = readFileSync(join(root, 'manifest/posts.ts'), 'utf8')
  fill(root, { 'manifest/posts.ts': `${text}\n${line}\n` })
}

test(
  'a manifest that never ends is stopped, and the project is untouched',
  { timeout: 30_000 },
  async () => {
    before('for (;;) {}')
    const texts = textsOf(root)
    const { code, out } = await svc(root, 'generate')
    expect(code).toBe(1)
    expect(out).toContain('the manifest was not read within 3 s, so svc stopped it')
    expect(textsOf(root)).toEqual(texts)
  },
)

test('a manifest that throws is a problem at its line', async () => {
  before("throw new Error('not today')")
  const texts = textsOf(root)
  const { code, out } = await svc(root, 'generate')
  expect(code).toBe(1)
  expect(out).toMatch(/^manifest\/posts\.ts:\d+:\d+ {2}the manifest cannot be read: not today/)
  expect(textsOf(root)).toEqual(texts)
})

test('a manifest that prints does so on stderr, and the JSON stays JSON', async () => {
  before("console.log('hello')")
  const { code, out, errors } = await spawnSvc(root, 'generate', '--json')
  expect({ code, errors }).toEqual({ code: 0, errors: 'hello\n' })
  expect(JSON.parse(out)).toMatchObject({ pending: false })
})

test('a manifest that ends the process is a problem, and one that writes past the console stays off stdout', async () => {
  before('process.exit(0)')
  const texts = textsOf(root)
  const ended = await spawnSvc(root, 'generate', '--check')
  expect(ended.code).toBe(1)
  expect(ended.out).toMatch(/^manifest\/posts\.ts:\d+:\d+ {2}the manifest cannot be read: it ends the process/)
  expect(textsOf(root)).toEqual(texts)
  const manifest = readFileSync(join(root, 'manifest/posts.ts'), 'utf8')
  fill(root, {
    'manifest/posts.ts': manifest.replace('process.exit(0)', "process.stdout.write('raw\\n')"),
  })
  const { code, out, errors } = await spawnSvc(root, 'generate', '--json')
  expect({ code, errors }).toEqual({ code: 0, errors: 'raw\n' })
  expect(JSON.parse(out)).toMatchObject({ pending: false })
})
