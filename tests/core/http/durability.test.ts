/** `durability` of config/svc.ts: whether a write is answered when the disk has it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, expect, it } from 'vitest'
import { databases, openProject, type Edits, type Project } from '../../support/project.js'

let project: Project

afterEach(() => project.close())

const relaxed: Edits = {
  'config/svc.ts': (text) => text.replace("durability: 'full'", "durability: 'relaxed'"),
}

const shown = { sqlite: 'PRAGMA synchronous', postgresql: 'SHOW synchronous_commit' }

const cases = databases.flatMap((name) => [
  { name, said: 'full', edits: {}, found: name === 'sqlite' ? 2 : 'on' },
  { name, said: 'relaxed', edits: relaxed, found: name === 'sqlite' ? 1 : 'off' },
])

it.each(cases)('$said: $name is asked for $found', async ({ name, edits, found }) => {
  project = await openProject('minimal', name, edits)
  if (name === 'postgresql') await setUpAsUsual()
  const rows = await project.database.query({ sql: shown[name], access: 'write' }, [])
  expect(rows).toEqual([[found]])
})

it('on sqlite every answered write is committed to the log, and writes at once share a commit', async () => {
  project = await openProject('blog', 'sqlite')
  const ada = await project.user('Ada')
  const commits = () => commitsIn(readFileSync(join(project.folder, 'test.sqlite-wal')))
  const write = async (name: string) => (await project.post('/api/svc/tags', { name }, ada)).status
  const statuses: number[] = []
  const counts: number[] = []
  for (let n = 0; n < 5; n++) {
    const before = commits()
    statuses.push(await write(`${n}`))
    counts.push(commits() - before)
  }
  const before = commits()
  statuses.push(...(await Promise.all(Array.from({ length: 20 }, (_, n) => write(`at once ${n}`)))))
  expect(new Set(statuses)).toEqual(new Set([201]))
  expect(counts).toEqual([1, 1, 1, 1, 1])
  expect(commits() - before).toBeLessThan(5)
})

/**
 * With `synchronous = FULL` SQLite waits for the disk once for each frame of the log that ends a
 * transaction, which says so: the size of the database stands in its head (sqlite.org/fileformat2).
 */
function commitsIn(log: Buffer): number {
  const [head, headOfFrame] = [32, 24]
  const page = log.readUInt32BE(8)
  const salt = log.subarray(16, 24)
  let count = 0
  for (let at = head; at + headOfFrame + page <= log.length; at += headOfFrame + page) {
    // Frames of an earlier round of the log have another salt.
    if (!log.subarray(at + 8, at + 16).equals(salt)) break
    if (log.readUInt32BE(at + 4) > 0) count += 1
  }
  return count
}

/** The tests' PostgreSQL waits for no disk; connections that are open have it from the start. */
async function setUpAsUsual(): Promise<void> {
  const client = new pg.Client({ connectionString: process.env['DATABASE_URL'] })
  await client.connect()
  const database = client.escapeIdentifier(String(client.database))
  await client.query(`ALTER DATABASE ${database} SET synchronous_commit = on`)
  await client.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()`)
  await client.end()
}
