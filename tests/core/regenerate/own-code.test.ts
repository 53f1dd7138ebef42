import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { showProgress } from '../../../generator/commands/report/progress.js'
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

  test('are named, and lines that never compiled are not', async () => {
    fill(root, {
      'app/words.ts': `import { prisma } from './prisma.js'
import { db } from './database.js'
import type { Post } from './Models.js'

export const words = (post: Post) => post.body.split(' ')
export const always: number = 'wrong'
export const long = (post: Post) => post.body.length > 100
export const rows = () => db.selectFrom('posts').select('body').execute()
export const found = () => prisma.post.findMany({ where: { body: 'x' } })
`,
    })
    fill(root, {
      'app/shared.ts': "export type { Post } from './Models.js'\n",
      'app/far.ts':
        "import type { Post } from './shared.js'\nexport const far = (post: Post) => post.body\n",
      'app/kept.ts': `import type { Post } from './Models.js'

type Kept = { kept: true } & Pick<Post, keyof Post & ('id' | 'text')>
export const kept = (post: { kept: true; id: number }): Kept => post
`,
    })
    rename('body', 'text')
    const { code, out } = await svc(root, 'generate')
    expect(code).toBe(0)
    expect(out).toMatch(/^6 lines of yours no longer compile:$/m)
    expect(out).toMatch(/^ {2}app\/far\.ts:2:\d+ {2}Property 'body' does not exist/m)
    expect(out).toMatch(/^ {2}app\/kept\.ts:4:\d+ {2}Property 'text' is missing in type/m)
    expect(out).toMatch(
      /^ {2}app\/words\.ts:5:\d+ {2}Property 'body' does not exist on type 'Post'/m,
    )
    expect(out).toMatch(
      /^ {2}app\/words\.ts:7:\d+ {2}Property 'body' does not exist on type 'Post'/m,
    )
    expect(out).toMatch(/^ {2}app\/words\.ts:8:\d+ {2}No overload matches/m)
    expect(out).toMatch(/^ {2}app\/words\.ts:9:\d+ .*'body' does not exist in type/m)
    // Whoever did not see them sees them at the next run, until they are mended.
    const again = await svc(root, 'generate')
    expect(again.out).toMatch(/^6 lines of yours no longer compile:$/m)
    expect(again.out).not.toContain('words.ts:6:')
    change('app/words.ts', 'post.body.length > 100', 'post.text.length > 100')
    change('manifest/posts.ts', 'fields: {', 'fields: { extra: text().nullable(),')
    expect((await svc(root, 'generate')).out).toMatch(/^5 lines of yours no longer compile:$/m)
    change('app/words.ts', 'post.text.length > 100', 'post.body.length > 100')
    rename('text', 'body')
    expect((await svc(root, 'generate')).out).not.toContain('compile')
    expect((await svc(root, 'generate')).out).not.toContain('compile')
  })

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

  test('are not looked for where the fast compiler finds no error', async () => {
    const of = (...paths: string[]) => paths.map((path) => ({ now: path, before: path }))
    // With so little memory the other one ends at once.
    const little = { timeoutMs: 60_000, memoryMb: 4 }
    const before = [['app/Models.ts', read('app/Models.ts')]] as const
    const fine = of('app/app.ts', 'app/Policies/PostPolicy.ts')
    const none = { broken: [], isComplete: true }
    expect(await compile({ root, paths: fine, before }, little)).toEqual(none)
    // Of a key too many in an answer it says nothing.
    change('app/Models.ts', 'body:', 'text:')
    change('app/Policies/PostPolicy.ts', 'show: () => false', 'show: () => ({ id: 1, body: null })')
    const looked = await compile({ root, paths: of('app/Policies/PostPolicy.ts'), before }, little)
    expect(looked.isComplete).toBe(false)
  })
})

test('routes of the developer stay when svc has nothing new to say', async () => {
  change(
    'routes/api.ts',
    'svcResources(api)',
    "api.get('/mine', (c) => c.text('mine'))\nsvcResources(api)",
  )
  change('manifest/posts.ts', 'body: textarea(),', '')
  change('manifest/posts.ts', "['title', 'body']", "['title']")
  await svc(root, 'generate')
  expect(read('routes/api.ts')).toContain("api.get('/mine'")
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

test('progress is shown on a terminal once a run takes over a second, and cleared', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const terminal = Object.assign(new PassThrough(), { isTTY: true })
  const progress = showProgress(terminal)
  progress.step('Rendering')
  vi.advanceTimersByTime(999)
  expect(terminal.read()).toBeNull()
  vi.advanceTimersByTime(2)
  progress.step('Writing')
  progress.end()
  const shown = String(terminal.read())
  expect(shown).toContain('Rendering …')
  expect(shown).toContain('Writing …')
  expect(shown.endsWith('\u001B[2K')).toBe(true)
  const pipe = new PassThrough()
  const quiet = showProgress(pipe)
  quiet.step('Rendering')
  quiet.end()
  expect(pipe.read()).toBeNull()
})
