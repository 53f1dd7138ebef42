import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { databases, isTold, type DatabaseName } from '../../support/databases.js'
import { linkModules } from '../../support/project.js'
import { scriptsShareAProcess } from '../../support/resident.js'
import { emptyFolder, svc } from '../cli/project.js'
import { textsOf } from '../write/folder.js'
import { existing, served, type Existing } from './project.js'

scriptsShareAProcess()

const people = (database: DatabaseName) => `
  CREATE TABLE "user" (id ${database === 'sqlite' ? 'integer' : 'serial'} primary key, email text not null unique, password text,
    "reset_Token" text, salt_count integer, photo ${database === 'sqlite' ? 'blob' : 'bytea'}, name text);
  INSERT INTO "user" (email, password, "reset_Token", salt_count, photo)
    VALUES ('a@x.y', 'hash of a', 't', 1, NULL), ('b@x.y', 'hash of b', NULL, 2, NULL);`

interface Project {
  readonly root: string
  readonly said: string
  /** Changes `manifest/users.ts`, and runs `svc migrate`. */
  migrate(from: RegExp, to: string): Promise<{ readonly code: number; readonly said: string }>
}

async function project(from: Existing): Promise<Project> {
  const root = emptyFolder()
  const { code, out, errors } = await svc(root, 'init', '.', '--from', from.url)
  expect(code, errors).toBe(0)
  await linkModules(root)
  process.env['DATABASE_URL'] = from.url
  const path = join(root, 'manifest/users.ts')
  const migrate = async (pattern: RegExp, text: string) => {
    const before = readFileSync(path, 'utf8')
    expect(before).toMatch(pattern)
    writeFileSync(path, before.replace(pattern, text))
    const made = await svc(root, 'generate')
    const ran = made.code === 0 ? await svc(root, 'migrate') : made
    return { code: ran.code, said: `${made.errors}${ran.out}${ran.errors}` }
  }
  return { root, said: out, migrate }
}

interface Shown {
  readonly attributes: { readonly paid: string }
}

const withImport = (name: string) => `import { ${name}, `

