import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import pg from 'pg'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { databases, isTold, type DatabaseName } from '../../support/databases.js'
import { freshDatabase } from '../../support/postgres.js'
import { scriptsShareAProcess } from '../../support/resident.js'
import { fill } from '../write/folder.js'
import { linkDependencies, newProject, svc } from './project.js'

scriptsShareAProcess()

const orders = `import { belongsTo, repository, text } from 'svckit'
import { integer } from 'svckit'

export const orders = repository({
  sort: ['number'],
  unique: [['place', 'owner_id']],
  fields: {
    number: text().max(40).unique(),
    place: text().max(40),
    words: text().nullable(),
  },
  related: { owner: belongsTo('users') },
})
`

interface Story {
  /** Changes the manifest, and runs `svc generate`. */
  edit(from: string, to: string): Promise<{ readonly code: number; readonly said: string }>
  /** Runs `svc migrate` with these options. */
  migrate(...more: readonly string[]): Promise<{ readonly code: number; readonly said: string }>
  draft(): string | null
  rows(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]>
  svc(...line: readonly string[]): ReturnType<typeof svc>
}

async function story(database: DatabaseName): Promise<Story> {
  const root = await newProject()
  linkDependencies(root)
  const path = 'manifest/orders.ts'
  const index = join(root, 'manifest/index.ts')
  const listed = readFileSync(index, 'utf8')
    .replace(/database: '\w+'/, `database: '${database}'`)
    .replace('repositories: {', 'repositories: { orders,')
  fill(root, {
    'manifest/index.ts': `import { orders } from './orders.js'\n${listed}`,
    [path]: orders,
  })
  const file = join(root, 'storage/test.sqlite')
  const url = database === 'sqlite' ? `file:${file}` : await freshDatabase()
  vi.stubEnv('DATABASE_URL', url)
  vi.stubEnv('NODE_ENV', 'development')
  vi.stubEnv('SVC_SKIP_PRISMA_CLIENT', '1')
  onTestFinished(() => void vi.unstubAllEnvs())
  const said = async (...line: readonly string[]) => {
    const { code, out, errors } = await svc(root, ...line)
    return { code, said: `${out}${errors}` }
  }
  const edit: Story['edit'] = async (from, to) => {
    const before = readFileSync(join(root, path), 'utf8')
    expect(before).toContain(from)
    writeFileSync(join(root, path), before.replace(from, to))
    return said('generate', '--no-compile')
  }
  const draft = join(root, 'prisma/migrations/draft.sql')
  return {
    edit,
    migrate: (...more) => said('migrate', ...more),
    draft: () => (existsSync(draft) ? readFileSync(draft, 'utf8') : null),
    svc: (...line) => svc(root, ...line),
    rows: async (sql) => {
      if (database === 'sqlite') {
        const db = new Sqlite(file)
        const statement = db.prepare<[], Record<string, unknown>>(sql)
        const rows = statement.reader ? statement.all() : (statement.run(), [])
        db.close()
        return rows
      }
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      const { rows } = await client.query(sql)
      await client.end()
      return rows
    },
  }
}

/** Two orders of Ada's. */
async function insertRows({ edit, migrate, rows, svc: run }: Story): Promise<void> {
  expect(await edit('text().nullable()', 'text().nullable()')).toMatchObject({ code: 0 })
  expect(await migrate()).toMatchObject({ code: 0 })
  await rows(`INSERT INTO users (id, name, email, password, created_at, updated_at)
VALUES (1, 'Ada', 'a@x.y', '!', '2026-01-01', '2026-01-01')`)
  await rows(`INSERT INTO orders (number, place, words, owner_id, created_at, updated_at)
VALUES ('A-1', 'here', NULL, 1, '2026-01-01', '2026-01-01'), ('12', 'there', 'w', 1, '2026-01-01', '2026-01-01')`)
  expect((await run('migrate', 'save', 'init')).code).toBe(0)
}

/** Of a field that is unique; then of a foreign key, unique together with another field. */
async function renameColumns({ edit, migrate, draft, rows, svc: run }: Story): Promise<void> {
  await edit('unique(),', `unique().column('Order No (a), b'),`)
  expect(draft()).toContain('ALTER TABLE "orders" RENAME COLUMN "number" TO "Order No (a), b";')
  expect(draft()).not.toMatch(/Careful/)
  await edit(`belongsTo('users')`, `belongsTo('users', { column: 'Sold by' })`)
  expect(await migrate()).toMatchObject({ code: 0 })
  const numbers = () =>
    rows('SELECT "Order No (a), b" AS number, "Sold by" AS owner FROM orders ORDER BY id')
  const both = [
    { number: 'A-1', owner: 1 },
    { number: '12', owner: 1 },
  ]
  expect(await numbers()).toEqual(both)
  expect((await run('migrate', 'save', 'names')).code).toBe(0)
}

/** The field alone: nothing is asked of the database. */
async function renameField({ edit, draft, svc: run }: Story): Promise<void> {
  await edit('number: text', 'code: text')
  const { code, said } = await edit(`sort: ['number']`, `sort: ['code']`)
  expect(code, said).toBe(0)
  expect(draft()).toBeNull()
  expect((await run('generate', '--check')).code).toBe(0)
}

