/** `unique` and `indexes` of a repository, from the manifest into a database that has rows. */
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { databases, isTold } from '../../support/databases.js'
import { users } from '../../support/own-manifest.js'
import { liveProject } from './live-project.js'

describe.each(databases)('columns that become unique together on %s', (name) => {
  const project = liveProject(name)
  const { ok, asked } = project
  const manifest = (products: string) =>
    project.manifest(
      `${users} companies: repository({ fields: { name: text() } }),
         products: repository({ ${products}, related: { company: belongsTo() } }),`,
    )
  const generate = () => ok('generate', '--no-compile')
  const product = (id: number, company: number, sku: string, column = 'sku') =>
    `insert into products (id, company_id, ${column}, updated_at) values (${id}, ${company}, ${sku}, '2026-01-01T00:00:00.000+00:00') returning id`

  if (isTold(name, 'sqlite'))
    test('are refused while rows are equal, with how many, and saved when none is', async () => {
      const fields = 'fields: { sku: text().max(40).nullable() }'
      manifest(fields)
      await generate()
      await ok('migrate', 'save', 'products', '--accept-data-loss')
      await ok('migrate', 'deploy')
      await asked(
        `insert into companies (id, name, updated_at) values (1, 'A', '2026-01-01T00:00:00.000+00:00'), (2, 'B', '2026-01-01T00:00:00.000+00:00') returning id`,
      )
      await asked(product(1, 1, `'a'`))
      await asked(product(2, 1, `'a'`))
      await asked(product(3, 2, `'a'`))
      await asked(product(4, 2, 'null'))
      await asked(product(5, 2, 'null'))
      await asked(product(6, 1, `'b'`))
      await asked(product(7, 1, `'b'`))
      // The column is renamed in the same migration.
      manifest(
        `unique: [['company_id', 'code']], indexes: [['code', 'created_at']],
       fields: { code: text().max(40).nullable().renamedFrom('sku') }`,
      )
      await generate()
      const reason = `products.company_id is not unique with 'code': 4 rows`
      const migrated = await project.run('migrate')
      expect([migrated.code, migrated.errors]).toEqual([1, expect.stringContaining(reason)])
      const saved = await project.run('migrate', 'save', 'codes')
      expect(saved.code).toBe(1)
      expect(saved.out + saved.errors).toContain(reason)
      expect(saved.out).toContain(
        `makes 'company_id, code' of 'products' unique: equal rows stop it`,
      )
      expect(await asked('select sku from products where id = 2')).toEqual([['a']])

      await asked(`update products set sku = 'c' where id in (2, 7) returning id`)
      await asked(`update products set company_id = 2 where id = 7 returning id`)
      await ok('migrate', 'save', 'codes')
      await ok('migrate', 'deploy')
      await expect(asked(product(8, 1, `'c'`, 'code'))).rejects.toMatchObject({
        kind: 'unique',
        columns: ['company_id', 'code'],
      })
      expect(await generate()).toContain('unchanged')

      manifest(`fields: { code: text().max(40).nullable() }`)
      await generate()
      await ok('migrate', 'save', 'as_before')
      await ok('migrate', 'deploy')
      expect(await asked(product(8, 1, `'c'`, 'code'))).toEqual([[8]])
    })

  test('have names that both databases hold, whatever they are called', async () => {
    const long = (letter: string) => letter.repeat(60)
    const columns = [`${long('a')}x`, `${long('a')}y`, `${long('b')}x`, 'AND']
    const fields = columns.map((each) => `${each}: text().max(40).nullable(),`)
    manifest(
      `unique: [['${columns[0]}', '${columns[2]}'], ['${columns[1]}', '${columns[2]}'], ['x', 'y_z'], ['x_y', 'z'],
         ['b', 'a'], ['p', 'q_r_s'], ['p_q', 'r_s'], ['AND', 'a']],
       indexes: [['${columns[0]}', '${columns[2]}', 'a'], ['${columns[1]}', '${columns[2]}', 'a'], ['x', 'y_z'], ['x_y', 'z'],
         ['company_id', 'id'], ['a', 'a_b'], ['company_id']],
       sort: ['a'],
       fields: { ${fields.join(' ')} a: integer().nullable(), b: integer().nullable(), a_b: integer().nullable().unique(),
         x: integer().nullable(), y_z: integer().nullable(), x_y: integer().nullable(), z: integer().nullable(), p: integer().nullable(),
         q_r_s: integer().nullable(), p_q: integer().nullable(), r_s: integer().nullable() }`,
    )
    delete process.env['SVC_SKIP_PRISMA_CLIENT']
    await ok('generate', '--no-compile', '--client')
    await ok('migrate', '--accept-data-loss')
    expect(await generate()).toContain('unchanged')
    const schema = readFileSync(project.path('prisma/schema/svc.prisma'), 'utf8')
    const names = [...schema.matchAll(/map: "([^"]+)"/g)].map(([, each = '']) => each)
    expect(names.length).toBeGreaterThan(7)
    expect(new Set(names).size).toBe(names.length)
    expect(names.filter((each) => each.length > 63)).toEqual([])
    const { prisma } = await import(pathToFileURL(project.path('app/prisma.ts')).href)
    const client = prisma
    const company = await client.company.create({ data: { name: 'A' } })
    const data = { a: 1, b: 2, company_id: company.id }
    const { id } = await client.product.create({
      data: { ...data, a_b: 3, x: 4, y_z: 5, x_y: 6, z: 7 },
    })
    const found = [
      await client.product.findUnique({ where: { b_a: { a: 1, b: 2 } } }),
      await client.product.findUnique({ where: { a_b: 3 } }),
      await client.product.findUnique({ where: { x_y_z: { x: 4, y_z: 5 } } }),
      await client.product.findUnique({ where: { x_y_z_together: { x_y: 6, z: 7 } } }),
    ]
    expect(found.map((each) => each.id)).toEqual([id, id, id, id])
    await expect(client.product.create({ data })).rejects.toThrow('Unique constraint')
    await client.$disconnect()
    await asked('select id from products where id = 0')
  })
})