describe.each(databases)('a column that init left alone on %s', (database) => {
  test('becomes a field without being added, and loses nothing', async () => {
    const from = await existing(database, people(database))
    const { root, said, migrate } = await project(from)
    expect(said).toContain('user.password: it looks like a secret\n')
    const before = await from.rows('SELECT * FROM "user" ORDER BY id')
    await migrate(/import \{ /, withImport('password'))
    const { code, said: told } = await migrate(
      /fields: \{/,
      'fields: { password: password().nullable(),',
    )
    expect(code, told).toBe(0)
    expect(told).not.toMatch(/--fill|ADD COLUMN/)
    expect(await from.rows('SELECT * FROM "user" ORDER BY id')).toEqual(before)
    expect(() => readFileSync(join(root, 'prisma/migrations/draft.sql'))).toThrow()
    expect((await svc(root, 'generate', '--check')).code).toBe(0)

    const required = await migrate(/password\(\)\.nullable\(\)/, 'password()')
    expect(required.code, required.said).toBe(0)
    expect(await from.rows('SELECT * FROM "user" ORDER BY id')).toEqual(before)
  })

  test('is required at once where every row has a value, beside another change', async () => {
    const from = await existing(database, people(database))
    const { root, migrate } = await project(from)
    const before = await from.rows('SELECT * FROM "user" ORDER BY id')
    await migrate(/import \{ /, withImport('password, integer'))
    const { code, said } = await migrate(
      /fields: \{/,
      'fields: { password: password(), salt_count: integer(), age: integer().nullable(),',
    )
    expect(code, said).toBe(0)
    expect(said).toContain('draft migration applied')
    const after = await from.rows('SELECT * FROM "user" ORDER BY id')
    expect(after).toEqual(before.map((row) => ({ ...row, age: null })))
    expect((await svc(root, 'migrate', 'save', 'sign-in')).code).toBe(0)
    expect((await svc(root, 'migrate')).out).toMatch(/_sign_in applied\n$/)
    expect((await svc(root, 'migrate')).out).toContain('nothing to migrate')
  })

  if (isTold(database, 'sqlite'))
    test('is new again once a migration has dropped it', async () => {
      const from = await existing(database, people(database))
      const { root, migrate } = await project(from)
      await migrate(/import \{ /, withImport('integer'))
      await migrate(/fields: \{/, 'fields: { salt_count: integer().nullable(),')
      await migrate(/salt_count: integer\(\)\.nullable\(\),/, '')
      expect((await svc(root, 'migrate', '--accept-data-loss')).code).toBe(0)
      expect((await svc(root, 'migrate', 'save', 'less', '--accept-data-loss')).code).toBe(0)
      const { code, said } = await migrate(
        /fields: \{/,
        'fields: { salt_count: integer().nullable(),',
      )
      expect(code, said).toBe(0)
      const rows = await from.rows('SELECT salt_count, password FROM "user" ORDER BY id')
      expect(rows).toEqual([
        { salt_count: null, password: 'hash of a' },
        { salt_count: null, password: 'hash of b' },
      ])
    })

  test('because of one row is a field when that row is mended', async () => {
    const [type, bad] = database === 'sqlite' ? ['decimal(6, 2)', 'abc'] : ['numeric(6, 2)', 'NaN']
    const key = database === 'sqlite' ? 'integer' : 'serial'
    const from = await existing(
      database,
      `CREATE TABLE t (id ${key} primary key, paid ${type}, n integer); INSERT INTO t (paid) VALUES (1.25), ('${bad}');`,
    )
    const { root, said, ask } = await served(from, {
      'manifest/ts.ts': (text) =>
        text
          .replace('import { ', withImport('decimal'))
          .replace('fields: {', 'fields: { paid: decimal(6, 2).nullable(),'),
    })
    expect(said.out).toContain('t.paid: it')
    await from.rows(
      `UPDATE t SET paid = 3.5 WHERE id = 2${database === 'sqlite' ? ' RETURNING id' : ''}`,
    )
    const check = await svc(root, 'generate', '--check')
    expect(check.code, check.out + check.errors).toBe(0)
    const { body } = await ask('GET', '/api/svc/ts?sort=id')
    const paid = body.data.map((each: Shown) => each.attributes.paid)
    expect(paid).toEqual(['1.25', '3.50'])
    expect((await ask('POST', '/api/svc/ts', { paid: '2.25' })).status).toBe(201)
  })

  test.each([
    [
      'salt_count: text().nullable()',
      /salt_count.*integer, which is no text\n.*\n?.*salt_count: integer\(\)/,
    ],
    ['photo: text().nullable()', /photo.*(blob|bytea): no field of svc keeps what it holds/],
  ])('is refused as %s', async (field, problem) => {
    const from = await existing(database, people(database))
    const { migrate } = await project(from)
    const { code, said } = await migrate(/fields: \{/, `fields: { ${field},`)
    expect(code).toBe(1)
    expect(said).toMatch(problem)
  })
})

describe.each(databases)('a table that init left alone on %s', (database) => {
  const audited = `${people(database)}
    CREATE TABLE audit (who integer, day integer, what text, PRIMARY KEY (who, day));
    INSERT INTO audit VALUES (1, 2, 'came'), (1, 3, 'went');`
  const manifest = `import { repository, text } from 'svckit'

export const visits = repository({ table: 'audit', fields: { what: text().nullable() } })
`

  async function withVisits() {
    const from = await existing(database, audited)
    const made = await project(from)
    const write = (path: string, text: string) => {
      mkdirSync(dirname(join(made.root, path)), { recursive: true })
      writeFileSync(join(made.root, path), text)
    }
    const index = readFileSync(join(made.root, 'manifest/index.ts'), 'utf8')
    write('manifest/visits.ts', manifest)
    write(
      'manifest/index.ts',
      `import { visits } from './visits.js'\n${index.replace('repositories: {', 'repositories: { visits,')}`,
    )
    return { ...made, from, write }
  }

  test('is refused as a repository, before anything is written, with a way out that holds', async () => {
    const { root, from, write } = await withVisits()
    const before = textsOf(root)
    const { code, out } = await svc(root, 'generate')
    expect(code).toBe(1)
    expect(out).toMatch(
      /^manifest\/visits\.ts:\d+:\d+ {2}the database has a table 'audit', which svc init left alone \(its primary key is several columns \(who, day\)\), and this would make one of that name\n/,
    )
    expect(textsOf(root)).toEqual(before)
    const [statements = ''] = /ALTER TABLE .*;$/m.exec(out) ?? []
    write('prisma/migrations/20300101000000_audit/migration.sql', `${statements}\n`)
    expect((await svc(root, 'generate')).errors).toBe('')
    const ran = await svc(root, 'migrate')
    expect(ran.code, ran.errors).toBe(0)
    expect(await from.rows('SELECT * FROM audit')).toEqual([])
    expect(await from.rows('SELECT what FROM audit_before ORDER BY day')).toEqual([
      { what: 'came' },
      { what: 'went' },
    ])
  })

  test("stands in nobody's way under another name", async () => {
    const { root, from, write } = await withVisits()
    write('manifest/visits.ts', manifest.replace("'audit'", "'visits'"))
    expect((await svc(root, 'generate')).code).toBe(0)
    expect((await svc(root, 'migrate')).code).toBe(0)
    expect(await from.rows('SELECT count(*) AS n FROM visits')).toHaveLength(1)
    expect(await from.rows('SELECT * FROM audit')).toHaveLength(2)
  })
})

test.each([
  ['a table in other capitals', 'TABLE audit (line text)'],
  ['a view', 'VIEW audit AS SELECT 1 AS one'],
])('on sqlite %s is there too', async (_, made) => {
  const from = await existing('sqlite', `${people('sqlite')} CREATE ${made};`)
  const { root } = await project(from)
  const own = 'model Visit {\n  id Int @id\n\n  @@map("AUDIT")\n}\n'
  writeFileSync(join(root, 'prisma/schema/own.prisma'), own)
  const { code, out } = await svc(root, 'generate')
  expect(code).toBe(1)
  expect(out).toContain("the database has a table 'audit', which svc init left alone")
})

test('on sqlite a field that differs from it in capitals alone is refused', async () => {
  const { migrate } = await project(await existing('sqlite', people('sqlite')))
  const { code, said } = await migrate(/fields: \{/, 'fields: { Password: text().nullable(),')
  expect(code).toBe(1)
  expect(said).toContain(`the manifest writes it 'Password'`)
})

test('on postgresql a field that is longer than it is refused', async () => {
  const sql = `CREATE TABLE "user" (id serial primary key, name varchar(20), password varchar(40))`
  const { migrate } = await project(await existing('postgresql', sql))
  const { code, said } = await migrate(
    /import \{ ([^]*)fields: \{/,
    'import { password, $1fields: { password: password().nullable(),',
  )
  expect(code).toBe(1)
  expect(said).toContain('too short for a password')
})
