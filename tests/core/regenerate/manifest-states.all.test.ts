import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { newProject, spawnSvc, svc } from '../cli/project.js'
import { fill, textsOf } from '../write/folder.js'

let root = ''
beforeEach(async () => {
  root = await newProject()
})

const before = (line: string) => {
  const text = readFileSync(join(root, 'manifest/posts.ts'), 'utf8')
  fill(root, { 'manifest/posts.ts': `${text}\n${line}\n` })
}

test('a manifest that never ends is stopped, and the project is untouched', async () => {
  before('for (;;) {}')
  const texts = textsOf(root)
  const { code, out } = await svc(root, 'generate')
  expect(code).toBe(1)
  expect(out).toContain('the manifest was not read within 3 s, so svc stopped it')
  expect(textsOf(root)).toEqual(texts)
})

test.each([
  "throw new Error('not today')",
  // As svc's own functions leave it, when they are stopped while they ask who called them.
  "Object.assign(Error, { prepareStackTrace: () => [] }); throw new Error('not today')",
])('a manifest that throws is a problem at its line: %s', async (line) => {
  before(line)
  const texts = textsOf(root)
  const { code, out } = await svc(root, 'generate')
  expect(code).toBe(1)
  expect(out).toMatch(/^manifest\/posts\.ts:\d+:\d+ {2}the manifest cannot be read: not today/)
  expect(textsOf(root)).toEqual(texts)
})

test.each([
  ['process.exit(0)', 'it calls process.exit, and a manifest is data'],
  ['setInterval(() => {}, 1000)', 'it calls setInterval, and a manifest is data'],
])('a manifest that says %s is a problem, not a run that did nothing', async (line, message) => {
  before(line)
  const texts = textsOf(root)
  const { code, out } = await spawnSvc(root, 'generate', '--check')
  expect(code).toBe(1)
  expect(out).toMatch(/^manifest\/posts\.ts:\d+:\d+ {2}the manifest cannot be read: /)
  expect(out).toContain(message)
  expect(textsOf(root)).toEqual(texts)
})

test.each([
  ['.svc', '.svc', 'is a file, and svc needs a folder of that name: move it away.'],
  ['svc.lock.json', 'svc.lock.json/sub', 'is a folder, and svc needs a file of that name'],
  ['package.json', 'package.json/sub', 'is a folder, and svc writes a file of that name'],
])("what stands in svc's way at %s is named", async (path, put, message) => {
  rmSync(join(root, path), { recursive: true })
  fill(root, { [put]: '' })
  const texts = textsOf(root)
  const { code, errors } = await spawnSvc(root, 'generate')
  expect(code).toBe(1)
  expect(errors).toContain(message)
  expect(errors).toContain(path)
  expect(textsOf(root)).toEqual(texts)
})

test('a manifest that prints does so on stderr, and the JSON stays JSON', async () => {
  before("console.log('hello')")
  before("process.stdout.write('raw\\n')")
  const { code, out, errors } = await spawnSvc(root, 'generate', '--json')
  expect({ code, errors }).toEqual({ code: 0, errors: 'hello\nraw\n' })
  expect(JSON.parse(out)).toMatchObject({ pending: false })
})
