import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { committedFiles } from '../../../generator/write/project/committed-files.js'
import { fill, target, textsOf } from '../write/folder.js'
import { checkout, emptyFolder, newProject, spawnSvc, svc } from './project.js'
import { svcOnTerminal } from './terminal.js'

const read = (root: string, path: string) => readFileSync(join(root, path), 'utf8')

/** Its owner understands them; the rest is `#runtime/testing`. */
const mostLinesOfTests = 350

function linesOfTests(root: string): number {
  const texts = readdirSync(join(root, 'tests')).map((name) => read(root, `tests/${name}`))
  return texts.reduce((sum, text) => sum + text.trimEnd().split('\n').length, 0)
}

/** In git: what its owner lists and reads. */
const mostFiles = { small: 82, blog: 140 }
const mostLines = 2400
const mostFilesOfSvc = 5
const mostTouched = 16

const inGit = (root: string) =>
  committedFiles(target(root)).filter((path) => !path.startsWith('node_modules/'))

function linesToRead(root: string): number {
  const skipped = /^vendor\/|^prisma\/migrations\/|openapi\.json$|\block\b/
  const texts = inGit(root).filter((path) => !skipped.test(path))
  return texts.reduce((sum, path) => sum + read(root, path).split('\n').length - 1, 0)
}

/** True for the document, the authorization matrix, reader threads, and searches in bodies, if the project has them. */
const wantedOf = (root: string): readonly boolean[] => [
  existsSync(join(root, 'app/OpenApi/openapi.json')),
  existsSync(join(root, 'tests/authorization.test.ts')),
  read(root, 'app/database.ts').includes('readerThreads'),
  read(root, 'app/Http/Controllers/PostController.ts').includes('searchRoutes'),
]

const six = `import { repository, text } from 'svckit'

export const books = repository({
  title: 'name',
  fields: { name: text() },
})
`

