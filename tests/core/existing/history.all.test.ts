/** A database whose migrations were Prisma's. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { databases } from '../../support/databases.js'
import { linkModules } from '../../support/project.js'
import { scriptsShareAProcess } from '../../support/resident.js'
import { emptyFolder, svc } from '../cli/project.js'
import { existing } from './project.js'

scriptsShareAProcess()

test.each(databases)(
  'the history of Prisma stays, init says what is added to it, and migrations go on from there on %s',
  async (database) => {
    const isSqlite = database === 'sqlite'
    const time = isSqlite ? 'DATETIME' : 'TIMESTAMPTZ'
    const at = isSqlite ? '1704067200000' : `'2024-01-01'`
    const from = await existing(
      database,
      `CREATE TABLE posts (id ${isSqlite ? 'INTEGER' : 'SERIAL'} PRIMARY KEY, title TEXT NOT NULL);
       CREATE TABLE _prisma_migrations (id VARCHAR(36) PRIMARY KEY NOT NULL, checksum VARCHAR(64) NOT NULL, finished_at ${time},
         migration_name VARCHAR(255) NOT NULL, logs TEXT, rolled_back_at ${time}, started_at ${time} NOT NULL, applied_steps_count INTEGER NOT NULL);
       INSERT INTO _prisma_migrations VALUES ('a', 'c0ffee', ${at}, '20240101000000_init', NULL, NULL, ${at}, 1);`,
    )
    const root = emptyFolder()
    const said = await svc(root, 'init', '.', '--from', from.url)
    expect(said.out).toContain('It has a history of Prisma (_prisma_migrations), which stays.')
    await linkModules(root)
    process.env['DATABASE_URL'] = from.url
    const names = async () => {
      const rows = await from.rows(
        'SELECT migration_name FROM _prisma_migrations ORDER BY started_at',
      )
      return rows.map(({ migration_name: name }) => name)
    }
    expect(await names()).toEqual(['20240101000000_init'])
    const noted = await svc(root, 'migrate')
    expect([noted.code, noted.out]).toEqual([0, expect.not.stringContaining('ahead')])
    expect(await names()).toEqual(['20240101000000_init', '19700101000000_baseline'])

    const manifest = join(root, 'manifest/posts.ts')
    const text = readFileSync(manifest, 'utf8')
    writeFileSync(
      manifest,
      text
        .replace('fields: {', 'fields: {\n    views: integer().default(0),')
        .replace('import { ', 'import { integer, '),
    )
    expect((await svc(root, 'generate', '--no-compile')).code).toBe(0)
    for (const line of [
      ['migrate'],
      ['migrate', 'save', 'views'],
      ['migrate'],
      ['migrate', 'status'],
    ]) {
      const { code, out, errors } = await svc(root, ...line)
      expect([line, code, errors, /missing|ahead/.test(out)]).toEqual([line, 0, '', false])
    }
    expect((await svc(root, 'migrate', 'status')).out).toContain('before   20240101000000_init\n')
    expect(await names()).toHaveLength(3)
  },
)