/** As without a column, only where the manifest says so. */
async function renameBoth({ edit, migrate, draft, svc: run }: Story): Promise<void> {
  await edit(
    `code: text().max(40).unique().column('Order No (a), b')`,
    `label: text().max(40).unique().column('The label').renamedFrom('code')`,
  )
  await edit(`sort: ['code']`, `sort: ['label']`)
  expect(draft()).toContain('RENAME COLUMN "Order No (a), b" TO "The label";')
  expect(draft()).not.toMatch(/Careful/)
  expect(await migrate()).toMatchObject({ code: 0 })
  expect((await run('migrate', 'save', 'label')).code).toBe(0)
}

/** What does not fit is named, and may be filled by either name. */
async function convert({ edit, migrate, rows, svc: run }: Story): Promise<void> {
  await edit('label: text().max(40).unique()', 'label: integer().unique()')
  const stopped = await migrate()
  expect(stopped.code).toBe(1)
  expect(stopped.said).toContain("'A-1'")
  expect(stopped.said).toContain("--fill 'orders.The label'=<value>")
  expect(await migrate('--fill', 'orders.label=7')).toMatchObject({ code: 0 })
  expect(await rows('SELECT "The label" AS label FROM orders ORDER BY id')).toEqual([
    { label: 7 },
    { label: 12 },
  ])
  expect((await run('migrate', 'save', 'whole')).code).toBe(0)
}

/** A column that rows have no value for. */
async function require({ edit, migrate, rows, svc: run }: Story): Promise<void> {
  await edit('words: text().nullable()', `words: text().column('All words')`)
  const asked = await migrate()
  expect(asked.code).toBe(1)
  expect(asked.said).toContain("'All words' of 'orders'")
  expect(asked.said).toContain("--fill 'orders.All words'=<value>")
  expect(await migrate('--fill', 'orders.All words=none')).toMatchObject({ code: 0 })
  expect(await rows('SELECT "All words" AS words FROM orders ORDER BY id')).toEqual([
    { words: 'none' },
    { words: 'w' },
  ])
  expect((await run('migrate', 'save', 'filled')).code).toBe(0)
  expect((await run('generate', '--check')).code).toBe(0)
}

/** To the name of the field. */
async function renameBack({ edit, migrate, draft, rows }: Story): Promise<void> {
  await edit(`.column('All words')`, '')
  expect(draft()).toContain('RENAME COLUMN "All words" TO "words";')
  await edit(`{ column: 'Sold by' }`, '{}')
  expect(await migrate()).toMatchObject({ code: 0 })
  expect(await rows('SELECT "words" AS w, owner_id AS o FROM orders ORDER BY id')).toEqual([
    { w: 'none', o: 1 },
    { w: 'w', o: 1 },
  ])
}

describe.each(databases)('what the database calls a field, on %s', (name) => {
  if (isTold(name, 'postgresql'))
    test('changes without a loss, with its indexes, and is nothing to a field of another name', async () => {
      const told = await story(name)
      await insertRows(told)
      await renameColumns(told)
      await renameField(told)
      await renameBoth(told)
      await convert(told)
      await require(told)
      await renameBack(told)
    })

  if (isTold(name, 'sqlite'))
    test('changes again before it is saved', async () => {
      const { edit, migrate, draft, rows, ...project } = await story(name)
      expect((await edit('place: text()', 'place: text()')).code).toBe(0)
      expect((await project.svc('migrate', 'save', 'init')).code).toBe(0)
      await edit('place: text()', `desk: text().nullable().column('The desk'),\n    place: text()`)
      await edit('unique(),', `unique().column('No'),`)
      expect(await migrate()).toMatchObject({ code: 0 })
      await rows(`INSERT INTO users (id, name, email, password, created_at, updated_at)
      VALUES (1, 'Ada', 'a@x.y', '!', '2026-01-01', '2026-01-01')`)
      await rows(`INSERT INTO orders ("No", "The desk", place, owner_id, created_at, updated_at)
      VALUES ('1', 'd', 'here', 1, '2026-01-01', '2026-01-01')`)
      await edit(`column('The desk')`, `column('A desk')`)
      await edit(`column('No')`, `column('Number')`)
      expect(await migrate()).toMatchObject({ code: 0 })
      expect(await rows('SELECT "Number" AS no, "A desk" AS desk FROM orders')).toEqual([
        { no: '1', desk: 'd' },
      ])
      await edit(`.column('Number')`, '')
      await edit(`.column('A desk')`, '')
      expect(await migrate()).toMatchObject({ code: 0 })
      expect(await rows('SELECT number, desk FROM orders')).toEqual([{ number: '1', desk: 'd' }])
      expect(draft()).toMatch(/ADD COLUMN +"desk" TEXT/)
      expect(draft()).not.toMatch(/RENAME/)
    })

  test('is no way to exchange two of them unseen', async () => {
    const { edit, ...project } = await story(name)
    await edit('words: text()', `other: text().nullable(),\n    words: text()`)
    expect((await project.svc('migrate', 'save', 'init')).code).toBe(0)
    await edit('other: text()', `other: text().column('words')`)
    const { code, said } = await edit('words: text()', `words: text().column('other')`)
    expect(code).toBe(1)
    expect(said).toContain(
      "manifest/orders.ts:10:5  the column 'other' of 'orders' held 'other', and is the column of 'words' now: its values would change hands\n  fix ",
    )
  })
})
