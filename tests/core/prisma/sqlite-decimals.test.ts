import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Column } from '../../../generator/blueprint/types.js'
import { diffSql } from '../../../generator/migrations/diff/engine.js'
import { diffRenamed } from '../../../generator/migrations/diff/renaming-diff.js'
import { prismaSchema } from '../../../generator/migrations/schema/schema.js'
import { SqliteDriver as Sqlite } from '../../../runtime/database/sqlite/driver.js'
import { migrating } from '../../support/with-features.js'
import { blueprint, column, entity, on } from './blueprints.js'

/** Prisma's schema has no digits on SQLite, and its engine no CHECK: migrations have both, whatever changes. */
describe('the digits of a decimal on SQLite', () => {
  let database: InstanceType<typeof Sqlite>
  beforeEach(() => void (database = new Sqlite(':memory:')))
  afterEach(() => database.close())

  type Options = Partial<Column>
  const products = (price: Options, table = 'products', name = 'price') => {
    const columns = [
      column('name', 'text', { description: 'What it is.' }),
      column(name, 'decimal', {
        description: 'In euros,\nnet.',
        precision: 10,
        scale: 2,
        ...price,
      }),
      column('is_new', 'boolean', { nullable: true }),
    ]
    const product = entity({ key: 'products', name: 'Product', table, columns })
    return { path: 'svc.prisma', content: prismaSchema(on('sqlite', blueprint([product]))) }
  }
  type Schema = ReturnType<typeof products>

  const build = async (schema: Schema) =>
    database.exec((await diffSql(migrating('sqlite'), 'empty', [schema])).sql)
  const add = (price: string) =>
    database.exec(
      `insert into products (name, price, updated_at) values ('a', ${price}, '2026-01-01T00:00:00.000+00:00')`,
    )
  const tables = (of: InstanceType<typeof Sqlite>) =>
    of
      .prepare(
        "select name, replace(sql, '\"', '') from sqlite_master where sql is not null order by name",
      )
      .raw()
      .all()

  async function expectAsNew(schema: Schema): Promise<void> {
    const fresh = new Sqlite(':memory:')
    fresh.exec((await diffSql(migrating('sqlite'), 'empty', [schema])).sql)
    expect(tables(database)).toEqual(tables(fresh))
    fresh.close()
  }

  test('are in the type of the column, and its CHECK keeps them', async () => {
    await build(products({}))
    const [[sql] = []] = database
      .prepare("select sql from sqlite_master where name = 'products'")
      .raw()
      .all() as string[][]
    expect(sql).toContain(
      '"price" DECIMAL(10,2) NOT NULL CHECK ("price" = round("price" * 100) / 100 AND "price" BETWEEN -99999999.99 AND 99999999.99)',
    )
    for (const price of ['0', '-99999999.99', `'1e1'`]) add(price)
    for (const price of ['0.001', '1e8', `'ten'`, `x'31'`])
      expect(() => add(price)).toThrow(/CHECK/)
    expect(() => add('null')).toThrow(/NOT NULL/)
  })

  test.each<[from: Options, to: Options]>([
    [{}, { precision: 12, scale: 3 }],
    [{}, { precision: 12 }],
    [{}, { precision: 4, scale: 2 }],
    [{}, { precision: 15, scale: 15 }],
    [{}, { precision: 5, scale: 0, nullable: true }],
    [{ nullable: true }, { precision: 8, scale: 4, nullable: true }],
    [{ default: '1.5' }, { precision: 8, scale: 4, default: '1.5' }],
    [{ unique: true }, { precision: 8, scale: 3, unique: true }],
    [{}, { nullable: true }],
  ])('change from %j to %j, and the table is as a new one', async (from, to) => {
    await build(products(from))
    for (const price of ['0', '0']) if (from.unique !== true) add(price)
    const { sql, changed } = await diffSql(migrating('sqlite'), [products(from)], [products(to)])
    expect(changed).toBe(true)
    database.exec(sql)
    await expectAsNew(products(to))
    const values = database.prepare('select price from products').pluck().all()
    expect(values).toEqual(from.unique === true ? [] : [0, 0])
    expect((await diffSql(migrating('sqlite'), [products(to)], [products(to)])).changed).toBe(false)
  })

  test('a row that has more of them than are left stops the change', async () => {
    await build(products({}))
    add('12.25')
    const { sql } = await diffSql(
      migrating('sqlite'),
      [products({})],
      [products({ precision: 10, scale: 1 })],
    )
    expect(() => database.exec(sql)).toThrow(/CHECK/)
  })

  test('stay when the table is renamed, when the column is, and when another column is added', async () => {
    const [old, now] = [products({}), products({}, 'goods', 'cost')]
    await build(old)
    add('12.25')
    const wishes = [
      { table: 'goods', column: null, from: 'products' },
      { table: 'goods', column: { from: 'price', to: 'cost' }, from: 'goods' },
    ]
    const { sql } = await diffRenamed(migrating('sqlite'), old, [now], {
      wishes,
      morphs: [],
      fills: [],
    })
    database.exec(sql)
    await expectAsNew(now)
    const wider = products({ precision: 12, scale: 3 }, 'goods', 'cost')
    database.exec((await diffSql(migrating('sqlite'), [now], [wider])).sql)
    await expectAsNew(wider)
    const required = {
      ...wider,
      content: wider.content.replace(/is_new( +)Boolean\?/, 'is_new$1Boolean @default(true)'),
    }
    database.exec((await diffSql(migrating('sqlite'), [wider], [required])).sql)
    await expectAsNew(required)
    expect(database.prepare('select cost, is_new from goods').raw().all()).toEqual([[12.25, 1]])
  })

  test('a decimal that is added to a table with rows has them too', async () => {
    const without = (text: string) => text.replace(/( +\/\/\/ .*\n)*  price .*\n/, '')
    for (const options of [{ nullable: true }, { default: '1.5' }]) {
      database.close()
      database = new Sqlite(':memory:')
      const to = products(options)
      const from = { ...to, content: without(to.content) }
      expect(from.content).not.toContain('price')
      await build(from)
      database.exec(`insert into products (name, updated_at) values ('a', '')`)
      database.exec((await diffSql(migrating('sqlite'), [from], [to])).sql)
      expect(database.prepare('select price from products').pluck().all()).toEqual([
        options.default === undefined ? null : 1.5,
      ])
      expect(() => add('0.001')).toThrow(/CHECK/)
      expect(() => database.exec('update products set price = 1e8')).toThrow(/CHECK/)
    }
  })
})
