import { createRequire } from 'node:module'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Blueprint, Database } from '../../../generator/blueprint/types.js'
import { diffSql } from '../../../generator/migrations/diff/engine.js'
import { prismaSchema } from '../../../generator/migrations/schema/schema.js'
import { prismaFiles } from '../../../generator/plan/prisma-files.js'
import { tidy } from '../../../generator/source/tidy.js'
import { migrating } from '../../support/with-features.js'
import { blueprintOf, fixtures } from '../plan/fixture.js'
import { blog, blueprint, column, entity, foreign, on } from './blueprints.js'
import { goldenOf } from './goldens.js'
import { databases } from './live.js'
import { clashes, kinds } from './samples.js'

// The ES modules of these packages are broken; the types are of the same package.
const internals: typeof import('@prisma/internals') = createRequire(import.meta.url)(
  '@prisma/internals',
)

const samples: readonly (readonly [string, (database: Database) => Promise<Blueprint>])[] = [
  ...fixtures.map((name) => [name, (database: Database) => blueprintOf(name, database)] as const),
  ['kinds', async (database) => on(database, kinds)],
  ['clashes', async (database) => on(database, clashes)],
]

describe.each(databases)('on %s', (database) => {
  describe.each(samples)('%s', (name, load) => {
    let sample: Blueprint
    let text: string
    beforeAll(async () => {
      sample = await load(database)
      text = prismaSchema(sample)
    })

    test('is the text an owner reads', async () => {
      await expect(text).toMatchFileSnapshot(goldenOf(name, database, 'prisma'))
    })

    test('is what prisma format would print', async () => {
      const [[, formatted] = []] = await internals.formatSchema({ schemas: [['svc.prisma', text]] })
      expect(formatted).toBe(text)
    })

    test('is valid, with both halves of each relation', async () => {
      const { datamodel } = await internals.getDMMF({ datamodel: [['svc.prisma', text]] })
      expect(datamodel.models.map(({ dbName }) => dbName)).toEqual(
        expect.arrayContaining(sample.entities.map(({ table }) => table)),
      )
    })

    test('makes the SQL a reviewer reads', async () => {
      const schema = [{ path: 'svc.prisma', content: text }]
      const { sql } = await diffSql(migrating(database), 'empty', schema)
      await expect(sql).toMatchFileSnapshot(goldenOf(name, database, 'sql'))
    })
  })
})

test('every file for Prisma is laid out as the formatter would', async () => {
  for (const { path, content } of [...prismaFiles(blog), ...prismaFiles(blueprint([]))]) {
    expect(await tidy(path, content)).toBe(content)
  }
})

test('the first seed fills what a user needs', () => {
  const [users] = blog.entities
  if (users === undefined) throw new Error('the blog has users')
  const kinds = ['integer', 'decimal', 'dateTime', 'json', 'boolean', 'uuid', 'text'] as const
  const columns = [
    ...users.columns,
    ...kinds.map((kind) => column(`a_${kind}`, kind)),
    column('plan', 'select', { options: ["it's free", 'paid'] }),
    column('nick', 'text', { nullable: true }),
  ]
  const seed = seedOf({ ...blog, entities: [{ ...users, columns }, ...blog.entities.slice(1)] })
  expect(/ {2}create: \{[^]*?\n {2}\}/.exec(seed)?.[0]).toBe(`  create: {
    name: 'Ada Lovelace',
    email,
    password: await hashPassword(password),
    a_integer: 0,
    a_decimal: '0.00',
    a_dateTime: new Date('2026-01-01'),
    a_json: {},
    a_boolean: false,
    a_uuid: '00000000-0000-4000-8000-000000000000',
    a_text: 'Example',
    plan: 'it\\'s free',
  }`)
})

test('the user of the first seed has a password, where others need none, too', () => {
  const [users] = blog.entities
  if (users === undefined) throw new Error('the blog has users')
  const columns = users.columns.map((each) =>
    each.name === 'password' ? { ...each, nullable: true } : each,
  )
  const seed = seedOf({ ...blog, entities: [{ ...users, columns }, ...blog.entities.slice(1)] })
  expect(seed).toContain('    password: await hashPassword(password),')
})

test('the first seed makes no user where only the developer knows what one needs', () => {
  const [users] = blog.entities
  if (users === undefined) throw new Error('the blog has users')
  const columns = [...users.columns, foreign('company_id', 'companies')]
  const seed = seedOf({ ...blog, entities: [{ ...users, columns }, ...blog.entities.slice(1)] })
  expect(seed).not.toContain('issueToken')
  expect(seedOf(blueprint([entity({ key: 'posts', name: 'Post' })]))).toContain(
    'prisma.post.upsert',
  )
})

const seedOf = (of: Blueprint) =>
  prismaFiles(of).find(({ path }) => path === 'prisma/seed.ts')?.content ?? ''
