import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fill, textsOf } from '../write/folder.js'
import { checkout, emptyFolder, spawnSvc, svc } from './project.js'

const read = (root: string, path: string) => readFileSync(join(root, path), 'utf8')

describe('svc new', () => {
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
    expect(read(root, 'manifest/index.ts')).toContain("database: 'sqlite'")
    expect(out).toContain(
      "\nNext:\n  cd 'my shop'\n  npm install\n  npm run migrate\n  npm run seed             a first user, and a token\n  npx svc dev\n",
    )
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
    const root = join(folder, 'blog')
    expect(read(root, 'manifest/index.ts')).toContain("database: 'postgresql'")
    expect(read(root, 'prisma/schema/svc.prisma')).toContain('provider = "postgresql"')
    const policy = 'app/Policies/PostPolicy.ts'
    expect(read(root, policy)).toBe(read(join(checkout, 'fixtures/blog'), policy))
  })

  test('takes an empty folder that is there already, and one that only git knows', async () => {
    const folder = emptyFolder()
    mkdirSync(join(folder, 'here/.git'), { recursive: true })
    expect((await svc(folder, 'new', 'here')).code).toBe(0)
  })

  test('refuses a folder that holds something, and a file', async () => {
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
    expect((await svc(emptyFolder(), 'new', 'x', '--example=shop')).errors).toContain(
      '--example is one of: blog.',
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
      policy: 'CommentPolicy.show',
    })
    const paths = routes.map(({ method, path }: Record<string, string>) => `${method} ${path}`)
    expect(paths).not.toContain('POST /api/svc/posts/:id/owner')
  })

  test('prints the problems of a manifest that has some', async () => {
    const { code, out } = await svc(emptyFolder(), 'routes')
    expect(code).toBe(1)
    expect(out).toContain('there is no manifest')
  })
})
