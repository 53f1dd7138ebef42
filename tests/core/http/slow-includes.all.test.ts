/** A statement for what is included, or grouped by, that takes longer than it may: 503, whatever was asked of the list. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  databases,
  emitFixture,
  openFolder,
  openProject,
  type Project,
} from '../../support/project.js'

const config = {
  'config/svc.ts': (text: string) => text.replace('statement_ms: 10_000', 'statement_ms: 300'),
}

const unavailable = { message: 'The service is not available now.' }
const api = '/api/svc/products'

/** Status, `Retry-After` and body. */
async function sent(project: Project, as: number, body: object | null, path: string, accept = '') {
  const response = await project.fetch(
    new Request(`http://x${path}`, {
      headers: {
        authorization: `Bearer ${project.token(as)}`,
        'content-type': 'application/json',
        ...(accept === '' ? {} : { accept }),
      },
      ...(body === null ? {} : { method: 'POST', body: JSON.stringify(body) }),
    }),
  )
  return [response.status, response.headers.get('retry-after'), await response.json()]
}

const refused = [503, '1', unavailable]
const where = { any: [{ name: { startsWith: 'L' } }] }

describe.runIf(databases.includes('postgresql'))('a table that somebody holds', () => {
  let project: Project
  let ann: number
  let holder: pg.Client
  beforeAll(async () => {
    project = await openProject('features/csv-export', 'postgresql', config)
    ann = await project.user('Ann')
    const category_id = await project.insert('categories', { name: 'Lights', shelf: 'a' })
    await project.insert('products', {
      ...{ name: 'Lamp', price: '1.00', stock: 0, is_listed: true, seller_id: ann, category_id },
    })
    holder = new pg.Client({ connectionString: process.env['DATABASE_URL'] })
    await holder.connect()
  })
  afterAll(async () => {
    await holder.end()
    await project.close()
  })

  it('keeps what is included from lists, records, trees and exports: 503', async () => {
    const ask = (path: string, body: object | null = null, accept = '') =>
      sent(project, ann, body, `${api}${path}`, accept)
    const include = ['category']
    const asked = () =>
      Promise.all([
        ask('?include=category'),
        ask('?include=category&name=L&search=Lamp'),
        ask('?include=category&cursor=&perPage=1'),
        ask('/1?include=category'),
        ask('/search', { include, where }),
        ask('/search', { include, where, cursor: '' }),
        ask('?include=category&name=L', null, 'text/csv'),
        ask('/search', { include, where }, 'text/csv'),
      ])
    await holder.query('BEGIN; LOCK TABLE categories IN ACCESS EXCLUSIVE MODE')
    const held = await asked().finally(() => holder.query('ROLLBACK'))
    expect(held).toEqual(held.map(() => refused))
    const { body } = await project.get(`${api}?include=category`, ann)
    expect(body.data[0].relationships.category.attributes.name).toBe('Lights')
  })

  it('is to blame on what is asked of the list where it is the list’s own', async () => {
    await holder.query('BEGIN; LOCK TABLE products IN ACCESS EXCLUSIVE MODE')
    const held = await Promise.all([
      sent(project, ann, { where, include: ['category'] }, `${api}/search`),
      sent(project, ann, { where }, `${api}/search`, 'text/csv'),
      sent(project, ann, null, `${api}?include=category`),
    ]).finally(() => holder.query('ROLLBACK'))
    const text = 'The where parameter takes too long to answer (limits.statement_ms): ask for less.'
    const blamed = [400, null, { message: text, errors: { where: [text] } }]
    expect(held).toEqual([blamed, blamed, refused])
  })
})

describe.runIf(databases.includes('postgresql'))('groups by a table that somebody holds', () => {
  it('are 503, and 400 where a filter may be to blame', async () => {
    const folder = await emitFixture('features/aggregates', 'postgresql', config)
    for (const name of ['Order', 'Category']) {
      const file = join(folder, `app/Policies/${name}Policy.ts`)
      writeFileSync(file, readFileSync(file, 'utf8').replace(/show: .*/, 'show: () => true,'))
    }
    const project = await openFolder(folder, 'postgresql')
    const ann = await project.user('Ann')
    const holder = new pg.Client({ connectionString: process.env['DATABASE_URL'] })
    await holder.connect()
    await holder.query('BEGIN; LOCK TABLE categories IN ACCESS EXCLUSIVE MODE')
    const path = '/api/svc/orders/aggregate?groupBy=category.name'
    const held = await Promise.all([
      sent(project, ann, null, path),
      sent(project, ann, null, `${path}&status=open`),
    ]).finally(() => holder.query('ROLLBACK'))
    const [, filtered] = held
    expect(held).toEqual([refused, [400, null, expect.anything()]])
    expect(JSON.stringify(filtered)).toContain('status parameter takes too long')
    expect((await project.get(path, ann)).status).toBe(200)
    await holder.end()
    await project.close()
  })
})

/** It counts to 20,000 for each row: many times what a statement may take, of the rows below. */
const slowly = `show: () => sql\`(with recursive c(n) as (select \${self('id')} union all
    select n + 1 from c where n < \${self('id')} + 20000) select count(*) from c) > 0\`,`

it.runIf(databases.includes('sqlite'))(
  'related records that are read too slowly on SQLite are 503, too',
  async () => {
    const folder = await emitFixture('features/csv-export', 'sqlite', {
      'config/svc.ts': (text) => text.replace('statement_ms: 10_000', 'statement_ms: 50'),
    })
    const file = join(folder, 'app/Policies/CategoryPolicy.ts')
    const imported = "import { self, sql } from '#runtime/policy/condition.js'\n"
    writeFileSync(file, imported + readFileSync(file, 'utf8').replace(/show: .*/, slowly))
    const project = await openFolder(folder, 'sqlite')
    const ann = await project.user('Ann')
    for (let at = 0; at < 200; at += 1) {
      const category_id = await project.insert('categories', { name: `c${at}`, shelf: 'a' })
      const rest = { price: '1.00', stock: 0, is_listed: true, seller_id: ann }
      await project.insert('products', { name: `Lamp ${at}`, ...rest, category_id })
    }
    const include = ['category']
    const ask = (body: object | null, path: string, accept = '') =>
      sent(project, ann, body, `${api}${path}`, accept)
    const list = () => ask(null, '?include=category&name=Lamp&perPage=100')
    // A list that has not been slow before is read at once.
    await list()
    expect(await list()).toEqual(refused)
    expect(await ask({ include, where, perPage: 100 }, '/search')).toEqual(refused)
    await ask({ include, where }, '/search', 'text/csv').catch(() => null)
    expect(await ask({ include, where }, '/search', 'text/csv')).toEqual(refused)
    await project.close()
  },
)
