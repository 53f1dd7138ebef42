/**
 * Problems that people had in their own projects: each is reported with a way out, after a finished
 * or an untouched tree.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { fill, textsOf } from '../write/folder.js'
import { build, compiled, linkDependencies, newProject, savedProject, svc } from './project.js'

let root = ''
beforeEach(async () => {
  vi.stubEnv('SVC_SKIP_PRISMA_CLIENT', '1')
  root = await newProject()
  return () => vi.unstubAllEnvs()
})

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const change = (path: string, from: string, to: string) => {
  expect(read(path)).toContain(from)
  fill(root, { [path]: read(path).replace(from, to) })
}
const addField = () =>
  change(
    'manifest/posts.ts',
    'body: textarea(),',
    'body: textarea(),\n    note: text().nullable(),',
  )
const generate = (...options: string[]) => svc(root, 'generate', '--no-compile', ...options)

/** The project is as it was before. */
async function untouched(...line: string[]) {
  const before = textsOf(root)
  const ran = await svc(root, ...line)
  expect(textsOf(root)).toEqual(before)
  expect(ran.errors + ran.out).not.toContain('bug in svc')
  return ran
}

describe('what the owner or the system broke is no bug of svc', () => {
  test('a datasource that was taken out of the schema', async () => {
    const schema = read('prisma/schema/svc.prisma')
    fill(root, { 'prisma/schema/svc.prisma': schema.replace(/datasource db \{[^}]*\}\n/, '') })
    const { code, out } = await untouched('generate')
    expect(code).toBe(1)
    expect(out).toContain('prisma/schema/svc.prisma:1:1  there is no datasource in prisma/schema')
    expect((await generate('--force')).code).toBe(0)
    expect(read('prisma/schema/svc.prisma')).toBe(schema)
  })

  test('a policy that cannot be read', async () => {
    const policy = 'app/Policies/PostPolicy.ts'
    rmSync(join(root, policy))
    mkdirSync(join(root, policy))
    const { code, errors } = await untouched('generate')
    expect([code, errors]).toEqual([
      1,
      `'${policy}' is a folder, and svc writes a file of that name: move it away.\n`,
    ])
  })

  test('a tsconfig that extends nothing, while the client is made: the rest is written, and the next run makes it', async () => {
    vi.stubEnv('SVC_SKIP_PRISMA_CLIENT', undefined)
    const tsconfig = read('tsconfig.json')
    fill(root, { 'tsconfig.json': '{ "extends": "./nowhere.json" }' })
    addField()
    const { code, out } = await generate('--client')
    expect(code).toBe(1)
    expect(out).toContain(
      "Prisma's client was not generated; everything else is done. tsconfig.json: File './nowhere.json' not found.",
    )
    expect(read('app/Models.ts')).toContain('note: string | null')
    fill(root, { 'tsconfig.json': tsconfig })
    expect((await generate('--client')).code).toBe(0)
    expect(read('prisma/client/models/Post.ts')).toContain('note')
  })

  test('the client is left to what needs it, which is said, unless it is asked for', async () => {
    vi.stubEnv('SVC_SKIP_PRISMA_CLIENT', undefined)
    const model = 'prisma/client/models/Post.ts'
    expect((await generate('--client')).out).not.toContain("Prisma's client")
    addField()
    const left = await generate()
    expect(left.out).toContain("The commands that need Prisma's client generate it: `npm run seed`")
    expect(read(model)).not.toContain('note')
    expect((await generate()).out).not.toContain("Prisma's client")
    expect(JSON.parse((await generate('--json')).out).clientStale).toBe(true)
    const made = await generate('--client')
    expect(read(model)).toContain('note')
    expect(made.out).not.toContain("Prisma's client")
    expect(JSON.parse((await generate('--json')).out).clientStale).toBe(false)
  })

  test('a file where the client has to be', async () => {
    vi.stubEnv('SVC_SKIP_PRISMA_CLIENT', undefined)
    rmSync(join(root, 'prisma/client'), { recursive: true, force: true })
    fill(root, { 'prisma/client': '' })
    const { code, out } = await generate('--client')
    expect(code).toBe(1)
    expect(out).toContain(
      "Prisma's client was not generated; everything else is done. a file is where a folder has to be",
    )
  })

  test('a disk that takes no more: the system itself stops the writing, and nothing is changed', () => {
    addField()
    const before = textsOf(root)
    build()
    // In blocks of 512 bytes: what svc writes is longer.
    const line = `ulimit -f 4; exec '${process.execPath}' '${compiled}' generate`
    const { status, stderr } = spawnSync('sh', ['-c', line], { cwd: root, encoding: 'utf8' })
    expect(status).toBe(1)
    expect(stderr).toMatch(/^Nothing was changed: a file may not become that large\.\n {2}EFBIG/)
    expect(textsOf(root)).toEqual(before)
  })

  test('a config that is a folder, whatever the command', async () => {
    renameSync(join(root, 'config/svc.ts'), join(root, 'config/mine.ts'))
    mkdirSync(join(root, 'config/svc.ts'))
    for (const command of [['generate'], ['doctor'], ['routes'], ['setup-auth']]) {
      const { code, errors, out } = await untouched(...command)
      expect(code, command.join(' ')).toBe(1)
      expect(errors + out).toMatch(/a folder/)
    }
  })

  test('undo to a schema that Prisma does not take', async () => {
    vi.stubEnv('SVC_SKIP_PRISMA_CLIENT', undefined)
    root = await savedProject()
    addField()
    expect((await generate()).code).toBe(0)
    fill(root, { 'prisma/schema/own.prisma': 'modl Broken {}\n' })
    const { code, out } = await svc(root, 'undo')
    expect(code).toBe(1)
    expect(out).toContain('Restored ')
    expect(out).toContain('prisma/schema/own.prisma:1:1  This line is invalid.')
    expect(read('app/Models.ts')).not.toContain('note')
    expect(existsSync(join(root, 'prisma/migrations/draft.prisma'))).toBe(false)
  })
})

