import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { SqliteDriver as Sqlite } from '../../../runtime/database/sqlite/driver.js'
import { scriptsShareAProcess } from '../../support/resident.js'
import { generateKilled } from '../cli/killed.js'
import { build, newProject, linkDependencies, svc } from '../cli/project.js'
import { fill, textsOf } from '../write/folder.js'

scriptsShareAProcess()

const environment = { ...process.env }
afterEach(() => void (process.env = environment))

/** Ten files of svc's, edited the way people do when nobody looks. */
const ugly: readonly (readonly [path: string, from: string, to: string])[] = [
  [
    'app/Models.ts',
    'export interface Post {',
    '// imported from the old system\nexport interface Post {',
  ],
  [
    'app/Repositories/PostRepository.ts',
    '  policy: PostPolicy,',
    '  policy: PostPolicy,\n  perPage: 7, // the designer wants seven',
  ],
  [
    'app/Http/Controllers/PostController.ts',
    "  .get('/', indexRoute(PostRepository))",
    "  .use('/', (c, next) => {\n    c.header('x-seven', '7')\n    return next()\n  })\n  .get('/', indexRoute(PostRepository))",
  ],
  [
    'app/app.ts',
    "  app.get('/health', health)",
    "  app.get('/health', health)\n  app.get('/version', (c) => c.text('7'))",
  ],
  ['app/server.ts', 'await serve(', '// listens twice on Fridays\nawait serve('],
  [
    'app/Http/resources.ts',
    "  api.route('/svc', resources)",
    "  api.route('/svc', resources)\n  api.route('/v2', resources)",
  ],
  ['app/log.ts', 'export const log', '/* shout */ export const log'],
  ['README.md', '# ', '# our very own '],
  ['Dockerfile', 'FROM ', '# pinned by the platform team\nFROM '],
  ['tests/setup.ts', 'import ', '// slow on Mondays\nimport '],
]

test('you have lived it: ugly edits, five changes, a rename with rows, a kill; and everything is there', async () => {
  build()
  const root = await newProject()
  linkDependencies(root)
  process.env['DATABASE_URL'] = `file:${join(root, 'storage/lived.sqlite')}`
  process.env['NODE_ENV'] = 'development'
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  const change = (path: string, from: string, to: string) => {
    expect(read(path), path).toContain(from)
    fill(root, { [path]: read(path).replace(from, to) })
  }
  const ok = async (...line: string[]) => {
    const quick = line[0] === 'generate' ? ['--no-compile'] : []
    const { code, out, errors } = await svc(root, ...line, ...quick)
    expect(code, out + errors).toBe(0)
    return out
  }
  const posts = 'manifest/posts.ts'

  await ok('migrate')
  const database = new Sqlite(join(root, 'storage/lived.sqlite'))
  database.exec(`
    insert into users (name, email, password, updated_at) values ('Ada', 'ada@example.com', 'x', '2026-01-01');
    insert into posts (title, body, owner_id, updated_at) values ('One', 'a', 1, '2026-01-01'), ('Two', 'b', 1, '2026-01-01')`)
  database.close()

  for (const [path, from, to] of ugly) change(path, from, to)
  fill(root, { 'app/log.ts': read('app/log.ts').replaceAll('\n', '\r\n') })
  change(
    'app/Policies/PostPolicy.ts',
    'show: () => false',
    'show: (user) => (user === null ? false : { owner_id: user.id })',
  )

  // 1: a field.
  change(posts, 'body: textarea(),', 'body: textarea(),\n    subtitle: text().nullable(),')
  await ok('generate')
  await ok('migrate')
  await ok('migrate', 'save', 'subtitle')
  // 2: another kind of list.
  change(posts, "sort: ['id', 'title', 'published_at']", "sort: ['id', 'title']")
  await ok('generate')
  // 3: a repository, and a run that is killed halfway.
  fill(root, {
    'manifest/tags.ts':
      "import { repository, text } from 'svckit'\n\nexport const tags = repository({ fields: { name: text().unique() } })\n",
  })
  change('manifest/index.ts', '{ users, posts }', '{ users, posts, tags }')
  change(
    'manifest/index.ts',
    'import { users }',
    "import { tags } from './tags.js'\nimport { users }",
  )
  expect(generateKilled(root, 25).isKilled).toBe(true)
  await ok('generate')
  await ok('migrate')
  // 4: a rename, with rows in it.
  change(posts, "title: 'title'", "title: 'headline'")
  change(posts, "searchable: ['title'", "searchable: ['headline'")
  change(posts, "sort: ['id', 'title']", "sort: ['id', 'headline']")
  change(posts, 'title: text().max(160)', "headline: text().max(160).renamedFrom('title')")
  await ok('generate')
  await ok('migrate')
  await ok('migrate', 'save', 'headline_and_tags')
  // 5: out with the tags again, whose table is empty.
  change('manifest/index.ts', '{ users, posts, tags }', '{ users, posts }')
  change('manifest/index.ts', "import { tags } from './tags.js'\n", '')
  await ok('generate')
  expect((await svc(root, 'migrate', 'save', 'no_tags')).code).toBe(1)
  await ok('migrate', 'save', 'no_tags', '--accept-data-loss')
  await ok('migrate', 'deploy')

  const texts = textsOf(root)
  for (const [path, , to] of ugly) expect(texts[path]?.replaceAll('\r\n', '\n'), path).toContain(to)
  expect(texts['app/log.ts']).toContain('\r\n')
  expect(texts['app/Policies/PostPolicy.ts']).toContain('{ owner_id: user.id }')
  expect(Object.keys(texts).filter((path) => path.endsWith('.svc-new'))).toEqual([])
  const after = new Sqlite(join(root, 'storage/lived.sqlite'))
  expect(after.prepare('select id, headline, body, owner_id from posts order by id').all()).toEqual(
    [
      { id: 1, headline: 'One', body: 'a', owner_id: 1 },
      { id: 2, headline: 'Two', body: 'b', owner_id: 1 },
    ],
  )
  expect(after.prepare('select name from users').all()).toEqual([{ name: 'Ada' }])
  after.close()
  expect(await ok('migrate', 'status')).not.toMatch(/pending|draft|changed|missing|failed/)
  expect((await svc(root, 'generate', '--check')).code).toBe(0)
})
