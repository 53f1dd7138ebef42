import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { emit } from './emit.js'

let folder = ''
beforeAll(async () => void (folder = await emit('minimal', 'sqlite')))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Starts the server, which ends at once where it may not start. */
function start(env: NodeJS.ProcessEnv) {
  const all = { ...process.env, NODE_ENV: 'production', PORT: '0', ...env }
  const words = ['--import', 'tsx', 'app/server.ts']
  const { status, stderr } = spawnSync(process.execPath, words, {
    cwd: folder,
    env: all,
    timeout: 30_000,
  })
  return { status, errors: String(stderr) }
}

test('production says how to save the first migration', () => {
  const { status, errors } = start({})
  expect(status).toBe(1)
  expect(errors).toContain('npx svc migrate save init, and deploy the folder it makes')
})

test.each(['true', 'false'])('production refuses a draft, MIGRATE_ON_START=%s', (onStart) => {
  mkdirSync(join(folder, 'prisma/migrations/1_init'), { recursive: true })
  writeFileSync(join(folder, 'prisma/migrations/1_init/migration.sql'), 'SELECT 1;')
  writeFileSync(join(folder, 'prisma/migrations/draft.sql'), 'CREATE TABLE more (id INTEGER);')
  const { status, errors } = start({ MIGRATE_ON_START: onStart })
  expect(status).toBe(1)
  expect(errors).toContain('npx svc migrate save <name>')
  expect(errors).not.toContain('    at ')
})