test('a byte order mark in a file of the schema is none of its words', async () => {
  vi.stubEnv('SVC_SKIP_PRISMA_CLIENT', undefined)
  for (const path of ['prisma/schema/own.prisma', 'prisma/schema/svc.prisma']) {
    fill(root, { [path]: `\uFEFF${read(path)}` })
  }
  addField()
  const { code, out, errors } = await generate('--client')
  expect([code, errors]).toEqual([0, ''])
  expect(out).not.toContain('conflict')
  expect(read('prisma/client/models/Post.ts')).toContain('note')
  expect((await generate('--check')).code).toBe(0)
})

test('--check and --dry-run stop where a run would stop', async () => {
  const models = read('app/Models.ts')
  rmSync(join(root, 'app/Models.ts'))
  fill(root, { 'app/elsewhere.ts': models })
  symlinkSync('elsewhere.ts', join(root, 'app/Models.ts'))
  addField()
  const said = (await untouched('generate')).errors
  expect(said).toContain("'app/Models.ts' is a symbolic link")
  for (const option of ['--check', '--dry-run']) {
    expect(await untouched('generate', option)).toEqual({ code: 1, out: '', errors: said })
  }
})

test('setup-auth is the way out of a config that names users who are not there, or says there are none', async () => {
  for (const said of ["'users'", 'null']) {
    root = await newProject()
    linkDependencies(root)
    rmSync(join(root, 'manifest/users.ts'))
    fill(root, {
      'manifest/index.ts': `import { defineManifest } from 'svckit'
import { posts } from './posts.js'

export default defineManifest({ database: 'sqlite', repositories: { posts } })
`,
      'manifest/posts.ts': `import { repository, text } from 'svckit'

export const posts = repository({ fields: { title: text() } })
`,
    })
    change('config/svc.ts', "user_model: 'users'", `user_model: ${said}`)
    const first = await generate()
    if (said === "'users'") {
      expect(first.out).toContain('fix    user_model: null, or `svc setup-auth`, which adds users')
    }
    const { code, out, errors } = await svc(root, 'setup-auth')
    expect([code, errors], out).toEqual([0, ''])
    expect(read('config/svc.ts')).toContain("user_model: 'users'")
    expect(read('manifest/users.ts')).toContain('password: password()')
    expect((await generate('--check')).code).toBe(0)
  }
})

