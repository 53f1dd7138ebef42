import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Blueprint } from '../../../generator/blueprint/types.js'
import { diffSql } from '../../../generator/migrations/diff/engine.js'
import { diffRenamed } from '../../../generator/migrations/diff/renaming-diff.js'
import { describeLosses } from '../../../generator/migrations/rows/losses.js'
import { prismaSchema } from '../../../generator/migrations/schema/schema.js'
import { migrating } from '../../support/with-features.js'
import { blog, blueprint, column, entity, on } from './blueprints.js'
import { databases, openLive, type Live } from './live.js'

describe.each(databases)('e-mails that differ only in case, on %s', (database) => {
  let live: Live
  beforeEach(async () => void (live = await openLive(database)))
  afterEach(() => live.close())

  const schema = (blueprint: Blueprint, edit: (text: string) => string = String) => {
    return [{ path: 'svc.prisma', content: edit(prismaSchema(on(database, blueprint))) }]
  }
  /** As svc wrote it before it knew of the index. */
  const older = (text: string) => text.replace(/\n *\/\/\/ Unique in any case.*/, '')

  const insert = (email: string, table = 'users') =>
    live.run(
      `insert into "${table}" (name, email, password, updated_at) values ('A', '${email}', '-', '2026-02-03T04:05:06+00:00')`,
    )
  const refuseTwins = async (table = 'users') => {
    await insert('Ada@Example.test', table)
    await expect(insert('ada@example.TEST', table)).rejects.toThrow(/unique/i)
  }

  test('never both are rows', async () => {
    await live.run((await diffSql(migrating(database), 'empty', schema(blog))).sql)
    await refuseTwins()
    expect(await live.lacks(schema(blog))).toBeNull()
  })

  test('a project that was made before gets the index, and a warning', async () => {
    await live.run((await diffSql(migrating(database), 'empty', schema(blog, older))).sql)
    const { sql, changed, losses } = await diffSql(
      migrating(database),
      schema(blog, older),
      schema(blog),
    )
    expect(changed).toBe(true)
    expect(describeLosses(losses)).toEqual([
      "makes 'email' of 'users' unique in any case: rows that differ only in case stop it",
    ])
    await live.run(sql)
    await refuseTwins()
    expect((await diffSql(migrating(database), schema(blog), schema(blog))).changed).toBe(false)
  })

  test('the index survives a change that builds the table anew', async () => {
    await live.run((await diffSql(migrating(database), 'empty', schema(blog))).sql)
    const changed = (text: string) => text.replace('@default(false)', '@default(true)')
    const { sql } = await diffSql(migrating(database), schema(blog), schema(blog, changed))
    if (database === 'sqlite') expect(sql).toContain('RENAME TO "users"')
    await live.run(sql)
    await refuseTwins()
  })

  test('and a rename of the table', async () => {
    await live.run((await diffSql(migrating(database), 'empty', schema(blog))).sql)
    const [from = { path: '', content: '' }] = schema(blog)
    const renamed = (text: string) => text.replace('@@map("users")', '@@map("people")')
    const wishes = [{ table: 'people', column: null, from: 'users' }]
    const to = schema(blog, renamed)
    const { sql } = await diffRenamed(migrating(database), from, to, {
      wishes,
      morphs: [],
      fills: [],
    })
    expect(sql).toContain('people_email_any_case')
    await live.run(sql)
    await refuseTwins('people')
  })

  test('it is dropped when the project has no auth repository any more', async () => {
    const { sql } = await diffSql(migrating(database), schema(blog), schema(blog, older))
    expect(sql).toContain('DROP INDEX IF EXISTS "users_email_any_case"')
  })
})

describe('indexes that lists are sorted by, on postgresql', () => {
  const database = 'postgresql'
  let live: Live
  beforeEach(async () => void (live = await openLive(database)))
  afterEach(() => live.close())

  const products = (price: string, table = 'products', sort = [price]) => {
    const columns = [
      column(price, 'decimal', { nullable: true, indexed: true, precision: 8, scale: 2 }),
      column('is_new', 'boolean', { nullable: true }),
    ]
    const product = { ...entity({ key: 'products', name: 'Product', table, columns }), sort }
    return { path: 'svc.prisma', content: prismaSchema(on(database, blueprint([product]))) }
  }
  const indexes = async () => {
    const rows = await live.run(
      `select indexname as name from pg_indexes where indexname like '%_id_idx'`,
    )
    return rows.map(({ name }) => name)
  }

  test('are there, survive other names and other tables, and go', async () => {
    const old = products('price')
    await live.run((await diffSql(migrating(database), 'empty', [old])).sql)
    expect(await indexes()).toEqual(['products_price_id_idx'])
    expect(await live.lacks([old])).toBeNull()

    const wishes = [
      { table: 'goods', column: null, from: 'products' },
      { table: 'goods', column: { from: 'price', to: 'cost' }, from: 'goods' },
    ]
    const now = products('cost', 'goods')
    await live.run(
      (await diffRenamed(migrating(database), old, [now], { wishes, morphs: [], fills: [] })).sql,
    )
    expect(await indexes()).toEqual(['goods_cost_id_idx'])
    expect(await live.lacks([now])).toBeNull()

    const rebuilt = {
      ...now,
      content: now.content.replace('is_new Boolean?', 'is_new Boolean @default(true)'),
    }
    await live.run((await diffSql(migrating(database), [now], [rebuilt])).sql)
    expect(await indexes()).toEqual(['goods_cost_id_idx'])

    const unsorted = products('cost', 'goods', [])
    await live.run((await diffSql(migrating(database), [now], [unsorted])).sql)
    expect(await indexes()).toEqual([])
  })
})
