/** `readReplicas: true` where there is no replica: `http.all.test.ts` has two. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { emit } from '../../core/compile/emit.js'
import { startServer } from '../../core/faults/server-process.js'
import { generateInto } from '../../support/generate.js'
import { freshDatabase } from '../../support/postgres.js'
import { program } from '../../support/program.js'

describe('a server that asks for replicas', () => {
  let folder = ''
  let url = ''
  beforeAll(async () => {
    folder = await emit('minimal', 'postgresql', 'open')
    const manifest = join(folder, 'manifest/index.ts')
    const text = readFileSync(manifest, 'utf8')
    writeFileSync(manifest, text.replace("database: 'postgresql'", '$&, readReplicas: true'))
    await generateInto(folder)
    const migrations = join(folder, 'prisma/migrations')
    mkdirSync(join(migrations, '1_init'))
    renameSync(join(migrations, 'draft.sql'), join(migrations, '1_init/migration.sql'))
    url = await freshDatabase()
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('answers from the primary where an address is that of no replica, and says so', async () => {
    const server = await startServer(folder, { DATABASE_URL: url, DATABASE_REPLICA_URLS: url })
    await expect.poll(() => server.log().map(({ fault }) => fault)).toContain('not a replica')
    const { status, body } = await server.send('POST', '/api/svc/notes', { text: 'Kept' })
    expect(status, JSON.stringify(body)).toBe(201)
    expect((await server.send('GET', `/api/svc/notes/${body.data.id}`)).status).toBe(200)
  })

  test('does not start with an address that is none, and does not show it', async () => {
    const urls = 'postgresql://a:secret@one/db,two:secret'
    const variables = {
      DATABASE_URL: url,
      DATABASE_REPLICA_URLS: urls,
      PORT: '0',
      NODE_ENV: 'test',
    }
    const { status, stderr } = spawnSync(
      process.execPath,
      [await program(folder, 'app/server.ts')],
      { cwd: folder, env: { ...process.env, ...variables }, encoding: 'utf8' },
    )
    expect(status).toBe(1)
    expect(stderr).toContain('DATABASE_REPLICA_URLS must be like postgresql://')
    expect(stderr).toContain('number 2 of 2 is not')
    expect(stderr).not.toContain('secret')
  })
})

test('without readReplicas: true there is nothing of it', async () => {
  const folder = await emit('minimal', 'postgresql')
  const text = (path: string) => readFileSync(join(folder, path), 'utf8')
  const all = [
    'app/app.ts',
    'app/env.ts',
    'app/server.ts',
    '.env.example',
    'prisma/schema/svc.prisma',
  ]
  expect(all.map(text).join('')).not.toMatch(/replica|read_positions/i)
  rmSync(folder, { recursive: true, force: true })
})
