import { execFileSync, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { build, checkout, svc } from '../cli/project.js'
import { fill } from '../write/folder.js'
import { change } from './emit.js'

/** `prisma generate` wants an engine it does not use; naming any file spares the download. */
const offline = { PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, CHECKPOINT_DISABLE: '1' }

describe('a clone of a new project, with what git keeps of it', () => {
  const home = mkdtempSync(join(tmpdir(), 'svc-clone-'))
  const folder = join(home, 'clone')
  const noEngine = { PRISMA_SCHEMA_ENGINE_BINARY: join(folder, 'none'), CHECKPOINT_DISABLE: '1' }
  const failing = join(home, 'failing')
  /** Where Prisma is not what is asked: `npx` fails at once, as it does where it cannot download. */
  const noPrisma = { PATH: `${failing}${delimiter}${process.env['PATH']}` }
  const git = (cwd: string, ...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...words], { cwd })

  beforeAll(async () => {
    build()
    const made = mkdtempSync(join(tmpdir(), 'svc-cloned-'))
    expect((await svc(made, 'new', '.')).code).toBe(0)
    expect((await svc(made, 'migrate', 'save', 'init')).code).toBe(0)
    git(made, 'init', '--quiet')
    git(made, 'add', '--all')
    git(made, 'commit', '--quiet', '--message', 'new')
    git(home, 'clone', '--quiet', made, folder)
    rmSync(made, { recursive: true })
    mkdirSync(failing)
    writeFileSync(join(failing, 'npx'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
    symlinkSync(join(checkout, 'node_modules'), join(folder, 'node_modules'), 'junction')
  })
  afterAll(() => rmSync(home, { recursive: true, force: true }))

  function npm(script: string, env: NodeJS.ProcessEnv = offline) {
    const options = {
      cwd: folder,
      encoding: 'utf8' as const,
      env: { ...process.env, NODE_ENV: '', ...env },
    }
    const { status, stdout, stderr } = spawnSync('npm', ['run', '--silent', script], options)
    return { code: status, text: `${stdout}${stderr}` }
  }

  test('says what to do where the client cannot be made', () => {
    const { code, text } = npm('seed', noEngine)
    expect(code).toBe(1)
    expect(text).toContain('`npx --no svc generate --client` makes the client without one')
    expect(text).not.toContain('ERR_MODULE_NOT_FOUND')
  })

  test("has a config that Prisma's own commands take", () => {
    const prisma = join(checkout, 'node_modules/prisma/build/index.js')
    const env = { ...process.env, ...offline }
    for (const command of ['validate', 'format']) {
      const options = { cwd: folder, env, encoding: 'utf8' as const }
      const { status, stderr } = spawnSync(process.execPath, [prisma, command], options)
      expect(stderr).toContain('Loaded Prisma config from prisma.config.ts.')
      expect(stderr).toContain('Prisma schema loaded from prisma/schema.')
      expect(status).toBe(0)
    }
    expect(git(folder, 'status', '--porcelain', 'prisma').toString()).toBe('')
  })

  test('starts in production, once it is built and configured: without the client while nothing imports it', () => {
    expect(npm('start')).toEqual({
      code: 1,
      text: 'There is no build here: run `npm run build` first.\n',
    })
    expect(npm('build', noPrisma).code).toBe(0)
    expect(readdirSync(join(folder, 'dist')).toSorted()).toEqual([
      ...['app', 'config', 'package.json', 'routes'],
    ])
    const { code, text } = npm('start', { NODE_ENV: 'development' })
    expect(code).toBe(1)
    expect(text).toContain('APP_KEY')
    rmSync(join(folder, 'dist'), { recursive: true })
  })

  test('builds with code that imports the client, made on the way', () => {
    expect(existsSync(join(folder, 'prisma/client'))).toBe(false)
    appendFileSync(join(folder, 'routes/api.ts'), "import '#app/prisma.js'\n")
    expect(npm('build')).toMatchObject({ code: 0 })
    expect(existsSync(join(folder, 'dist/prisma/client/client.js'))).toBe(true)
  })

  test('migrates, and seeds with the client that is there', () => {
    expect(npm('migrate')).toMatchObject({ code: 0 })
    expect(npm('seed', noEngine).text).toContain('Authorization: Bearer ')
  })

  test('makes the client anew when the schema is another, and else leaves it', () => {
    fill(folder, { 'prisma/schema/own.prisma': 'model Note {\n  id Int @id\n}\n' })
    expect(makeClient(offline)).toBe(0)
    expect(existsSync(join(folder, 'prisma/client/models/Note.ts'))).toBe(true)
    expect(makeClient(noPrisma)).toBe(0)
    fill(folder, { 'prisma/schema/own.prisma': 'model Other {\n  id Int @id\n}\n' })
    expect(makeClient(noPrisma)).toBe(1)
  })

  test('type-checks, the manifest too, and `npx tsc` finds the same', () => {
    fill(folder, { 'prisma/schema/own.prisma': '' })
    mkdirSync(join(home, 'node_modules'))
    symlinkSync(checkout, join(home, 'node_modules/svckit'), 'junction')
    expect(npm('typecheck')).toMatchObject({ code: 0 })
    change(join(folder, 'manifest/posts.ts'), /body: textarea/, 'title: text(), body: textarea')
    const found = tsc()
    expect(found).toMatch(/^manifest\/posts\.ts\(\d+,\d+\): error TS1117: /)
    expect(npm('typecheck').text).toBe(found)
  })

  test('makes the client without an engine where svckit is installed', () => {
    fill(folder, { 'prisma/schema/own.prisma': 'model Other {\n  id Int @id\n}\n' })
    expect(makeClient(noEngine)).toBe(0)
    expect(existsSync(join(folder, 'prisma/client/models/Other.ts'))).toBe(true)
    expect(existsSync(join(folder, 'prisma/client/models/Note.ts'))).toBe(false)
  })

  test('makes it anew when it is asked to, fresh or not', () => {
    const client = join(folder, 'prisma/client/models/Other.ts')
    writeFileSync(client, '')
    expect(npm('seed', noEngine).code).toBe(0)
    expect(readFileSync(client, 'utf8')).toBe('')
    expect(npm('prisma:generate', noEngine)).toEqual({ code: 0, text: '' })
    expect(readFileSync(client, 'utf8')).toContain('OtherModel')
  })

  test('says what is wrong with the schema, in the words of svckit, and downloads nothing', () => {
    fill(folder, { 'prisma/schema/own.prisma': 'model Other {\n  id Nonsense @id\n}\n' })
    const { code, text } = npm('seed', { ...noEngine, PATH: dirname(process.execPath) })
    expect(code).toBe(1)
    expect(text).toMatch(
      /^prisma\/client is missing .* was not made: prisma\/schema\/own\.prisma:2:1 /,
    )
    expect(text).not.toContain('npx')
  })

  /**
   * Makes the client as the scripts do before `npm run seed`, `typecheck`, `test`, `build` and
   * `dev`.
   */
  function makeClient(engine: NodeJS.ProcessEnv): number | null {
    const PATH = `${join(checkout, 'node_modules/.bin')}${delimiter}${process.env['PATH']}`
    const env = { ...process.env, PATH, ...engine }
    return spawnSync(process.execPath, ['scripts/prisma-client.js'], { cwd: folder, env }).status
  }

  function tsc(): string {
    const compiler = join(checkout, 'node_modules/typescript/bin/tsc')
    const { stdout } = spawnSync(process.execPath, [compiler, '--pretty', 'false'], { cwd: folder })
    return String(stdout)
  }
})
