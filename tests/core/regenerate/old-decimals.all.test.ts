import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { SqliteDriver as Sqlite } from '../../../runtime/database/sqlite/driver.js'
import { scriptsShareAProcess } from '../../support/resident.js'
import { runs } from '../../support/runs.js'
import { linkDependencies, newProject, svc } from '../cli/project.js'
import { fill } from '../write/folder.js'

scriptsShareAProcess()

/** Decimals of SQLite were text. A project of that time, with rows, meets the svc of today. */
let root = ''
const before = { ...process.env }
const file = () => join(root, 'storage/test.sqlite')
const migrations = 'prisma/migrations'

beforeEach(async () => {
  root = await newProject('--database', 'sqlite')
  linkDependencies(root)
  process.env['DATABASE_URL'] = `file:${file()}`
  process.env['NODE_ENV'] = 'development'
  process.env['SVC_SKIP_PRISMA_CLIENT'] = '1'
  await manifest(
    'body: textarea(),',
    'body: textarea(), price: decimal(10, 2).nullable().unique(),',
  )
  await manifest('import { ', 'import { decimal, ')
  await ok('generate')
  await ok('migrate', 'save', 'price')
  makeOld()
  await ok('migrate')
})
afterEach(() => void (process.env = before))

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const manifest = async (from: string, to: string) =>
  fill(root, { 'manifest/posts.ts': read('manifest/posts.ts').replace(from, to) })

async function ok(...line: string[]) {
  const quick = line[0] === 'generate' ? ['--no-compile'] : []
  const { code, out, errors } = await svc(root, ...line, ...quick)
  expect(code, out + errors).toBe(0)
  return out
}

/** The migration and the schema as they were written then. */
function makeOld(): void {
  const folder = readdirSync(join(root, migrations)).find((name) => name.endsWith('_price'))
  const saved = `${migrations}/${folder ?? ''}/migration.sql`
  const type = /"price" DECIMAL\(10,2\)( CHECK \(.*\))?(?=[,;\n])/
  expect(read(saved)).toMatch(type)
  const base = `${migrations}/base.prisma`
  const field = /(  \/\/\/ decimal.*\n)?  price .*\n/
  expect(read(base)).toMatch(field)
  fill(root, {
    [saved]: `${read(saved).replace(type, '"price" TEXT')}
-- CreateIndex
CREATE INDEX "posts_price_number" ON "posts"(cast(replace("price", '.', '') as integer));
`,
    [base]: read(base).replace(
      field,
      '  /// Sorted as a number: see the index `*_number` in the migrations.\n  price String? @unique\n',
    ),
  })
}

function ask(sql: string): unknown[] {
  const database = new Sqlite(file())
  try {
    const statement = database.prepare(sql)
    return statement.reader ? statement.raw().all() : [statement.run()]
  } finally {
    database.close()
  }
}

const now = `'2026-01-01T00:00:00.000+00:00'`
function addPosts(...prices: readonly string[]): void {
  ask(
    `insert into users (name, email, password, updated_at) values ('Ada', 'a@b.c', 'x', ${now}) on conflict do nothing`,
  )
  for (const price of prices) {
    ask(
      `insert into posts (title, body, price, owner_id, updated_at) values ('a', 'b', ${price}, 1, ${now})`,
    )
  }
}

test('one migration makes numbers of them, each exactly, and the table is as a new one', async () => {
  addPosts(`'48.50'`, `'47'`, `'-0.05'`, `'99999999.99'`, 'NULL', `'0.10'`)
  await ok('generate')
  expect(await ok('migrate', 'save', 'numbers')).not.toContain('these would be lost')
  await ok('migrate', 'deploy')
  expect(ask('select price, typeof(price) from posts order by price, id')).toEqual([
    [null, 'null'],
    [-0.05, 'real'],
    [0.1, 'real'],
    [47, 'integer'],
    [48.5, 'real'],
    [99999999.99, 'real'],
  ])
  const schema = "select name, sql from sqlite_master where tbl_name = 'posts' order by name"
  const converted = ask(schema)
  const built = new Sqlite(':memory:')
  for (const name of readdirSync(join(root, migrations)).toSorted()) {
    if (/^\d/.test(name)) built.exec(read(`${migrations}/${name}/migration.sql`))
  }
  expect(built.prepare(schema).raw().all()).toEqual(converted)
  expect(String(converted)).toContain('"price" DECIMAL(10,2) CHECK')
  expect(String(converted)).not.toContain('posts_price_number')
  expect(await ok('generate', '--check')).toContain('unchanged')
})

/** Too many digits behind the point, and none at all; `npm run test:long` has too many before it, and an exponent, too. */
const wrongs = [`'47.123'`, `'abc'`, ...(runs(1) > 1 ? [`'100000000.00'`, `'1e-3'`] : [])]

test.each(wrongs)(
  'a row that holds %s stops it, is reported, and stays as it is until somebody mends it',
  async (wrong) => {
    addPosts(`'48.50'`, wrong)
    await ok('generate')
    for (const line of [['migrate'], ['migrate', 'save', 'numbers']]) {
      const { code, out, errors } = await svc(root, ...line)
      expect(code).toBe(1)
      expect(out + errors).toMatch(/price/)
    }
    expect(
      ask(`select typeof(price) = typeof(${wrong}) from posts where price = ${wrong}`),
    ).toEqual([[1]])
    ask(`update posts set price = '47.12' where price = ${wrong}`)
    await ok('migrate', 'save', 'numbers')
    await ok('migrate', 'deploy')
    expect(ask('select price from posts order by price')).toEqual([[47.12], [48.5]])
  },
)
