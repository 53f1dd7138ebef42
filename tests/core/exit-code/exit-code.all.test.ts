import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { run } from '../compile/run.js'
import { root } from '../plan/fixture.js'

/** Runs one test that fails, beside a PostgreSQL, with another temporary folder. */
const failingRun = (temporary?: string) =>
  run(
    'vitest',
    ['run', '--config', 'tests/core/exit-code/vitest.config.ts'],
    root,
    temporary === undefined ? {} : { TMPDIR: temporary, NO_COLOR: '1' },
  )

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-exit-code-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const isRoot = process.getuid?.() === 0
const failed = '1 failed'

/** It says why, and nothing that would send one looking elsewhere. */
function expectReason(output: string, reason: RegExp): void {
  expect(output).toContain('The PostgreSQL of the tests did not start.')
  expect(output).toMatch(reason)
  expect(output).not.toContain('No test files found')
  expect(output).not.toContain('undefined')
}

test('a run with a failing test does not end with 0', async () => {
  expect((await failingRun()).code).toBe(1)
})

test('a temporary folder that is not there is named as the reason', async () => {
  const { code, output } = await failingRun(join(emptyFolder(), 'missing'))
  expect(code).toBe(1)
  expectReason(output, /ENOENT.*\n {2}known {2}the temporary folder must be there and writable/)
})

test('a temporary folder nobody else may enter is the reason for root, and enough for others', async () => {
  const { code, output } = await failingRun(emptyFolder())
  expect(code).toBe(1)
  if (isRoot) expectReason(output, /Permission denied\n {2}known {2}it refuses to run as root/)
  else expect(output).toContain(failed)
})

test('a temporary folder that only root may write is the reason for others, and enough for root', async () => {
  const folder = emptyFolder()
  chmodSync(folder, 0o555)
  const { code, output } = await failingRun(folder)
  expect(code).toBe(1)
  if (isRoot) expect(output).toContain(failed)
  else
    expectReason(output, /EACCES.*\n {2}known {2}the temporary folder must be there and writable/)
})

test('the temporary folder may have a longer path than a socket', async () => {
  const short = emptyFolder()
  chmodSync(short, 0o755)
  const folder = join(short, 'a'.repeat(60), 'b'.repeat(60))
  mkdirSync(folder, { recursive: true })
  const { output } = await failingRun(folder)
  expect(output).toContain(failed)
})

test('the socket of PostgreSQL is in its own folder', async () => {
  const client = new pg.Client({ connectionString: `${inject('postgres')}postgres` })
  await client.connect()
  const { rows } = await client.query('SHOW unix_socket_directories')
  await client.end()
  expect(rows).toEqual([{ unix_socket_directories: '.' }])
})