describe('svc new', () => {
  test('is a folder of files that one can list and read: so many, so many lines, and five of svc', async () => {
    const root = await newProject()
    const ofSvc = ['.gitignore', 'base.txt'].map((name) => `.svc/${name}`)
    const kept = Object.keys(textsOf(root)).filter((path) => path.startsWith('.svc/'))
    expect([...kept, '.svc/.gitignore'].toSorted()).toEqual(ofSvc)
    expect(ofSvc.length).toBeLessThanOrEqual(mostFilesOfSvc)
    expect(inGit(root).length + ofSvc.length).toBeLessThanOrEqual(mostFiles.small)
    expect(linesToRead(root)).toBeLessThanOrEqual(mostLines)
    const linesOf = (path: string) => read(root, path).split('\n').length - 1
    const texts = inGit(root).filter((path) => !path.startsWith('vendor/'))
    const all = [...texts, '.svc/base.txt'].reduce((sum, path) => sum + linesOf(path), 0)
    expect(linesOf('.svc/base.txt')).toBeLessThanOrEqual(all / 3)
    const blog = await newProject('--example', 'blog')
    expect(inGit(blog).length + ofSvc.length).toBeLessThanOrEqual(mostFiles.blog)
  })

  test('has no file that docs/project.md does not say the purpose of', async () => {
    const [, tree = ''] = /```\nshop\/\n([^]*?)```/.exec(read(checkout, 'docs/project.md')) ?? []
    const named = tree
      .split('\n')
      .flatMap((line) => line.match(/(?<=\s)[\w./-]*[a-z](?=[/,; ]|$)/gi) ?? [])
    const isSaid = (path: string) =>
      named.some((name) => path === name || path.startsWith(`${name}/`))
    const unsaid = inGit(await newProject()).filter((path) => !isSaid(path))
    expect(unsaid).toEqual([])
  })

  test('a repository more of six lines touches sixteen files: two of its owner, and what svc writes, migrations aside', async () => {
    const root = await newProject()
    const before = textsOf(root)
    const index = read(root, 'manifest/index.ts')
    fill(root, {
      'manifest/books.ts': six,
      'manifest/index.ts': `import { books } from './books.js'\n${index.replace('repositories: {', 'repositories: { books,')}`,
    })
    expect((await svc(root, 'generate')).code).toBe(0)
    const after = textsOf(root)
    const touched = Object.keys({ ...before, ...after }).filter(
      (path) => before[path] !== after[path],
    )
    const files = touched.filter((path) => !path.startsWith('prisma/migrations/'))
    expect(files.length, files.join('\n')).toBeLessThanOrEqual(mostTouched)
  })

  test('makes a small project that asks for the svckit that made it, and says what to do next', async () => {
    const folder = emptyFolder()
    const { code, out, errors } = await spawnSvc(folder, 'new', 'my shop')
    expect({ code, errors }).toEqual({ code: 0, errors: '' })
    const root = join(folder, 'my shop')
    const manifest = JSON.parse(read(root, 'package.json'))
    expect(manifest.name).toBe('my-shop')
    expect(join(root, manifest.devDependencies.svckit.slice('file:'.length))).toBe(
      checkout.replace(/[\\/]$/, ''),
    )
    // npm builds a checkout that it installs, and wants that said under the name that package.json asks for it by.
    expect(manifest.allowScripts).toMatchObject({
      [`svckit@${manifest.devDependencies.svckit}`]: true,
    })
    expect(read(root, 'manifest/index.ts')).toContain("database: 'sqlite'")
    expect(linesOfTests(root)).toBeLessThanOrEqual(mostLinesOfTests)
    expect(out).toContain(
      "\nNext:\n  cd 'my shop' && npm install && npx --no svc migrate && npm run seed && npx --no svc dev\n\nThen open http://127.0.0.1:3000/docs and sign in as ada@example.com with the password 'password'.\n",
    )
  })

  test('imports the runtime as a package, which lies in vendor/ as long as svckit is a checkout', async () => {
    const root = await newProject()
    const { imports, dependencies } = JSON.parse(read(root, 'package.json'))
    expect(imports['#runtime/*']).toBe('svckit-runtime/*')
    const [name = '', ...others] = readdirSync(join(root, 'vendor'))
    expect(others).toEqual([])
    expect(dependencies['svckit-runtime']).toBe(`file:vendor/${name}`)
    expect(name).toMatch(/^svckit-runtime-10\.0\.0-[0-9a-f]{12}\.tgz$/)
    const ours = join(checkout, 'dist', name.replace('-10.0.0', ''))
    expect(readFileSync(join(root, 'vendor', name)).equals(readFileSync(ours))).toBe(true)
    expect(JSON.parse(read(root, 'svc.lock.json')).runtime).toBe('package')
    expect(existsSync(join(root, 'runtime'))).toBe(false)
    expect((await svc(root, 'generate', '--check')).code).toBe(0)
  })

  test('replaces the package of an older svckit, and undo brings it back', async () => {
    const root = await newProject()
    const [name = ''] = readdirSync(join(root, 'vendor'))
    const older = 'svckit-runtime-9.0.0-0123456789ab.tgz'
    renameSync(join(root, 'vendor', name), join(root, 'vendor', older))
    for (const path of ['package.json', '.svc/base.txt'])
      fill(root, { [path]: read(root, path).replace(name, older) })
    const bytes = readFileSync(join(root, 'vendor', older))
    expect((await svc(root, 'diff', 'vendor')).out).toBe(
      `Binary files /dev/null and b/vendor/${name} differ\nBinary files a/vendor/${older} and /dev/null differ\n`,
    )
    expect((await svc(root, 'generate')).out).toContain('Done: 1 created, 1 updated, 1 removed')
    expect(readdirSync(join(root, 'vendor'))).toEqual([name])
    expect(read(root, 'package.json')).toContain(`file:vendor/${name}`)
    expect((await svc(root, 'undo')).code).toBe(0)
    expect(readdirSync(join(root, 'vendor'))).toEqual([older])
    expect(readFileSync(join(root, 'vendor', older)).equals(bytes)).toBe(true)
    expect(read(root, 'package.json')).toContain(`file:vendor/${older}`)
  })

  test('has the files of the runtime instead, where that is asked for, and keeps them', async () => {
    const root = await newProject('--runtime', 'own')
    expect(read(root, 'package.json')).toContain('"#runtime/*": "./runtime/*"')
    expect(JSON.parse(read(root, 'svc.lock.json')).runtime).toBe('own')
    expect(existsSync(join(root, 'runtime/errors.ts'))).toBe(true)
    expect(existsSync(join(root, 'vendor'))).toBe(false)
    // A lock of before says nothing, and one that is lost even less.
    for (const lock of ['{ "svc": "10.0.0", "renames": [] }\n', null]) {
      if (lock === null) rmSync(join(root, 'svc.lock.json'))
      else fill(root, { 'svc.lock.json': lock })
      expect((await svc(root, 'generate')).code).toBe(0)
      expect(existsSync(join(root, 'runtime/errors.ts'))).toBe(true)
    }
    const { code, errors } = await svc(emptyFolder(), 'new', 'x', '--runtime=mine')
    expect([code, errors]).toEqual([
      1,
      expect.stringContaining('--runtime is one of: package, own.'),
    ])
  })

  test('takes an example, and another database', async () => {
    const folder = emptyFolder()
    const { code, out } = await svc(
      folder,
      'new',
      'blog',
      '--example=blog',
      '--database=postgresql',
    )
    expect(code).toBe(0)
    expect(out).toContain('  cp .env.example .env ')
    expect(out).toMatch(/^Done: \d+ created, \d+ of the example\.$/m)
    const root = join(folder, 'blog')
    expect(read(root, 'manifest/index.ts')).toContain("database: 'postgresql'")
    expect(read(root, 'prisma/schema/svc.prisma')).toContain('provider = "postgresql"')
    const policy = 'app/Policies/PostPolicy.ts'
    expect(read(root, policy)).toBe(read(join(checkout, 'fixtures/blog'), policy))
  })

  test('opens policies as asked, and those that nobody edited follow newPolicies', async () => {
    const root = await newProject('--policies=public-read')
    const policy = (name: string) => read(root, `app/Policies/${name}Policy.ts`)
    expect(read(root, 'manifest/posts.ts')).toContain('  public: true,\n')
    expect(policy('Post')).toContain('  show: () => true,\n')
    fill(root, { 'app/Policies/UserPolicy.ts': `${policy('User')}// Mine.\n` })
    const before = policy('User')
    const index = read(root, 'manifest/index.ts')
      .replace("newPolicies: 'public-read'", "newPolicies: 'signed-in'")
      .replace(
        '{ users, posts }',
        '{ users, posts, notes: repository({ fields: { body: text() } }) }',
      )
      .replace('{ defineManifest }', '{ defineManifest, repository, text }')
    fill(root, { 'manifest/index.ts': index })
    const { code, out } = await svc(root, 'generate', '--no-compile')
    expect(code, out).toBe(0)
    expect(out).not.toContain('still den')
    expect(policy('Note')).toContain('  store: (user) => user !== null,\n')
    expect(policy('Post')).toContain('  show: (user) => user !== null,\n')
    expect(policy('User')).toBe(before)
    expect(out).toMatch(/keep +app\/Policies\/UserPolicy\.ts/)
    // Taken out, it closes what nobody edited.
    fill(root, {
      'manifest/index.ts': index.replace("  newPolicies: 'signed-in',\n", ''),
      'app/Policies/NotePolicy.ts': `${policy('Note')}// Mine.\n`,
    })
    expect((await svc(root, 'generate', '--no-compile')).code).toBe(0)
    expect(policy('Post')).toContain('  show: () => false,\n')
    expect(policy('Note')).toContain('  store: (user) => user !== null,\n')
  })

  test('gives and takes methods of a policy that opens something as relations come and go, while nobody edited it', async () => {
    const root = await newProject('--policies=owner')
    const policy = () => read(root, 'app/Policies/UserPolicy.ts')
    const before = policy()
    const texts = [read(root, 'manifest/index.ts'), read(root, 'manifest/users.ts')] as const
    const roles =
      'roles: repository({ fields: { name: text() }, related: { users: belongsToMany() } })'
    const index = texts[0]
      .replace('{ users, posts }', `{ users, posts, ${roles} }`)
      .replace('{ defineManifest }', '{ belongsToMany, defineManifest, repository, text }')
    const users = texts[1]
      .replace('posts: hasMany(),', 'posts: hasMany(),\n    roles: belongsToMany(),')
      .replace('{ email', '{ belongsToMany, email')
    const generate = async (manifest: readonly [string, string]) => {
      fill(root, { 'manifest/index.ts': manifest[0], 'manifest/users.ts': manifest[1] })
      const { code, out } = await svc(root, 'generate', '--no-compile', '--force')
      expect(code, out).toBe(0)
      return out
    }
    const said = await generate([index, users])
    expect(said).toMatch(/update +app\/Policies\/UserPolicy\.ts/)
    const added = /\n( {2}\/\*\*.*\n {2}(?:attach|detach|sync)Roles: \(\) => false,\n){3}/
    expect(policy()).toMatch(added)
    expect(said).toContain(
      'Nobody may attach, detach or sync yet, because newPolicies does not allow it: UserPolicy (attachRoles).\n',
    )
    expect(policy().replace(added, '')).toBe(before)
    await generate(texts)
    expect(policy()).toBe(before)
    fill(root, { 'app/Policies/UserPolicy.ts': `${before}// Mine.\n` })
    expect(await generate([index, users])).toMatch(
      /1 kept, because they are yours[^]*keep +app\/Policies/,
    )
    expect(policy()).toBe(`${before}// Mine.\n`)
  })

  test('asks on a terminal who may read and write, and nowhere else', async () => {
    const folder = emptyFolder()
    const down = '\u001B[B'
    const asked = { question: 'Who may read and write at first', keys: `${down}\r` }
    const line = ['new', 'shop', '--database=sqlite']
    const { code, out } = await svcOnTerminal(folder, line, asked)
    expect(code, out).toBe(0)
    expect(read(folder, 'shop/manifest/index.ts')).toContain("  newPolicies: 'signed-in',\n")
    expect(out).toContain('Who may do what: signed-in users read and write all rows.')
    const { out: silent } = await svc(folder, 'new', 'closed', '--policies=nobody')
    expect(silent).toContain('2 policies still deny everyone')
    expect(silent).toContain('Who may do what: nobody may do anything yet.')
    expect(read(folder, 'closed/manifest/index.ts')).not.toContain('newPolicies')
  })

  test('without an answer is a short manifest with all that a project wants, and says who may do what', async () => {
    const folder = emptyFolder()
    const { code, out } = await svc(folder, 'new', 'shop')
    expect(code, out).toBe(0)
    expect(out).not.toContain('still den')
    expect(out).toContain(
      'Who may do what: users read and write their own rows, and nobody else sees them.',
    )
    const root = join(folder, 'shop')
    expect(read(root, 'manifest/index.ts')).toContain(
      "defineManifest({\n  database: 'sqlite',\n  newPolicies: 'owner',\n  repositories: { users, posts },\n})\n",
    )
    const config = read(root, 'config/svc.ts')
    expect(config).toContain('  strict_queries: true,\n')
    expect(config).toContain('  strict_bodies: true,\n')
    expect(wantedOf(root)).toEqual([true, true, true, true])
    const off = 'openapi: false, authorizationTests: false, readerThreads: false, reads: [],'
    fill(root, {
      'manifest/index.ts': read(root, 'manifest/index.ts').replace(
        'defineManifest({',
        `defineManifest({\n  ${off}`,
      ),
    })
    expect((await svc(root, 'generate', '--no-compile')).code).toBe(0)
    expect(wantedOf(root)).toEqual([false, false, false, false])
  })

  test('takes an empty folder that is there already, and one that only git knows', async () => {
    const folder = emptyFolder()
    mkdirSync(join(folder, 'here/.git'), { recursive: true })
    expect((await svc(folder, 'new', 'here')).code).toBe(0)
  })

  test('does not write into a folder that is not empty, nor over a file', async () => {
    const folder = emptyFolder()
    fill(folder, { 'full/mine.txt': 'mine', file: 'mine' })
    const before = textsOf(folder)
    const full = await svc(folder, 'new', 'full')
    expect(full).toMatchObject({ code: 1, out: '' })
    expect(full.errors).toMatch(/full' is not empty \(mine\.txt\): choose a new folder\.\n$/)
    expect((await svc(folder, 'new', 'file')).errors).toMatch(/file' is not a folder\.\n$/)
    expect(textsOf(folder)).toEqual(before)
  })

  test('in a pipe it asks nothing', async () => {
    expect((await svc(emptyFolder(), 'new')).errors).toContain('Name the folder: svc new <dir>')
    expect((await svc(emptyFolder(), 'new', 'x', '--database=oracle')).errors).toContain(
      '--database is one of: sqlite, postgresql.',
    )
    expect((await svc(emptyFolder(), 'new', 'x', '--policies=all')).errors).toContain(
      '--policies is one of: owner, signed-in, public-read, nobody.',
    )
    const both = ['--example=blog', '--policies=owner']
    expect((await svc(emptyFolder(), 'new', 'x', ...both)).errors).toContain(
      'An example has its own policies: --example or --policies, not both.',
    )
    expect((await svc(emptyFolder(), 'new', 'x', '--example=library')).errors).toContain(
      '--example is one of: blog, shop, team.',
    )
  })
})

describe('svc routes', () => {
  test('lists method, path, controller and policy', async () => {
    const folder = emptyFolder()
    await svc(folder, 'new', '.')
    const { out } = await spawnSvc(folder, 'routes')
    expect(out).toMatch(/^GET +\/api\/svc\/users +UserController\.index +UserPolicy\.show$/m)
    expect(out).toMatch(
      /^PATCH +\/api\/svc\/posts\/:id +PostController\.patch +PostPolicy\.update$/m,
    )
    const routes = JSON.parse((await svc(folder, 'routes', '--json')).out)
    expect(routes).toContainEqual({
      method: 'DELETE',
      path: '/api/svc/posts/:id',
      controller: 'PostController.delete',
      policy: 'PostPolicy.delete',
    })
  })

  test('lists what relations add', async () => {
    const folder = emptyFolder()
    await svc(folder, 'new', '.', '--example=blog')
    const routes = JSON.parse((await svc(folder, 'routes', '--json')).out)
    expect(routes).toContainEqual({
      method: 'POST',
      path: '/api/svc/posts/:id/attach/tags',
      controller: 'PostController.attach',
      policy: 'PostPolicy.attachTags',
    })
    expect(routes).toContainEqual({
      method: 'GET',
      path: '/api/svc/posts/:id/comments/:relatedId',
      controller: 'PostController.related.show',
      policy: 'PostPolicy.show, CommentPolicy.show',
    })
    expect(routes).toContainEqual({
      method: 'GET',
      path: '/api/svc/images/:id/imageable/:relatedId',
      controller: 'ImageController.related.show',
      policy: 'ImagePolicy.show, PostPolicy.show',
    })
    const methodsOf = (at: string) =>
      routes.flatMap(({ method, path }: Record<string, string>) => (path === at ? [method] : []))
    expect(methodsOf('/api/svc/posts/:id/owner')).toEqual(['GET'])
    expect(methodsOf('/api/svc/posts/:id/owner/:relatedId')).toEqual(['GET'])
    expect(methodsOf('/api/svc/images/:id/imageable/:relatedId')).toEqual(['GET'])
    expect(methodsOf('/api/svc/posts/:id/tags/:relatedId')).toHaveLength(4)
    expect(methodsOf('/api/svc/posts/:id/image')).toEqual(['GET', 'POST'])
  })

  const api = [
    "import { Hono } from 'hono'",
    "import { svcAuth } from '#app/Http/auth.js'",
    "import { svcResources } from '../app/Http/resources.js'",
    "import { StatsController as Stats } from '../app/Http/StatsController.js'",
    "import { show } from '#app/Http/show.js'",
    'export const api = new Hono()',
  ]
  const listed = async (folder: string, ...lines: readonly string[]) => {
    fill(folder, { 'routes/api.ts': [...api, ...lines, ''].join('\n') })
    const { out } = await svc(folder, 'routes')
    return out.replaceAll(/ {2,}/g, ' ').split('\n')
  }

  test('lists what is registered, and nothing else', async () => {
    const folder = emptyFolder()
    await svc(folder, 'new', '.', '--example=blog')
    const some = await listed(folder, "svcAuth(api, { actions: ['login', 'profile'] })")
    expect(some.filter((line) => line.includes('/api'))).toEqual([
      'POST /api/login LoginController -',
      'GET /api/svc/profile ProfileController -',
      'PUT /api/svc/profile ProfileController UserPolicy.update',
      'PATCH /api/svc/profile ProfileController UserPolicy.update',
    ])
    expect(some).toContain('POST /graphql routes/graphql.ts -')
    const resources = await listed(folder, 'svcResources(api)')
    expect(resources).toContain('GET /api/svc/posts PostController.index PostPolicy.show')
    expect(resources.join('\n')).not.toContain('/api/login')
    const graphql = read(folder, 'routes/graphql.ts')
    fill(folder, { 'routes/graphql.ts': graphql.replace('svcGraphql(graphql)', '') })
    expect((await listed(folder)).filter((line) => line !== '')).toEqual([
      'GET /health app/app.ts -',
      'GET /ready app/app.ts -',
      'GET /openapi.json app/OpenApi/endpoint.ts -',
    ])
  })

  test('lists routes of my own, and names those that svc would have to run to know', async () => {
    const folder = emptyFolder()
    await svc(folder, 'new', '.', '--example=blog')
    fill(folder, {
      'app/Http/StatsController.ts': `import { Hono } from 'hono'
export const StatsController = new Hono()
  .use('*', async (c, next) => next())
  .get('/', (c) => c.text('all'))
  .on(['PUT', 'PATCH'], ['/:id', '/old/:id'], show)
`,
    })
    const lines = await listed(
      folder,
      "api.get('/hello', (c) => c.text('hello'))",
      "api.get('/a', show).delete('/b', guard, Own.remove)",
      "api.route('/stats', Stats)",
      "const admin = new Hono().all('/', show)",
      'if (isOpen) svcAuth(api)',
      "api.route('/admin', admin)",
      'api.get(path, show)',
      "api.on(...methods, '/x', show)",
      'registerShop(api)',
      "api.route('/gone', Gone)",
      'export type Api = typeof api',
    )
    expect(lines.filter((line) => !line.includes('/graphql'))).toEqual([
      'GET /api/hello routes/api.ts:7 -',
      'GET /api/a show -',
      'DELETE /api/b Own.remove -',
      'GET /api/stats StatsController -',
      'PUT /api/stats/:id show -',
      'PATCH /api/stats/:id show -',
      'PUT /api/stats/old/:id show -',
      'PATCH /api/stats/old/:id show -',
      'ALL /api/admin show -',
      'GET /health app/app.ts -',
      'GET /ready app/app.ts -',
      'GET /openapi.json app/OpenApi/endpoint.ts -',
      '',
      "Not listed, because svc does not run them: routes/api.ts:11 if (isOpen) svcAuth(api); routes/api.ts:13 api.get(path, show); routes/api.ts:14 api.on(...methods, '/x', show); routes/api.ts:15 registerShop(api); routes/api.ts:16 api.route('/gone', Gone)",
      '',
    ])
    const json = JSON.parse((await svc(folder, 'routes', '--json')).out)
    expect(json).toContainEqual({
      method: 'GET',
      path: '/api/hello',
      controller: 'routes/api.ts:7',
      policy: null,
    })
    expect(json).toContainEqual({
      method: null,
      path: null,
      controller: 'routes/api.ts:15',
      policy: null,
      unread: 'registerShop(api)',
    })
    const broken = await listed(folder, 'api.get(')
    expect(broken.join('\n')).toContain('run them: routes/api.ts it does not parse as TypeScript')
  })

  test('says what it cannot read of the routes themselves, and lists what svc makes where none are', async () => {
    const folder = emptyFolder()
    await svc(folder, 'new', '.')
    const before = (await svc(folder, 'routes')).out
    const routes = read(folder, 'routes/api.ts')
    fill(folder, { 'routes/api.ts': routes.replace('new Hono<AppEnv>()', 'makeApi()') })
    const { out } = await svc(folder, 'routes')
    expect(out).toBe(
      `${before}\nNot listed, because svc does not run them: routes/api.ts:15 makeApi()\n`,
    )
    fill(folder, { 'routes/api.ts': routes.replace('export const api', 'export const other') })
    expect((await svc(folder, 'routes')).out).toContain("routes/api.ts declares no 'api'")
    rmSync(join(folder, 'routes'), { recursive: true })
    expect((await svc(folder, 'routes')).out).toBe(before)
  })

  test('reads the copies that svc auth publishes', async () => {
    const folder = emptyFolder()
    await svc(folder, 'new', '.', '--example=blog')
    const before = (await svc(folder, 'routes')).out.split('\n')
    await svc(folder, 'auth', '--actions=login,profile')
    expect(read(folder, 'routes/api.ts')).toContain("api.route('/login', LoginController)")
    expect((await svc(folder, 'routes')).out.split('\n').toSorted()).toEqual(before.toSorted())
  })

  test('prints the problems of a manifest that has some', async () => {
    const { code, out } = await svc(emptyFolder(), 'routes')
    expect(code).toBe(1)
    expect(out).toContain('there is no manifest')
  })
})
