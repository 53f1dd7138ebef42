import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSqliteFile, statement, type Opened } from './databases.js'

const script = fileURLToPath(new URL('migrate-command-process.ts', import.meta.url))

describe('npm run migrate', () => {
  let opened: Opened
  let folder: string

  beforeEach(async () => {
    opened = await openSqliteFile()
    folder = join(opened.folder, 'migrations')
    await mkdir(join(folder, '0_init'), { recursive: true })
    await writeFile(join(folder, '0_init', 'migration.sql'), 'CREATE TABLE notes (text TEXT)')
  })

  afterEach(() => opened.close())

  const run = async (words: string[] = [], request?: object) => {
    const argv = ['--import', 'tsx', script, opened.url, folder, ...words]
    const child = spawn(process.execPath, argv)
    child.stdin.end(request === undefined ? '' : JSON.stringify(request))
    const [out, err, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'exit'),
    ])
    return { code: code as number, out: out.trim(), err: err.trim() }
  }

  it('applies what is pending, then has nothing to do', async () => {
    expect(await run()).toEqual({ code: 0, out: 'migration 0_init applied', err: '' })
    expect(await run()).toEqual({ code: 0, out: 'nothing to migrate', err: '' })
    expect((await run(['status'])).out).toBe('applied  0_init')
  })

  it('says what is wrong on stderr and ends with 1', async () => {
    await writeFile(join(folder, '0_init', 'migration.sql'), 'CREATE TABEL notes (text TEXT)')
    const { code, out, err } = await run()
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toBe(
      `Migration '0_init' could not be applied: near "TABEL": syntax error\n` +
        '  Nothing of it is in the database; correct it and start again.',
    )
    expect((await run(['satus'])).err).toContain("There is no 'satus'")
  })

  it('speaks JSON with svc: the draft moved, the step would lose data, the step is taken', async () => {
    const first = 'ALTER TABLE notes ADD COLUMN size INTEGER'
    await writeFile(join(folder, 'draft.sql'), first)
    await writeFile(join(folder, 'draft.prisma'), 'A')
    expect((await run()).out).toBe('migration 0_init applied\ndraft migration applied')
    await opened.database.query(statement("INSERT INTO notes VALUES ('a', 5)"), [])
    await rm(join(folder, 'draft.sql'))
    const moved = await run()
    expect(moved.code).toBe(4)
    expect(moved.err).toContain('npx svc migrate')
    const status = JSON.parse((await run(['status', '--json'])).out)
    expect(status).toEqual({
      applied: ['0_init'],
      pending: [],
      ahead: [],
      problem: null,
      drift: [],
      draft: {
        checksum: expect.stringMatching(/^[0-9a-f]{64}$/),
        datamodel: 'A',
        sql: 'ALTER TABLE notes ADD COLUMN size INTEGER',
      },
    })
    const step = { step: 'ALTER TABLE notes DROP COLUMN size', from: status.draft.checksum }
    const loses = [{ table: 'notes', column: 'size', rows: 1 }]
    expect(JSON.parse((await run(['loss', '--json'], step)).out)).toEqual({ loses })
    const refused = await run(['draft', '--json'], step)
    expect(refused.code).toBe(3)
    expect(JSON.parse(refused.out)).toEqual({ applied: false, loses })
    const taken = await run(['draft', '--json'], { ...step, acceptDataLoss: true })
    expect(taken).toEqual({ code: 0, out: '{"applied":true}', err: '' })
    expect((await run()).out).toBe('nothing to migrate')
  })
})
