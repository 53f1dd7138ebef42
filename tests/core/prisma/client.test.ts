import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../../generator/blueprint/types.js'
import { joinSchema, planMigrations, planSave } from '../../../generator/migrations/migrations.js'
import { PrismaSchemaError } from '../../../generator/migrations/schema/schema-error.js'
import { prismaSchema } from '../../../generator/migrations/schema/schema.js'
import { generatePrismaClient } from '../../../generator/write/prisma-client.js'
import { isTold } from '../../support/databases.js'
import { freshDatabase } from '../../support/postgres.js'
import { program } from '../../support/program.js'
import { migrating, renderProject } from '../../support/with-features.js'
import { blueprintOf, root } from '../plan/fixture.js'
import { blog } from './blueprints.js'
import { databases } from './live.js'
import { clashes } from './samples.js'

const run = promisify(execFile)

describe('the client', () => {
  let folder: string
  beforeAll(async () => void (folder = await project({ 'svc.prisma': prismaSchema(blog) })))
  afterAll(() => rm(folder, { recursive: true }))
  const schema = (name: string) => join(folder, 'prisma/schema', name)

  test('is made once, and again when the schema changed', async () => {
    expect(await generatePrismaClient(folder)).toBe('made')
    expect(await generatePrismaClient(folder)).toBe('same')
    await writeFile(schema('own.prisma'), 'model Note {\n  id Int @id\n}\n')
    expect(await generatePrismaClient(folder)).toBe('made')
    expect(await readFile(join(folder, 'prisma/client/models/Note.ts'), 'utf8')).toContain('Note')
  })

  test('a wrong schema is a problem with its line, and the old client stays', async () => {
    await writeFile(schema('own.prisma'), 'model Note {\n  id Int @id\n  at Dat\n}\n')
    const error = await generatePrismaClient(folder).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(PrismaSchemaError)
    expect(error).toMatchObject({ problems: [{ file: 'prisma/schema/own.prisma', line: 3 }] })
    expect(await readFile(join(folder, 'prisma/client/models/Note.ts'), 'utf8')).toContain('Note')
  })

  test('another generator of the developer does not come in between', async () => {
    const own = 'generator other {\n  provider = "node ./other.js"\n}\n'
    await writeFile(schema('own.prisma'), own)
    expect(await generatePrismaClient(folder)).toBe('made')
  })

  test('without a schema there is none', async () => {
    await rm(join(folder, 'prisma'), { recursive: true })
    expect(await generatePrismaClient(folder)).toBe('nothing')
  })
})

test('names that mean something to JavaScript are plain fields of the client', async () => {
  const folder = await project({ 'svc.prisma': prismaSchema(clashes) })
  await generatePrismaClient(folder)
  const files = [{ path: 'prisma/schema/svc.prisma', content: prismaSchema(clashes) }]
  const none = { saved: [], lock: null, base: null, draft: null, draftSchema: null }
  const [init] = (await planMigrations(migrating('sqlite'), none, files)).files
  await writeFile(join(folder, 'init.sql'), init?.content ?? '')
  await cp(join(root, 'runtime/database/sqlite/driver.ts'), join(folder, 'sqlite-driver.ts'))
  await writeFile(join(folder, 'use.ts'), useClashes)
  const { stdout } = await tsx(folder, 'use.ts', {})
  expect(JSON.parse(stdout)).toEqual({ constructor: 'a', toString: 'b', AND_: 'c', then: 'd' })
  await rm(folder, { recursive: true })
})

const useClashes = `
import { readFileSync } from 'node:fs'
import { PrismaClient } from './prisma/client/client.js'
import { requireWithDriver, SqliteDriver } from './sqlite-driver.js'
const { PrismaBetterSqlite3 } = requireWithDriver(
  '@prisma/adapter-better-sqlite3',
) as typeof import('@prisma/adapter-better-sqlite3')
new SqliteDriver('test.sqlite').exec(readFileSync('init.sql', 'utf8')).close()
const prisma = new PrismaClient({ adapter: new PrismaBetterSqlite3({ url: 'file:test.sqlite' }) })
const rest = { class: '', select: '', where: '', order: '', user: '' }
const data = { ...rest, constructor: 'a', toString: 'b', AND_: 'c', then: 'd' }
const row = await prisma.default.create({
  data,
  select: { constructor: true, toString: true, AND_: true },
})
const { then } = await prisma.default.findFirstOrThrow({
  where: { then: 'd', constructor: 'a' },
  orderBy: { toString: 'asc' },
}).then((found) => ({ then: found['then'] }), () => ({ then: 'lost' }))
console.log(JSON.stringify({ ...row, then }))
`