test('a mistake in a config or in package.json has its line', async () => {
  const broken = async (path: string, text: string, ...command: string[]) => {
    const before = read(path)
    fill(root, { [path]: text })
    const { code, out, errors } = await untouched(...(command.length > 0 ? command : ['generate']))
    fill(root, { [path]: before })
    return [code, (out || errors).split('\n')[0]]
  }
  expect(
    await broken('config/svc.ts', read('config/svc.ts').replace('auth: {', 'auth: {{')),
  ).toEqual([
    1,
    `config/svc.ts:7:10  'config/svc.ts' does not parse as TypeScript: Expected identifier but found "{"`,
  ])
  expect(
    await broken('config/svc-graphql.ts', 'export const graphql = {\n  enabled: tru e,\n}\n'),
  ).toEqual([
    1,
    `config/svc-graphql.ts:2:16  'config/svc-graphql.ts' does not parse as TypeScript: Expected "}" but found "e"`,
  ])
  const torn = '{\n  "name": "shop"\n  "private": true\n}\n'
  for (const command of [['generate'], ['migrate'], ['migrate', 'status'], ['migrate', 'deploy']]) {
    expect(await broken('package.json', torn, ...command), command.join(' ')).toEqual([
      1,
      expect.stringMatching(/^package\.json:3:\d+ {2}'package\.json' cannot be read: expected/),
    ])
  }
})

test('a run that waits for another one says for which, once, and goes on when that is done', async () => {
  build()
  addField()
  const holder = { pid: process.pid, host: hostname(), command: 'dev', run: 'of this test' }
  fill(root, { '.svc/run.lock': JSON.stringify(holder) })
  const child = spawn(process.execPath, [compiled, 'generate', '--no-compile'], { cwd: root })
  const ended = once(child, 'exit')
  let errors = ''
  const lock = join(root, '.svc/run.lock')
  for await (const text of child.stderr.setEncoding('utf8')) {
    errors += text
    rmSync(lock, { force: true })
  }
  expect(errors).toBe(
    `Waiting for another svc, which is writing this project: process ${process.pid} (svc dev).\n`,
  )
  expect((await ended)[0]).toBe(0)
  expect(read('app/Models.ts')).toContain('note: string | null')
})

test('a lock that was cut off when the machine stopped is taken over, and cleared', async () => {
  addField()
  for (const text of ['', '{"pid":12']) {
    fill(root, {
      '.svc/run.lock': text,
      '.svc/run.lock.11111111-0000-4000-8000-000000000000': text,
    })
    const { code, errors } = await generate()
    expect([code, errors]).toEqual([0, ''])
    const left = Object.keys(textsOf(root)).filter((path) => path.startsWith('.svc/run.lock'))
    expect(left).toEqual([])
  }
})

test('what svc would write differently in a file of mine can be dismissed', async () => {
  const path = 'app/Policies/PostPolicy.ts'
  fill(root, { [path]: read(path).replace('show: () => false', 'show: () => true') })
  change(
    'manifest/posts.ts',
    'title: text().max(160),',
    'title: text().max(160),\n    tag: text().nullable(),',
  )
  change('manifest/posts.ts', 'related: {', "related: {\n    tags: belongsToMany('users'),")
  change('manifest/posts.ts', 'import { belongsTo,', 'import { belongsTo, belongsToMany,')
  const remark = `keep      ${path}  (yours; svc would write it differently now`
  expect((await generate()).out).toContain(remark)
  const again = (await generate()).out
  expect(again).toContain(`\`svc eject ${path}\` dismisses it`)
  const mine = read(path)
  const { code, out } = await svc(root, 'eject', path)
  expect(code).toBe(0)
  expect(out).not.toContain(remark)
  expect(read(path)).toBe(mine)
  expect((await generate()).out).not.toContain(path)
  expect((await svc(root, 'eject', path)).errors).toContain(`'${path}' is yours already`)
})

test.each([
  ['--database', 'sqlite'],
  ['--example', 'blog'],
  ['--database', 'postgresql'],
])('a project that svc new just made has nothing edited: %s %s', async (...options) => {
  root = await newProject(...options)
  expect((await generate()).out).toMatch(/^Done: \d+ unchanged\.\n/)
  expect((await svc(root, 'doctor')).out).not.toContain('Wrong:')
})

test('undo of the first run says what it would remove, and removes it only when that is said', async () => {
  // As a crash leaves it that comes between two steps.
  renameSync(join(root, '.svc/journal'), join(root, '.svc/journal.old'))
  expect((await untouched('undo')).code).toBe(1)
  renameSync(join(root, '.svc/journal.old'), join(root, '.svc/journal'))
  const { code, out } = await untouched('undo')
  expect(code).toBe(1)
  expect(out).toMatch(
    /^The last run was the first: undo would remove \d+ files:\n {2}\.dockerignore\n/,
  )
  expect(out).toContain('`svc undo --yes` does it.')
  expect((await svc(root, 'undo', '--yes')).code).toBe(0)
  expect(existsSync(join(root, 'package.json'))).toBe(false)
  expect(existsSync(join(root, 'manifest/index.ts'))).toBe(true)
})
