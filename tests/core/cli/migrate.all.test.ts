import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { SqliteDriver as Sqlite } from '../../../runtime/database/sqlite/driver.js'
import { program } from '../../support/program.js'
import { scriptsShareAProcess } from '../../support/resident.js'
import { fill, textsOf } from '../write/folder.js'
import { linkDependencies, newProject, savedProject, svc } from './project.js'

scriptsShareAProcess()

describe('a project in development', () => {
  let [root, name, init] = ['', '', '']

  beforeEach(async () => {
    root = await savedProject()
    linkDependencies(root)
    const [first = ''] = readdirSync(join(root, 'prisma/migrations'))
    name = first
    init = `prisma/migrations/${name}/migration.sql`
    vi.stubEnv('DATABASE_URL', `file:${join(root, 'storage/test.sqlite')}`)
    vi.stubEnv('NODE_ENV', 'development')
    vi.stubEnv('SVC_SKIP_PRISMA_CLIENT', '1')
    return () => vi.unstubAllEnvs()
  })

  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  const change = async (from: string, to: string) => {
    fill(root, { 'manifest/posts.ts': read('manifest/posts.ts').replace(from, to) })
    expect((await svc(root, 'generate', '--no-compile')).code).toBe(0)
  }
  const addNote = () =>
    change('body: textarea(),', 'body: textarea(),\n    note: text().nullable(),')

  /** As git leaves a line that both branches changed. */
  const tear = (text: string) => {
    const [first = '', second = '', ...rest] = text.split('\n')
    const sides = ['<<<<<<< HEAD', second, '=======', `${second} `, '>>>>>>> theirs']
    return [first, ...sides, ...rest].join('\n')
  }

  /** Starts the server as `npm run migrate` and `npm run dev` do. */
  async function start(
    script: 'app/migrate.ts' | 'app/server.ts' | 'prisma/seed.ts',
    env: NodeJS.ProcessEnv = {},
  ) {
    const file = await program(root, script)
    const answer = started([file], env)
    rmSync(file)
    return answer
  }
  function started(line: readonly string[], env: NodeJS.ProcessEnv = {}) {
    const { status, stdout, stderr } = spawnSync(process.execPath, line, {
      cwd: root,
      env: { ...process.env, PORT: '0', ...env },
    })
    return { code: status, out: String(stdout).trim(), errors: String(stderr).trim() }
  }
  const lacksDraft =
    'This database lacks the draft of the migration that is being worked on.\n' +
    '  fix    npx --no svc migrate (svc dev does it at every change)'
  const npmRunMigrate = (env: NodeJS.ProcessEnv = {}) => start('app/migrate.ts', env)

  test('npm run migrate applies what is saved, without svc', async () => {
    expect(started(['--import', 'tsx', 'app/migrate.ts'])).toEqual({
      code: 0,
      out: `migration ${name} applied`,
      errors: '',
    })
    expect(await npmRunMigrate()).toEqual({ code: 0, out: 'nothing to migrate', errors: '' })
  })

  test('while a merge is not settled, svc migrate names its files and touches nothing', async () => {
    await addNote()
    const yours = ['manifest/posts.ts', init]
    const ofSvc = ['.svc/base.txt', 'app/Models.ts', 'prisma/schema/svc.prisma']
    const torn = [...yours, ...ofSvc, 'svc.lock.json'].toSorted()
    const whole = Object.fromEntries(torn.map((path) => [path, read(path)]))
    const named = (paths: readonly string[]) =>
      `Nothing was done: a merge is not settled. Both of its sides are in\n${paths.map((path) => `  ${path}\n`).join('')}` +
      "  fix    settle what is yours by hand (the manifest, code, SQL); then `svc generate` settles what is svc's, or says what it cannot;\n" +
      '         then run this again\n'
    const refuses = async (paths: readonly string[]) => {
      const before = textsOf(root)
      for (const line of [['migrate'], ['migrate', 'save', 'x'], ['migrate', 'deploy']]) {
        expect(await svc(root, ...line)).toEqual({ code: 1, out: '', errors: named(paths) })
      }
      expect(textsOf(root)).toEqual(before)
      expect(existsSync(join(root, 'storage/test.sqlite'))).toBe(false)
    }
    for (const path of torn) {
      fill(root, { [path]: tear(whole[path] ?? '') })
      await refuses([path])
      fill(root, { [path]: whole[path] ?? '' })
    }
    for (const path of torn) fill(root, { [path]: tear(whole[path] ?? '') })
    await refuses(torn)
    for (const path of yours) fill(root, { [path]: whole[path] ?? '' })
    expect((await svc(root, 'generate', '--no-compile')).code).toBe(0)
    expect(await svc(root, 'migrate')).toEqual({
      ...{ code: 0, errors: '' },
      out: `migration ${name} applied\ndraft migration applied\n`,
    })
  })

  test.each(['manifest.ts', 'manifest.js'])(
    'a merge that is not settled in a manifest of one file stops svc migrate: %s',
    async (entry) => {
      const whole = `import { defineManifest } from 'svckit'
import { posts } from './repositories/posts.js'
import { users } from './repositories/users.js'

export default defineManifest({ database: 'sqlite', repositories: { posts, users } })
`
      renameSync(join(root, 'manifest'), join(root, 'repositories'))
      rmSync(join(root, 'repositories/index.ts'))
      fill(root, { [entry]: whole })
      expect((await svc(root, 'generate', '--no-compile')).code).toBe(0)
      fill(root, { [entry]: tear(whole) })
      for (const line of [['migrate'], ['migrate', 'save', 'x'], ['migrate', 'deploy']]) {
        const { code, out, errors } = await svc(root, ...line)
        expect([code, out]).toEqual([1, ''])
        expect(errors).toContain(`Both of its sides are in\n  ${entry}\n  fix`)
      }
      expect(existsSync(join(root, 'storage/test.sqlite'))).toBe(false)
      fill(root, { [entry]: whole })
      expect((await svc(root, 'migrate')).out).toContain(`migration ${name} applied\n`)
    },
  )

  test('before anything is saved, npm run migrate and the server say how to save, unless svc ran the draft here', async () => {
    root = await newProject()
    linkDependencies(root)
    const unsaved = {
      code: 1,
      out: '',
      errors:
        'No migration is saved yet, and only svc runs the draft of the first one.\n' +
        '  fix    npx --no svc migrate, in development; or npx --no svc migrate save init, and then npm run migrate',
    }
    for (const NODE_ENV of ['development', 'test']) {
      expect(await npmRunMigrate({ NODE_ENV })).toEqual(unsaved)
    }
    expect(await start('app/server.ts', { LOG_LEVEL: 'silent' })).toEqual(unsaved)
    expect((await svc(root, 'migrate')).out).toBe('draft migration applied\n')
    expect(await npmRunMigrate()).toEqual({ code: 0, out: 'nothing to migrate', errors: '' })
    expect((await svc(root, 'migrate', 'save', 'init')).code).toBe(0)
    expect((await npmRunMigrate()).out).toMatch(/^migration \d{14}_init applied$/)
  })

  test('npm run migrate says what is wrong on stderr and ends with 1; so does svc', async () => {
    fill(root, { [init]: 'CREATE TABEL notes (text TEXT)' })
    const why =
      `Migration '${name}' could not be applied: near "TABEL": syntax error\n` +
      '  Nothing of it is in the database; correct it and start again.'
    expect(await npmRunMigrate()).toEqual({ code: 1, out: '', errors: why })
    for (const command of [['migrate'], ['migrate', 'deploy']]) {
      expect(await svc(root, ...command)).toEqual({ code: 1, out: '', errors: `${why}\n` })
    }
  })

  test('svc takes a draft from one to the next; npm run migrate and the server say that it does', async () => {
    await addNote()
    const lacks = { code: 1, errors: lacksDraft }
    expect(await npmRunMigrate()).toEqual({ ...lacks, out: `migration ${name} applied` })
    expect(await start('app/server.ts', { LOG_LEVEL: 'silent' })).toMatchObject(lacks)
    // Drafts are development's.
    expect(await npmRunMigrate({ NODE_ENV: 'test' })).toMatchObject({ code: 0 })
    expect((await svc(root, 'migrate', 'deploy')).out).toBe('nothing to migrate\n')
    expect((await svc(root, 'migrate')).out).toBe('draft migration applied\n')
    expect(await npmRunMigrate()).toEqual({ code: 0, out: 'nothing to migrate', errors: '' })

    const database = new Sqlite(join(root, 'storage/test.sqlite'))
    const now = `'2026-01-01T00:00:00.000+00:00'`
    database.exec(`insert into users (name, email, password, updated_at) values ('Ada', 'a@b.c', 'x', ${now});
      insert into posts (title, body, note, owner_id, updated_at) values ('a', 'b', 'kept', 1, ${now})`)
    database.close()
    await change('note: text().nullable(),', '')
    expect((await npmRunMigrate()).errors).toContain(
      'This database has an earlier draft of the migration',
    )
    const refused = await svc(root, 'migrate')
    expect(refused).toMatchObject({ code: 1, errors: '' })
    expect(refused.out).toContain('  posts.note: 1 value\n')
    const { draft } = JSON.parse((await svc(root, 'migrate', 'status', '--json')).out)
    expect(draft).toBe(null)
    expect((await svc(root, 'migrate', '--accept-data-loss')).out).toBe(
      'draft migration applied\nDropped, as you accepted:\n  posts.note: 1 value\n',
    )
    expect((await svc(root, 'migrate')).out).toBe('nothing to migrate\n')
  })

  test('npm run seed says that the draft is not in the database, and writes nothing', async () => {
    vi.stubEnv('SVC_SKIP_PRISMA_CLIENT', undefined)
    expect((await svc(root, 'migrate')).code).toBe(0)
    const users = read('manifest/users.ts')
    fill(root, { 'manifest/users.ts': users.replace('name:', 'town: text().nullable(),\n name:') })
    expect((await svc(root, 'generate', '--no-compile', '--client')).code).toBe(0)
    expect(await start('prisma/seed.ts')).toEqual({ code: 1, out: '', errors: lacksDraft })
    expect((await svc(root, 'migrate')).code).toBe(0)
    expect(await start('prisma/seed.ts')).toMatchObject({ code: 0, errors: '' })
  })

  test('a draft that was saved is recorded where it is taken already, by whatever comes first', async () => {
    await addNote()
    expect((await svc(root, 'migrate')).code).toBe(0)
    expect((await svc(root, 'migrate', 'save', 'note')).code).toBe(0)
    expect(await npmRunMigrate()).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^migration \d{14}_note applied$/),
    })
    expect((await svc(root, 'migrate')).out).toBe('nothing to migrate\n')
  })

  test('a database that cannot be reached is a sentence, and so is a project of another svc', async () => {
    vi.stubEnv('DATABASE_URL', 'postgresql://nobody@127.0.0.1:1/none')
    const { code, errors } = await svc(root, 'migrate')
    expect(code).toBe(1)
    expect(errors).toMatch(/^The environment is wrong:\n {2}DATABASE_URL must be a SQLite file/)
    const other = await newProject('--runtime=own')
    linkDependencies(other)
    rmSync(join(other, 'runtime/database/migrations/history.ts'))
    const { errors: outdated } = await svc(other, 'migrate', 'status')
    expect(outdated).toBe('The project was written by another svc: run `svc generate` first.\n')
    rmSync(join(root, 'node_modules'))
    expect((await svc(root, 'migrate')).errors).toBe('Run `npm install` first.\n')
  })

  test('what the project prints itself is no answer of svc’s', async () => {
    const path = 'app/database.ts'
    fill(root, { [path]: `${read(path)}\nconsole.log('{"applied":[]}')\n` })
    const { out } = await svc(root, 'migrate', 'status', '--json')
    expect(JSON.parse(out)).toMatchObject({ applied: [], pending: [name] })
  })

  test('the code that opens the database stands where it is, and a mistake in it has a place', async () => {
    const path = 'app/database.ts'
    const whole = read(path)
    const beside = `import { readFileSync } from 'node:fs'
readFileSync(new URL('../config/svc.ts', import.meta.url))
readFileSync(\`\${import.meta.dirname}/env.ts\`)
`
    fill(root, { [path]: `${beside}${whole}` })
    expect((await svc(root, 'migrate', 'status')).code).toBe(0)
    fill(root, { [path]: `${whole}\nconst torn = ;\n` })
    const { code, errors } = await svc(root, 'migrate')
    const line = whole.split('\n').length + 1
    expect([code, errors]).toEqual([1, `app/database.ts:${line}:14: Unexpected ";"\n`])
  })
})