const toldOn = databases.filter((name) => isTold(name, 'postgresql'))

describe.each(toldOn)('the seed of the blog on %s', (database) => {
  test('fills an empty database, and keeps what is there when it runs again', async () => {
    const folder = await emittedBlog(database)
    const environment = {
      DATABASE_URL: database === 'sqlite' ? 'file:storage/seed.sqlite' : await freshDatabase(),
      NODE_ENV: 'development',
    }
    const early = await tsx(folder, 'prisma/seed.ts', environment).catch(String)
    expect(early).toContain('fix    npm run migrate')
    await tsx(folder, 'app/migrate.ts', environment)
    const first = await tsx(folder, 'prisma/seed.ts', environment)
    const again = await tsx(folder, 'prisma/seed.ts', environment)
    expect(first.stdout).toMatch(/^Authorization: Bearer 1\|\w{40}$/m)
    expect(again.stdout).toMatch(/^Authorization: Bearer 2\|\w{40}$/m)
    await writeFile(join(folder, 'count.ts'), countRows)
    const { stdout } = await tsx(folder, 'count.ts', environment)
    expect(JSON.parse(stdout)).toEqual({
      users: 6,
      phones: 6,
      roles: 3,
      companies: 3,
      admins: 3,
      posts: 40,
      drafts: 8,
      comments: 120,
      tags: 6,
      tagged: 83,
      images: 40,
    })
    await rm(folder, { recursive: true })
  })
})

const countRows = `
import { database } from './app/database.js'
import { prisma } from './app/prisma.js'
console.log(JSON.stringify({
  users: await prisma.user.count(),
  phones: await prisma.phone.count(),
  roles: await prisma.role.count(),
  companies: await prisma.company.count(),
  admins: await prisma.companyUser.count({ where: { is_admin: true } }),
  posts: await prisma.post.count(),
  drafts: await prisma.post.count({ where: { published_at: null } }),
  comments: await prisma.comment.count(),
  tags: await prisma.tag.count(),
  tagged: await prisma.taggable.count(),
  images: await prisma.image.count(),
}))
await prisma.$disconnect()
await database.close()
`

/** The rendered blog with its owner's files, its first migration and its client. */
async function emittedBlog(database: Database): Promise<string> {
  const blueprint = await blueprintOf('blog', database)
  const files = await renderProject(blueprint, { name: 'blog', svckit: '10.0.0' })
  const schema = files.filter(({ path }) => /^prisma\/schema\/.*\.prisma$/.test(path))
  const none = { saved: [], lock: null, base: null, draft: null, draftSchema: null }
  const { files: planned } = await planMigrations(migrating(database), none, schema)
  const [draft = null, draftSchema = null] = planned.map(({ content }) => content)
  const saved = planSave({ ...none, draft, draftSchema }, 'init', new Date())
  const migrations = saved.files.filter(({ content }) => content !== null)
  expect(migrations.at(-1)?.content).toBe(joinSchema(schema))
  const folder = await project({})
  for (const { path, content } of [...files, ...migrations]) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content ?? '')
  }
  for (const own of ['app', 'prisma']) {
    await cp(join(root, 'fixtures/blog', own), join(folder, own), { recursive: true })
  }
  await generatePrismaClient(folder)
  return folder
}

async function project(schema: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-client-'))
  await mkdir(join(folder, 'prisma/schema'), { recursive: true })
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  for (const [name, text] of Object.entries(schema)) {
    await writeFile(join(folder, 'prisma/schema', name), text)
  }
  return folder
}

const tsx = async (cwd: string, file: string, environment: Readonly<Record<string, string>>) =>
  run(process.execPath, [await program(cwd, file)], {
    cwd,
    env: { ...process.env, ...environment },
  })
