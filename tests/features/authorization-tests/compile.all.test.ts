import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { starterManifest } from '../../../generator/plan/render/starter.js'
import { change } from '../../core/compile/emit.js'
import { run } from '../../core/compile/run.js'
import { root } from '../../core/plan/fixture.js'
import { generateInto } from '../../support/generate.js'

/** The matrix of a new project, run as its owner does. */
async function newProject() {
  const folder = mkdtempSync(join(tmpdir(), 'svc-matrix-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'manifest'))
  for (const [path, text] of starterManifest('sqlite')) writeFileSync(join(folder, path), text)
  // A day that no body may leave out: SQLite keeps it as a point in time.
  change(join(folder, 'manifest/posts.ts'), /import \{/, 'import { date,')
  change(join(folder, 'manifest/posts.ts'), /fields: \{/, 'fields: { day: date(),')
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  await generateInto(folder)
  const path = (name: string) => join(folder, name)
  return {
    read: (name: string) => readFileSync(path(name), 'utf8'),
    edit: (name: string, from: RegExp, to: string) => change(path(name), from, to),
    run: async (env: Readonly<Record<string, string>>, ...args: readonly string[]) =>
      run('vitest', ['run', 'tests/authorization.test.ts', ...args], folder, {
        NO_COLOR: '1',
        ...env,
      }),
  }
}

const file = 'tests/authorization.md'
const lineOf = (text: string, label: string) =>
  text.split('\n').find((line) => line.startsWith(`| \`${label}\``))

/** What the tests say of the policy below. */
const changes = [
  'posts: GET /api/svc/posts/:id for user was no (404) and is own; else 404',
  'posts: query postList for user was none and is own',
  'posts: GET /api/svc/posts/:id with body for user is new: no (404: other; ignored: own)',
  'posts: PATCH /api/svc/posts/:id with title for user is new: no (404: other; ignored: own)',
  'posts: PATCH /api/svc/posts/:id with body for user is new: own; else 404',
  'Your own: GET /api/prices/:id for guest is new: yes',
  'To accept the differences: npx vitest run tests/authorization.test.ts -u',
]

test('the matrix of a new project, and what its owner does with it', async () => {
  const project = await newProject()

  // Nobody has read it yet: a machine that checks does not write it.
  const first = await project.run({ CI: 'true' })
  expect(first.code).toBe(1)
  expect(first.output).toContain(
    `${file} is not there: run \`npm test\` once where you work, read it, and commit it.`,
  )
  const written = await project.run({ CI: '' }, '--update')
  expect(written.code, written.output).toBe(0)
  const closed = project.read(file)
  expect(lineOf(closed, 'GET /api/svc/posts')).toBe('| `GET /api/svc/posts` | no (401) | none |')
  expect(lineOf(closed, 'mutation createPost')).toBe(
    '| `mutation createPost` | no (401) | no (403) |',
  )

  // A policy is opened and has gates, and there are routes that no policy is asked about.
  const policy = 'app/Policies/PostPolicy.ts'
  project.edit(policy, /show: .*/, 'show: (user) => ({ owner_id: user?.id }),')
  const gates = 'canSee: { body: () => false }, canUpdate: { title: () => false, body: () => true }'
  project.edit(policy, /update: .*/, `update: () => true, ${gates},`)
  project.edit(
    'routes/api.ts',
    /svcAuth\(api\)/,
    "api.get('/prices/:id', (c) => c.json({})).get('/secrets', (c) => c.json({}))\nsvcAuth(api)",
  )
  project.edit(
    'tests/roles.ts',
    /own: Own = .*/,
    "own: Own = { 'GET /api/prices/:id': { path: '/api/prices/1' }, 'GET /nowhere': 'nobody may' }",
  )
  const { code, output } = await project.run({ CI: '' })
  expect(code).toBe(1)
  expect(output).toContain('GET /api/secrets has no decision')
  expect(output).not.toContain('GET /api/prices/:id has no decision')
  expect(output).toContain("tests/roles.ts has 'GET /nowhere' in `own`")
  for (const change of changes) expect(output).toContain(change)
  expect(output).not.toContain('users: ')
  expect(project.read(file)).toBe(closed)

  // A body that is wrong is no decision.
  const bodies = 'bodies: Bodies = { posts: { update: () => ({ body: 7 }) } }'
  project.edit('tests/roles.ts', /bodies: Bodies = .*/, bodies)
  const wrong = await project.run({ CI: '' }, '--update')
  expect(wrong.code).toBe(1)
  expect(wrong.output).toContain(
    'PATCH /api/svc/posts/:id for user: no decision: 422 body: The body must be',
  )
  expect(wrong.output).toContain('422: say in `bodies` of tests/roles.ts what the body needs.')
  expect(project.read(file)).toBe(closed)
})
