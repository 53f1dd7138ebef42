/** `svc doctor --production`, with the environment of production and the database it leads to. */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { SqliteDriver as Sqlite } from '../../../runtime/database/sqlite/driver.js'
import { toldOn } from '../../support/databases.js'
import { freshDatabase } from '../../support/postgres.js'
import { fill } from '../write/folder.js'
import { linkDependencies, savedProject, svc } from './project.js'

describe.each(toldOn('postgresql'))('svc doctor --production on %s', (name) => {
  let root = ''
  let url = ''
  beforeEach(async () => {
    root = await savedProject('--database', name)
    linkDependencies(root)
    url = name === 'sqlite' ? `file:${join(root, 'storage/it.sqlite')}` : await freshDatabase()
    const production = {
      DATABASE_URL: url,
      FRONTEND_APP_URL: 'https://shop.example',
      APP_KEY: 'k'.repeat(32),
      MAIL_MAILER: 'smtp',
      MAIL_FROM: 'shop@shop.example',
      SMTP_HOST: 'mail.shop.example',
      SVC_SKIP_PRISMA_CLIENT: '1',
      LOG_LEVEL: 'info',
    }
    for (const [key, value] of Object.entries(production)) vi.stubEnv(key, value)
    vi.stubEnv('THROTTLE_LIMIT', undefined)
    vi.stubEnv('THROTTLE_STORE', undefined)
    return () => vi.unstubAllEnvs()
  })

  const run = async (sql: string) => {
    if (name === 'sqlite') {
      const database = new Sqlite(url.slice('file:'.length))
      database.exec(sql)
      database.close()
      return
    }
    const client = new pg.Client(url)
    await client.connect()
    await client.query(sql)
    await client.end()
  }

  interface Report {
    readonly wrong: readonly { rule: string; at: string; message: string }[]
    readonly advice: readonly { rule: string; at: string; message: string }[]
    readonly tables: readonly { table: string; rows: number | null }[]
  }
  const doctor = async () => {
    const { code, out } = await svc(root, 'doctor', '--production', '--json')
    const report: Report = JSON.parse(out)
    return { code, ...report, rules: report.wrong.map(({ rule, at }) => `${rule} ${at}`) }
  }

  test('names what the database lacks, and is content once it is there', async () => {
    if (name === 'sqlite') {
      expect(await doctor()).toMatchObject({ code: 2, rules: ['database DATABASE_URL'] })
      // Other problems are reported too.
      vi.stubEnv('APP_KEY', 'short')
      vi.stubEnv('MAIL_MAILER', 'log')
      fill(root, { 'prisma/migrations/draft.sql': '-- mine\n' })
      const { rules, wrong } = await doctor()
      expect(rules).toEqual([
        'mail MAIL_MAILER',
        'database DATABASE_URL',
        'environment the environment',
        'migration prisma/migrations/draft.sql',
      ])
      expect(wrong[2]?.message).toContain('APP_KEY')
      vi.stubEnv('DATABASE_URL', 'postgresql://127.0.0.1/shop')
      expect((await doctor()).wrong[1]).toMatchObject({
        rule: 'environment',
        message: expect.stringContaining('this server was made for SQLite'),
      })
      expect(existsSync(join(root, 'storage/it.sqlite'))).toBe(false)
      rmSync(join(root, 'prisma/migrations/draft.sql'))
      vi.stubEnv('DATABASE_URL', url)
      vi.stubEnv('APP_KEY', 'k'.repeat(32))
      vi.stubEnv('MAIL_MAILER', 'smtp')
      fill(root, { 'storage/it.sqlite': '' })
    }
    const pending = await doctor()
    expect(pending.code).toBe(2)
    expect(pending.rules).toEqual([
      expect.stringMatching(/^migration prisma\/migrations\/\d+_init$/),
    ])
    expect((await svc(root, 'migrate', 'deploy')).code).toBe(0)
    const well = await doctor()
    expect(well).toMatchObject({ code: 0, rules: [] })
    expect(well.tables.map(({ table }) => table)).toEqual(['users', 'posts'])
    const lacking = async () => (await doctor()).rules
    // On PostgreSQL one serves filters, and one lists. What begins with a column serves its filters.
    const isSqlite = name === 'sqlite'
    const listed = isSqlite ? [] : ['missing-index posts.published_at+id']
    await run('DROP INDEX IF EXISTS "posts_published_at_id_idx"')
    if (!isSqlite) expect(await lacking()).toEqual(listed)
    await run('DROP INDEX "posts_published_at_idx"')
    await run('CREATE INDEX "other" ON "posts" ("id", "published_at")')
    expect(await lacking()).toEqual(['missing-index posts.published_at', ...listed])
    await run('CREATE INDEX "wider" ON "posts" ("published_at", "id", "title")')
    await run('CREATE INDEX "unlisted" ON "posts" ("published_at" DESC, "id" DESC)')
    // A unique index is one of those columns alone.
    await run('DROP INDEX "users_email_key"')
    await run('CREATE UNIQUE INDEX "users_wide" ON "users" ("email", "id")')
    await run('CREATE INDEX "users_plain" ON "users" ("email")')
    expect(await lacking()).toEqual(['missing-index users.email', ...listed])
  })

  test('names lists that go through a large table, as the database says itself', async () => {
    if (name === 'sqlite') fill(root, { 'storage/it.sqlite': '' })
    await svc(root, 'migrate', 'deploy')
    const now = name === 'sqlite' ? "'2026-01-01T00:00:00.000Z'" : 'now()'
    const count = 12_000
    const series =
      name === 'sqlite'
        ? `(WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < ${count}) SELECT n FROM s)`
        : `generate_series(1, ${count}) s(n)`
    await run(
      `INSERT INTO users (email, password, created_at, updated_at) VALUES ('a@b.cd', '-', ${now}, ${now})`,
    )
    const at = name === 'sqlite' ? 'n' : `now() + n * interval '1 minute'`
    await run(
      `INSERT INTO posts (title, body, published_at, owner_id, created_at, updated_at) SELECT 't' || n, 'b', ${at}, (SELECT id FROM users), ${now}, ${now} FROM ${series}`,
    )
    await run('ANALYZE')
    const slow = async () =>
      (await doctor()).advice.filter(({ rule }) => rule === 'slow-list').map((each) => each.message)
    expect(await slow()).toEqual([])
    await run('DROP INDEX IF EXISTS "posts_published_at_id_idx"')
    await run('DROP INDEX "posts_published_at_idx"')
    expect(await slow()).toContain(
      "sorting 'posts' by 'published_at' goes through all 12,000 rows, says this database (EXPLAIN)",
    )
  })

  test('names settings that no server should run with', async () => {
    if (name === 'sqlite') fill(root, { 'storage/it.sqlite': '' })
    await svc(root, 'migrate', 'deploy')
    vi.stubEnv('LOG_LEVEL', 'silent')
    vi.stubEnv('MAIL_MAILER', 'log')
    vi.stubEnv('THROTTLE_LIMIT', '1000000')
    const config = readFileSync(join(root, 'config/svc.ts'), 'utf8')
    fill(root, { 'config/svc.ts': config.replace("page: 'development'", "page: 'always'") })
    const found = await doctor()
    expect(found).toMatchObject({
      code: 2,
      rules: ['log LOG_LEVEL', 'mail MAIL_MAILER', 'throttle THROTTLE_LIMIT'],
    })
    const advice = found.advice.map(({ rule, at }) => `${rule} ${at}`)
    expect(advice).toEqual(
      expect.arrayContaining([
        ...['cors config/svc.ts', 'docs config/svc.ts', 'proxies TRUSTED_PROXIES'],
        'unbounded-text manifest/posts.ts',
      ]),
    )
    expect(found.advice.map(({ message }) => message)).toContain(
      "'body' of 'posts' may have 65,535 characters: it has no .max()",
    )
    vi.stubEnv('APP_KEY', undefined)
    vi.stubEnv('TRUSTED_PROXIES', '0')
    const { wrong, advice: less } = await doctor()
    expect(less.map(({ rule }) => rule)).not.toContain('proxies')
    expect(wrong.at(-1)).toMatchObject({ rule: 'environment' })
    expect(wrong.at(-1)?.message).toContain('environment is wrong: APP_KEY is missing')
  })
})
