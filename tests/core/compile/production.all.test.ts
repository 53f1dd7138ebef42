import { spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { program } from '../../support/program.js'
import { root } from '../plan/fixture.js'
import { emit } from './emit.js'

let folder = ''
beforeAll(async () => void (folder = await emit('minimal', 'sqlite')))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Starts the server, which ends at once where it may not start. */
async function start(env: NodeJS.ProcessEnv) {
  const all = { ...process.env, NODE_ENV: 'production', PORT: '0', ...env }
  const file = await program(folder, 'app/server.ts')
  const { status, stderr } = spawnSync(process.execPath, [file], {
    cwd: folder,
    env: all,
  })
  return { status, errors: String(stderr) }
}

test('production says how to save the first migration', async () => {
  const { status, errors } = await start({})
  expect(status).toBe(1)
  expect(errors).toContain('npx --no svc migrate save init, and deploy the folder it makes')
})

test.each(['true', 'false'])('production refuses a draft, MIGRATE_ON_START=%s', async (onStart) => {
  mkdirSync(join(folder, 'prisma/migrations/1_init'), { recursive: true })
  writeFileSync(join(folder, 'prisma/migrations/1_init/migration.sql'), 'SELECT 1;')
  writeFileSync(join(folder, 'prisma/migrations/draft.sql'), 'CREATE TABLE more (id INTEGER);')
  const { status, errors } = await start({ MIGRATE_ON_START: onStart })
  expect(status).toBe(1)
  expect(errors).toContain('npx --no svc migrate save <name>')
  expect(errors).not.toContain('    at ')
})

/** Packages of their own for a project: ours, but for a copy of Prisma's client. */
function unpack(project: string): string {
  const folder = join(project, 'node_modules')
  rmSync(folder)
  mkdirSync(join(folder, '@prisma'), { recursive: true })
  for (const name of readdirSync(join(root, 'node_modules'))) {
    const inside = name === '@prisma' ? readdirSync(join(root, 'node_modules/@prisma')) : ['']
    for (const part of inside.map((each) => join(name, each))) {
      if (part !== '@prisma/client')
        symlinkSync(join(root, 'node_modules', part), join(folder, part))
    }
  }
  const client = join(folder, '@prisma/client')
  cpSync(join(root, 'node_modules/@prisma/client'), client, { recursive: true })
  return client
}

const bytesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)

test.each([
  ['sqlite', 'file:nothing.sqlite', /does not exist/],
  ['postgresql', 'postgresql://nobody@127.0.0.1:1/nothing', /ECONNREFUSED|reach/],
] as const)(
  'the image of %s keeps of Prisma what its client loads',
  async (database, url, asked) => {
    const project = await emit('minimal', database, 'own', { wantsClient: true })
    onTestFinished(() => rmSync(project, { recursive: true, force: true }))
    const [command = ''] =
      /^RUN (find [\s\S]*?-delete)/m
        .exec(readFileSync(join(project, 'Dockerfile'), 'utf8'))
        ?.slice(1) ?? []
    const client = unpack(project)
    const whole = bytesIn(client)
    expect(spawnSync('sh', ['-c', command], { cwd: project }).status).toBe(0)
    expect(bytesIn(client)).toBeLessThan(whole / 5)
    const code = `import { prisma } from './app/prisma.js'; await prisma.note.findMany()`
    writeFileSync(join(project, 'ask.ts'), code)
    const { stderr } = spawnSync(process.execPath, ['--import', 'tsx', 'ask.ts'], {
      cwd: project,
      env: { ...process.env, DATABASE_URL: url },
    })
    expect(String(stderr)).toMatch(asked)
  },
)
