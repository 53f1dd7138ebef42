import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { program } from '../../support/program.js'
import { emptyFolder, linkDependencies, savedProject, svc } from '../cli/project.js'
import { fill, textsOf } from '../write/folder.js'
import { query } from './query.js'
import { editsOf, perform, report, storyPath, turnTo } from './story.js'

const identity = [
  '-c',
  'user.name=Ada',
  '-c',
  'user.email=ada@example.com',
  '-c',
  'commit.gpgsign=false',
]

const story = 'two-branches-merged'

test(`fixtures/regenerate/${story}: one command brings two branches together that both generated`, async () => {
  const root = emptyFolder()
  const git = (...words: string[]) =>
    execFileSync('git', [...identity, ...words], { cwd: root, stdio: 'pipe' })
  const commit = () => {
    git('add', '.')
    git('commit', '-q', '-m', 'a commit')
  }
  const workOn = async (branch: string) => {
    turnTo(story, branch, root)
    await svc(root, 'generate')
    perform(editsOf(story, branch), root)
    commit()
  }
  git('init', '-q', '-b', 'main')
  await workOn('before')
  git('switch', '-q', '-c', 'tags')
  await workOn('tags')
  git('switch', '-q', 'main')
  await workOn('notes')

  expect(() => git('merge', '-q', 'tags')).toThrow()
  const torn = Object.entries(textsOf(root)).filter(([, text]) => /^<{7} /m.test(text))
  expect(torn.map(([path]) => path)).toEqual(
    expect.arrayContaining(['app/Models.ts', 'app/Http/resources.ts']),
  )
  turnTo(story, 'merged', root)
  const { code, out, errors } = await svc(root, 'generate')
  expect({ code, errors }, out).toEqual({ code: 0, errors: '' })
  await expect(report(out)).toMatchFileSnapshot(storyPath(story, 'report.txt'))

  const fresh = emptyFolder()
  fill(
    fresh,
    Object.fromEntries(
      Object.entries(textsOf(root)).filter(([path]) => path.startsWith('manifest/')),
    ),
  )
  fill(fresh, { 'package.json': read(root, 'package.json') })
  await svc(fresh, 'generate')
  const edits = ['tags', 'notes'].flatMap((branch) => editsOf(story, branch))
  for (const path of new Set(edits.map(({ path }) => path))) {
    const restored = edits
      .filter((edit) => edit.path === path)
      .reduce(
        (text, { from, to }) => {
          expect(text).toContain(to)
          return text.replace(to ?? '', from)
        },
        read(root, path),
      )
    expect(restored).toBe(read(fresh, path))
  }
  expect(read(root, 'prisma/schema/svc.prisma')).toBe(read(fresh, 'prisma/schema/svc.prisma'))
  expect(
    Object.entries(textsOf(root))
      .filter(([, text]) => /^(<{7}|>{7})/m.test(text))
      .map(([path]) => path),
  ).toEqual([])
  expect((await svc(root, 'generate', '--check')).code).toBe(0)
})

const read = (root: string, path: string) => readFileSync(join(root, path), 'utf8')

test('a migration that builds a table anew without a column of another branch is not applied', async () => {
  const root = await savedProject('--database', 'sqlite')
  linkDependencies(root)
  const url = `file:${join(root, 'storage/test.sqlite')}`
  process.env['DATABASE_URL'] = url
  onTestFinished(() => void delete process.env['DATABASE_URL'])
  const git = (...words: string[]) =>
    execFileSync('git', [...identity, ...words], { cwd: root, stdio: 'pipe' })
  const ok = async (...line: string[]) => {
    const { code, out, errors } = await svc(root, ...line)
    expect(code, out + errors).toBe(0)
  }
  const work = async (name: string, from: string, to: string) => {
    fill(root, { 'manifest/posts.ts': read(root, 'manifest/posts.ts').replace(from, to) })
    await ok('generate')
    await ok('migrate', 'save', name)
    git('add', '-u')
    git('add', 'prisma')
    git('commit', '-q', '-m', name)
  }
  // The next run writes the parts of a document that git cannot merge.
  const index = read(root, 'manifest/index.ts')
  fill(root, {
    'manifest/index.ts': index.replace('defineManifest({', 'defineManifest({\n  openapi: false,'),
  })
  await ok('generate')
  git('init', '-q', '-b', 'main')
  git('add', '--all', '--', ':!node_modules')
  git('commit', '-q', '-m', 'all')
  git('switch', '-q', '-c', 'color')
  await work(
    'color',
    'title: text().max(160),',
    'title: text().max(160), color: text().nullable(),',
  )
  await ok('migrate', 'deploy')
  const at = `'2026-01-01T00:00:00.000+00:00'`
  await query(
    'sqlite',
    url,
    `insert into users (email, password, updated_at) values ('a@b.c', '!', ${at});
    insert into posts (title, body, color, owner_id, updated_at) values ('a', 'b', 'red', 1, ${at})`,
  )
  git('switch', '-q', 'main')
  await work('published', 'dateTime().nullable()', "dateTime().default('2026-01-01T00:00:00Z')")
  git('merge', '-q', 'color')

  const [later] = saved(root).filter((name) => name.endsWith('_published'))
  const text = `prisma/migrations/${later}/migration.sql:1:1  it builds 'posts' anew without 'color', which `
  for (const line of [['generate', '--check'], ['generate'], ['migrate', 'deploy'], ['migrate']]) {
    const { code, out, errors } = await svc(root, ...line)
    expect([line, code, out + errors]).toEqual([line, 1, expect.stringContaining(text)])
  }

  const migrate = await program(root, 'app/migrate.ts')
  const server = spawnSync(process.execPath, [migrate], { cwd: root })
  expect([server.status, String(server.stderr)]).toEqual([
    1,
    expect.stringContaining(`'color', of which it does not know, and 1 value(s) would be gone`),
  ])

  rmSync(join(root, `prisma/migrations/${later}`), { recursive: true })
  git('checkout', 'color', '--', 'prisma/migrations/base.prisma')
  await ok('generate')
  await ok('migrate', 'save', 'published')
  await ok('generate', '--check')
  await ok('migrate', 'deploy')
  expect(await query('sqlite', url, 'select color from posts')).toEqual([{ color: 'red' }])
  expect(saved(root).map((name) => name.replace(/^\d+_/, ''))).toEqual([
    'init',
    'color',
    'published',
  ])
  expect(read(root, `prisma/migrations/${saved(root).at(-1)}/migration.sql`)).toContain('"color"')
})

const saved = (root: string) =>
  readdirSync(join(root, 'prisma/migrations'))
    .filter((name) => /^\d/.test(name))
    .toSorted()
