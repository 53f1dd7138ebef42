/** Whichever call of the write layer fails, in whichever command: the next run, or `undo`, gives a whole tree. */
import { cpSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { afterEach, describe, expect, test } from 'vitest'
import { disk, type Files } from '../../../generator/write/files.js'
import { runs } from '../../support/runs.js'
import { generateKilled } from '../cli/killed.js'
import { build, emptyFolder, newProject, svc } from '../cli/project.js'
import { fill, textsOf, type Texts } from '../write/folder.js'

const changing = [
  'write',
  'rename',
  'place',
  'allowAs',
  'remove',
  'removeTree',
  'removeFolder',
  'makeFolder',
] as const satisfies readonly (keyof Files)[]

const real = { ...disk }
const environment = { ...process.env }
process.env['SVC_SKIP_PRISMA_CLIENT'] = '1'
afterEach(() => {
  Object.assign(disk, real)
  process.env = { ...environment, SVC_SKIP_PRISMA_CLIENT: '1' }
})

/** From the nth call on that changes the disk, none works any more: the process is as good as dead. */
async function dying(n: number, work: () => Promise<unknown>): Promise<number> {
  let calls = 0
  for (const name of changing) {
    const call = real[name] as (...parameters: unknown[]) => unknown
    const failing = (...parameters: unknown[]) => {
      calls += 1
      if (calls >= n) throw Object.assign(new Error(`call ${calls}, ${name}`), { code: 'EIO' })
      return call(...parameters)
    }
    Object.assign(disk, { [name]: failing })
  }
  await work().catch(() => null)
  Object.assign(disk, real)
  return calls
}

interface Case {
  readonly name: string
  /** From a fresh project to the one in which the command is run. */
  readonly prepare: (root: string) => Promise<void>
  readonly command: readonly string[]
  /** A command that restores a torn tree, when the command itself does not. */
  readonly first?: readonly string[]
}

const edit = (root: string, path: string, from: string, to: string) => {
  const text = readFileSync(join(root, path), 'utf8')
  if (!text.includes(from)) throw new Error(`${path} has no ${from}`)
  fill(root, { [path]: text.replaceAll(from, to) })
}
const addField = (root: string) =>
  edit(
    root,
    'manifest/posts.ts',
    'body: textarea(),',
    'body: textarea(),\n    note: text().nullable(),',
  )

const cases: readonly Case[] = [
  {
    name: 'a repository that changes its name',
    prepare: async (root) => {
      edit(root, 'app/Policies/PostPolicy.ts', 'show: () => false', 'show: () => true')
      edit(
        root,
        'manifest/posts.ts',
        'posts = repository({',
        "articles = repository({\n  renamedFrom: 'posts',",
      )
      edit(root, 'manifest/index.ts', 'import { posts }', 'import { articles }')
      edit(root, 'manifest/index.ts', '{ users, posts }', '{ users, articles }')
      edit(root, 'manifest/users.ts', 'posts: hasMany()', 'articles: hasMany()')
    },
    command: ['generate'],
  },
  {
    name: 'eject',
    prepare: async () => {},
    command: ['eject', 'app/Models.ts'],
  },
  {
    name: 'adopt',
    prepare: async (root) => {
      await svc(root, 'eject', 'app/Models.ts')
      edit(root, 'app/Models.ts', 'export interface Post {', '// mine\nexport interface Post {')
      addField(root)
      await svc(root, 'generate')
    },
    command: ['adopt', 'app/Models.ts'],
  },
  {
    name: 'undo',
    prepare: async (root) => {
      addField(root)
      await svc(root, 'generate')
    },
    command: ['undo'],
  },
  {
    name: 'migrate save',
    prepare: async (root) => {
      addField(root)
      await svc(root, 'generate')
    },
    command: ['migrate', 'save', 'note'],
    first: ['generate'],
  },
  {
    name: 'auth',
    prepare: async () => {},
    command: ['auth', '--actions=login'],
  },
  {
    name: 'publish',
    prepare: async (root) => rmSync(join(root, 'config/svc-graphql.ts'), { force: true }),
    command: ['publish', '--tag=svc-graphql-config'],
  },
]

async function prepared({ prepare }: Case): Promise<string> {
  const root = await newProject()
  await prepare(root)
  return root
}

function copyOf(project: string): string {
  const root = emptyFolder()
  cpSync(project, root, { recursive: true })
  return root
}

/** A saved migration bears the second in which it was saved. */
const undated = (texts: Texts): Texts =>
  Object.fromEntries(
    Object.entries(texts).map(([path, text]) => [path.replace(/\/\d{14}_/, '/date_'), text]),
  )
const treeOf = (root: string) => undated(textsOf(root))

describe.each(cases)('$name', (story) => {
  const { command, first } = story

  test('dying at any call leaves what the next run makes whole, or undo takes back', async () => {
    const project = await prepared(story)
    const before = treeOf(project)
    const done = copyOf(project)
    const calls = await dying(Number.POSITIVE_INFINITY, () => svc(done, ...command))
    const after = treeOf(done)
    expect(after).not.toEqual(before)
    expect(calls).toBeGreaterThan(8)
    // Two thirds of a run are staging, in which every call is as the one before: tests/core/write goes through them all.
    for (const n of spread(calls, runs(3))) {
      const root = copyOf(project)
      await dying(n, () => svc(root, ...command))
      rmSync(join(root, '.svc/run.lock'), { force: true })
      const isTorn = isNeither(treeOf(root), before, after)
      if (isTorn && n % 2 === 0 && command[0] !== 'undo') {
        expect((await svc(root, 'undo')).code, `undo after call ${n}`).toBe(0)
        expect(treeOf(root), `undo after call ${n}`).toEqual(before)
      }
      if (first !== undefined) await svc(root, ...first)
      await svc(root, ...command)
      expect(treeOf(root), `call ${n}`).toEqual(after)
      rmSync(root, { recursive: true })
    }
  })
})

/** Some numbers up to the last one, which is among them, as are its neighbours. */
function spread(last: number, count: number): readonly number[] {
  const step = Math.max(1, Math.floor(last / count))
  const some = Array.from({ length: count }, (_, at) => 1 + at * step)
  return [...new Set([...some, last - 2, last - 1, last])].filter((n) => n >= 1 && n <= last)
}

const isNeither = (tree: Texts, ...whole: readonly Texts[]) =>
  !whole.some((each) => isDeepStrictEqual(each, tree))

test('a process killed at a call leaves the same', async () => {
  build()
  const [story] = cases
  if (story === undefined) throw new Error('there are no cases')
  const project = await prepared(story)
  const before = treeOf(project)
  const done = copyOf(project)
  const { calls } = generateKilled(done, Number.POSITIVE_INFINITY)
  const after = treeOf(done)
  expect(calls).toBeGreaterThan(50)
  for (let at = 1; at <= calls; at += Math.ceil(calls / runs(3))) {
    const root = copyOf(project)
    expect(generateKilled(root, at).isKilled, `call ${at}`).toBe(true)
    const torn = copyOf(root)
    if (isNeither(treeOf(torn), before, after)) {
      expect((await svc(torn, 'undo')).code, `call ${at}`).toBe(0)
      expect(treeOf(torn), `call ${at}`).toEqual(before)
    }
    expect((await svc(root, 'generate')).code, `call ${at}`).toBe(0)
    expect(treeOf(root), `call ${at}`).toEqual(after)
  }
})
