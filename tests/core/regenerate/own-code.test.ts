import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { showProgress } from '../../../generator/commands/report/progress.js'
import { compile } from '../../../generator/write/compile/compile.js'
import { newProject, linkDependencies, svc } from '../cli/project.js'
import { fill } from '../write/folder.js'

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
