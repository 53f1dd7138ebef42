import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { databases } from '../../support/databases.js'
import { emptyFolder, svc } from '../cli/project.js'
import { existing } from './project.js'
import { music } from './schemas.js'

const init = (root: string, url: string) => svc(root, 'init', '.', '--from', url)

describe('svc init writes nothing', () => {
  test('where a manifest is there', async () => {
    const from = await existing('sqlite', music('sqlite'))
    const root = emptyFolder()
    mkdirSync(join(root, 'manifest'))
    writeFileSync(join(root, 'manifest/index.ts'), 'mine')
    const { code, errors } = await init(root, from.url)
    expect(code).toBe(1)
    expect(errors).toContain('A manifest exists already')
    expect(readFileSync(join(root, 'manifest/index.ts'), 'utf8')).toBe('mine')
    expect(existsSync(join(root, 'package.json'))).toBe(false)
  })

  test.each(databases)(
    'for a database on %s without tables, or with none that it could serve',
    async (database) => {
      const root = emptyFolder()
      const empty = await existing(database, 'SELECT 1')
      expect((await init(root, empty.url)).errors).toContain('The database has no tables.')
      const keyless = await existing(database, 'CREATE TABLE "Log" (line TEXT)')
      const { code, errors } = await init(root, keyless.url)
      expect(code).toBe(1)
      expect(errors).toContain(
        'svc cannot serve any of its tables.\n\nLeft alone:\n  Log: it has no primary key',
      )
      expect(existsSync(join(root, 'manifest'))).toBe(false)
    },
  )

  test.each([
    [
      'mysql://me:secret@127.0.0.1/shop',
      `'mysql://me:***@127.0.0.1/shop' is neither a PostgreSQL server nor an SQLite file.`,
    ],
    ['file:nowhere.sqlite', 'There is no file '],
    [
      'postgresql://me:secret@127.0.0.1:1/shop',
      'postgresql://me:***@127.0.0.1:1/shop cannot be read: ',
    ],
  ])('for %s', async (url, said) => {
    const root = emptyFolder()
    const { code, errors } = await init(root, url)
    expect(code).toBe(1)
    expect(errors).toContain(said)
    expect(errors).not.toContain('secret')
    expect(existsSync(join(root, 'manifest'))).toBe(false)
  })

  test('for a file that is no database', async () => {
    const root = emptyFolder()
    writeFileSync(
      join(root, 'shop.sqlite'),
      'not a database, and longer than the head of one would be '.repeat(20),
    )
    expect((await init(root, 'shop.sqlite')).errors).toContain(
      'cannot be read: file is not a database',
    )
  })
})

test('without --from, the command says what it wants', async () => {
  const { code, errors } = await svc(emptyFolder(), 'init')
  expect(code).toBe(1)
  expect(errors).toContain('Name the database: svc init <dir> --from <url>')
})

test('what it writes and says of sign-in and of the database is so', async () => {
  const root = emptyFolder()
  const from = await existing('sqlite', music('sqlite'))
  const { out } = await init(root, from.url)
  expect(out).toContain('There is no sign-in yet')
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  expect(readme).toContain('npx --no svc migrate # changes nothing')
  expect(readme).not.toMatch(/makes storage\/database|migrate save init|run seed {2,}# once/)
})

test('a note of what was left alone that was edited is named, and nothing is migrated', async () => {
  const from = await existing('sqlite', 'CREATE TABLE owner (id INTEGER PRIMARY KEY, photo BLOB)')
  const root = emptyFolder()
  expect((await svc(root, 'init', '.', '--from', from.url)).code).toBe(0)
  const path = 'prisma/migrations/19700101000000_baseline/migration.sql'
  const text = readFileSync(join(root, path), 'utf8')
  const at = text.split('\n').findIndex((line) => line.startsWith('-- Left alone: ')) + 1
  writeFileSync(join(root, path), text.replace('-- Left alone: {', '-- Left alone: '))
  for (const command of ['generate', 'migrate', 'doctor']) {
    const { code, out, errors } = await svc(root, command)
    expect([command, code]).toEqual([command, 1])
    expect(`${out}${errors}`).toContain(`${path}:${at}:1  this line is not as svc init wrote it`)
  }
})
