import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { compile } from '../../../generator/write/compile/compile.js'
import { build, compiled, emptyFolder, newProject, linkDependencies, svc } from '../cli/project.js'
import { fill, textsOf } from '../write/folder.js'

let root = ''
beforeEach(async () => {
  root = await newProject()
})

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const change = (path: string, from: string, to: string) =>
  fill(root, { [path]: read(path).replace(from, to) })

const rename = (from: string, to: string) => {
  change('manifest/posts.ts', `${from}: textarea(),`, `${to}: textarea(),`)
  change('manifest/posts.ts', `['title', '${from}']`, `['title', '${to}']`)
}

describe('lines of the developer that no longer compile', () => {
  beforeEach(() => linkDependencies(root))

  test('include a policy that names a removed column, beside others too', async () => {
    change(
      'app/Policies/PostPolicy.ts',
      'show: () => false',
      'show: (user) => (user === null ? false : { owner_id: user.id, body: { isNull: false } })',
    )
    change('app/Policies/PostPolicy.ts', 'update: () => false', 'update: () => ({ body: null })')
    rename('body', 'text')
    const { out } = await svc(root, 'generate')
    expect(out).toMatch(/^2 lines of yours no longer compile:$/m)
    expect(out).toMatch(/^ {2}app\/Policies\/PostPolicy\.ts:13:\d+ .*'body' is none here/m)
    expect(out).toMatch(/^ {2}app\/Policies\/PostPolicy\.ts:17:\d+ /m)
  })

  test('are looked for within bounds of time and memory, and the run goes on', async () => {
    // Of a key too many in an answer the fast compiler says nothing, so the other one has to run.
    const before = [['app/Models.ts', read('app/Models.ts')]] as const
    change('app/Models.ts', 'body:', 'text:')
    change('app/Policies/PostPolicy.ts', 'show: () => false', 'show: () => ({ id: 1, body: null })')
    const path = 'app/Policies/PostPolicy.ts'
    const compilation = { root, paths: [{ now: path, before: path }], before }
    const late = await compile(compilation, { timeoutMs: 1, memoryMb: 320 })
    expect(late).toEqual({ broken: [], isComplete: false })
    const busy = await compile(compilation, { timeoutMs: 60_000, cpuMs: 1, memoryMb: 320 })
    expect(busy).toEqual({ broken: [], isComplete: false })
    const small = await compile(compilation, { timeoutMs: 60_000, memoryMb: 16 })
    expect(small).toEqual({ broken: [], isComplete: false })
    fill(root, { 'tsconfig.json': '{ "extends": "./nowhere.json", ' })
    fill(root, { 'app/wrong.ts': "export const wrong: number = 'text'\n" })
    const wrong = { root, paths: [{ now: 'app/wrong.ts', before: 'app/wrong.ts' }], before: [] }
    expect((await compile(wrong)).broken).toEqual([])
  })

  test('are named by the fast compiler alone, after the answer and before the client', async () => {
    fill(root, {
      'app/words.ts': `import { prisma } from './prisma.js'
import type { Post } from './Models.js'
export const wrong: number = 'always'
export const rows = () => prisma.post.findMany()
export const words = (post: Post) => post.body
`,
      // Says each file of a library as it is loaded, in this process and its threads, and when the answer is printed.
      'loads.cjs': `const Module = require('node:module')
const say = (text) => require('node:fs').appendFileSync('loads.txt', text + '\\n')
const load = Module._load
Module._load = function (name, ...rest) {
  if (/(ts-morph|prisma)(\\.bundle)?\\.cjs$/.test(name)) say(name)
  return load.call(this, name, ...rest)
}
const write = process.stdout.write
process.stdout.write = function (...given) {
  say('the answer')
  return write.apply(this, given)
}
`,
      'loads.txt': '',
    })
    change('manifest/posts.ts', 'fields: {', 'fields: { extra: text().nullable(),')
    await svc(root, 'generate')
    rename('body', 'text')
    build()
    const child = spawn(process.execPath, ['--require', './loads.cjs', compiled, 'generate'], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const out = await text(child.stdout)
    expect(out).toMatch(/^Done: [^]*^1 line of yours no longer compiles:$/m)
    expect(out).toMatch(/^ {2}app\/words\.ts:5:\d+ {2}Property 'body' does not exist/m)
    const [before = '', ...after] = read('loads.txt').split('the answer\n')
    expect(before).not.toContain('prisma')
    expect(after.join('')).toContain('prisma')
    expect(read('loads.txt')).not.toContain('ts-morph')
  })
})
test('a base of another project is refused, and nothing is written', async () => {
  const other = emptyFolder()
  await svc(other, 'new', 'shop', '--example', 'blog')
  const base = Object.entries(textsOf(join(other, 'shop'))).filter(([path]) =>
    path.startsWith('.svc/'),
  )
  const mine = emptyFolder()
  await svc(mine, 'new', 'notes')
  fill(join(mine, 'notes'), {
    'manifest/index.ts':
      "import { defineManifest, repository, text } from 'svckit'\nexport default defineManifest({ database: 'sqlite', repositories: { notes: repository({ fields: { body: text() } }) } })\n",
    'config/svc.ts': (textsOf(mine)['notes/config/svc.ts'] ?? '').replace(
      "user_model: 'users'",
      'user_model: null',
    ),
  })
  await svc(join(mine, 'notes'), 'generate')
  const { rmSync } = await import('node:fs')
  rmSync(join(mine, 'notes/.svc'), { recursive: true })
  fill(join(mine, 'notes'), Object.fromEntries(base))
  const before = textsOf(mine)
  const { code, errors } = await svc(join(mine, 'notes'), 'generate')
  expect(code).toBe(1)
  expect(errors).toContain("'.svc/base.txt' is of another project ('shop', and this is 'notes')")
  expect(textsOf(mine)).toEqual(before)
})

test('svc generate --watch follows the manifest, and removes what nobody edited', async () => {
  build()
  const env = { ...process.env, SVC_SKIP_PRISMA_CLIENT: '1' }
  const child = spawn(process.execPath, [compiled, 'generate', '--watch'], { cwd: root, env })
  onTestFinished(() => void child.kill('SIGKILL'))
  let said = ''
  child.stdout.on('data', (chunk) => (said += String(chunk)))
  const until = (what: () => unknown) => expect.poll(what, { message: said })
  await until(() => said).toContain('Watching the manifest')
  change(
    'manifest/posts.ts',
    'body: textarea(),',
    'body: textarea(),\n    note: text().nullable(),',
  )
  await until(() => read('app/Models.ts')).toContain('note: string | null')
  change('manifest/posts.ts', '\n    note: text().nullable(),', '')
  await until(() => read('app/Models.ts')).not.toContain('note: string | null')
  expect(said).not.toContain('Not applied')
  fill(root, {
    'manifest/index.ts': read('manifest/index.ts').replace('{ users, posts }', '{ users }'),
    'manifest/users.ts': read('manifest/users.ts').replace('posts: hasMany(),', ''),
  })
  await until(() => Object.keys(textsOf(root))).not.toContain('app/Repositories/PostRepository.ts')
  expect(said).not.toContain('Not applied')
  const code = new Promise((resolve) => child.on('exit', resolve))
  child.kill('SIGINT')
  expect(await code).toBe(0)
  expect((await svc(root, 'generate', '--watch', '--force')).errors).toContain(
    '--watch cannot be combined with other options',
  )
})
