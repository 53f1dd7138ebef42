/** `export: true`: an index answers `Accept: text/csv` with all that it finds, on however many pages. */
import { readFileSync, writeFileSync } from 'node:fs'
import { METHODS } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { memory } from '../../../runtime/database/memory.js'
import type { DatabaseName } from '../../support/databases.js'
import { databases, emitFixture, openFolder, type Project } from '../../support/project.js'
import { runsOn } from '../../support/runs.js'
import { served, type Served } from '../client/served.js'

const api = '/api/svc/products'

const policies = {
  Product: (text: string) =>
    text.replace(
      /show: .*/,
      "show: (user) => user !== null && { name: { not: 'hidden' } },\n  canSee: { weight: (user) => user?.name === 'Root' },",
    ),
  Category: (text: string) =>
    text.replace(/show: .*/, "show: () => ({ name: { not: 'secret' } }),"),
  User: (text: string) => text.replace(/show: .*/, 'show: () => true,'),
}

async function opened(name: DatabaseName): Promise<Project> {
  const folder = await emitFixture('features/csv-export', name, {
    'config/svc.ts': (text) => text.replace(/response_bytes: .*/, 'response_bytes: 60_000,'),
  })
  for (const [entity, edit] of Object.entries(policies)) {
    const file = join(folder, `app/Policies/${entity}Policy.ts`)
    writeFileSync(file, edit(readFileSync(file, 'utf8')))
  }
  return openFolder(folder, name)
}

/** The records of RFC 4180, read without looking at how they were written. */
function linesIn(text: string): string[][] {
  const lines: string[][] = [[]]
  const cells = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/y
  for (cells.lastIndex = 0; cells.lastIndex < text.length;) {
    const [, quoted, plain = '', end] = cells.exec(text) ?? expect.fail(`no CSV: ${text}`)
    lines.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain)
    if (end === '\r\n') lines.push([])
  }
  expect(lines.pop()).toEqual([])
  return lines
}

let project: Project
let server: Served
let ann: number
let root: number

const clear = () => project.database.query({ sql: 'delete from products', access: 'write' }, [])
const insert = (row: Record<string, unknown>) =>
  project.insert('products', { price: '1.00', stock: 0, is_listed: true, seller_id: ann, ...row })
const ask = (query = '', as: number | null = ann, headers: Record<string, string> = {}) =>
  project.fetch(
    new Request(`http://x${api}${query}`, {
      headers: {
        accept: 'text/csv',
        ...(as === null ? {} : { authorization: `Bearer ${project.token(as)}` }),
        ...headers,
      },
    }),
  )
const asked = async (query = '', as: number = ann) => {
  const response = await ask(query, as)
  const text = await response.text()
  expect(response.status, text).toBe(200)
  return linesIn(text)
}
const refused = async (query: string) => {
  const response = await ask(query)
  const { message } = (await response.json()) as { message: string }
  return [response.status, message]
}

describe.each(databases)('an export, on %s', (name) => {
  beforeAll(async () => {
    project = await opened(name)
    server = await served((request, bindings) => project.fetch(request, bindings))
    ann = await project.user('Ann')
    root = await project.user('Root')
  })
  afterAll(async () => {
    await server.close()
    await project.close()
  })
  writesLines()
  exportsASearch(name)
  readsInBatches(name)
})

function writesLines(): void {
  it('has a line for each record, in the order and under the filters of the list', async () => {
    await clear()
    const id = await insert({
      name: '=1+1',
      about: 'a "b", c\r\nd',
      price: '-12.50',
      weight: 1.5,
      made_on: '2026-02-03',
      options: '{"a":1}',
    })
    await insert({ name: '+491234', about: ' spaced', price: '3.00', is_listed: false })
    await insert({ name: '@x', about: '\ttab', price: '4.00' })
    await insert({ name: '\n =x', about: '＝1', price: '5.00' })
    await insert({ name: 'hidden', price: '5.00' })
    const response = await ask('?sort=price')
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': 'attachment; filename="products.csv"',
      vary: expect.stringContaining('Accept'),
    })
    const bytes = Buffer.from(await response.arrayBuffer())
    expect(bytes.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]))
    const lines = linesIn(bytes.subarray(3).toString())
    expect(lines[0]?.slice(0, 6)).toEqual(['id', 'name', 'about', 'price', 'stock', 'is_listed'])
    expect(lines.map((line) => line.slice(1, 4))).toEqual([
      ['name', 'about', 'price'],
      ["'=1+1", 'a "b", c\r\nd', '-12.50'],
      ["'+491234", ' spaced', '3.00'],
      ["'@x", "'\ttab", '4.00'],
      ["'\n =x", "'＝1", '5.00'],
    ])
    const [titles = [], first = []] = lines
    const shown = Object.fromEntries(titles.map((title, at) => [title, first[at]]))
    expect(shown).toMatchObject({
      ...{ id: String(id), is_listed: 'true', made_on: '2026-02-03', seen_at: '' },
      ...{ options: '{"a":1}', category_id: '' },
    })
    // A gate that hides it from Ann is none for Root.
    expect(titles).not.toContain('weight')
    expect((await asked('', root))[0]).toContain('weight')
    expect((await asked('?is_listed=false')).slice(1).map((line) => line[1])).toEqual(["'+491234"])
    expect(await asked('?search=nothing&fields=name')).toEqual([['id', 'name']])
  })

  it('has what is included of one record, and says what has no room', async () => {
    await clear()
    const [open, secret] = await Promise.all(
      ['open', 'secret'].map((each) =>
        project.insert('categories', { name: `${each}${Math.random()}`.slice(0, 30), shelf: each }),
      ),
    )
    await project.database.query(
      { sql: `update categories set name = 'secret' where id = ${secret}`, access: 'write' },
      [],
    )
    for (const category_id of [open, secret, null]) await insert({ name: 'a', category_id })
    const lines = await asked(
      '?fields=name&include=category,seller&fields[categories]=shelf&fields[users]=name&sort=id',
    )
    expect(lines.map((line) => line.slice(1))).toEqual([
      ['name', 'category.id', 'category.shelf', 'seller.id', 'seller.name'],
      ['a', String(open), 'open', String(ann), 'Ann'],
      ['a', '', '', String(ann), 'Ann'],
      ['a', '', '', String(ann), 'Ann'],
    ])
    expect(await refused('?include=reviews')).toEqual([
      400,
      "The include parameter names 'reviews', which has no room in a line: an export takes relations to one record.",
    ])
    for (const parameter of ['page=1', 'perPage=5', 'cursor=', 'withTotal=true']) {
      const [key = ''] = parameter.split('=')
      expect(await refused(`?${parameter}`)).toEqual([
        400,
        `The ${key} parameter is not taken by an export, which has no pages.`,
      ])
    }
    expect(await refused('?is_listed=x')).toEqual([400, expect.stringContaining('is_listed')])
    expect((await ask('', null)).status).toBe(401)
  })

  it('is JSON for whoever does not prefer CSV', async () => {
    const types = ['', '*/*', 'application/json, text/csv', 'text/csv;q=0', 'text/html,*/*;q=0.8']
    for (const accept of types) {
      const response = await ask('', ann, { accept })
      expect([accept, response.headers.get('content-type')]).toEqual([accept, 'application/json'])
    }
    const users = await project.get('/api/svc/users', ann)
    expect(users.status).toBe(200)
  })
}

function exportsASearch(name: DatabaseName): void {
  describe('of a tree', () => {
    const send = (body: object, headers: Record<string, string> = {}, path = '/search') =>
      project.fetch(
        new Request(`http://x${api}${path}`, {
          method: path === '' ? 'QUERY' : 'POST',
          body: JSON.stringify(body),
          headers: {
            ...{ accept: 'text/csv', 'content-type': 'application/json' },
            authorization: `Bearer ${project.token(ann)}`,
            ...headers,
          },
        }),
      )
    const sent = async (body: object, path?: string) => {
      const response = await send(body, {}, path)
      const text = await response.text()
      expect([response.status, response.headers.get('content-type')], text).toEqual([
        200,
        'text/csv; charset=utf-8; header=present',
      ])
      return linesIn(text.replace('\uFEFF', ''))
    }
    const where = { any: [{ name: { startsWith: 'La' } }, { not: { is_listed: true } }] }

    it('has all that the search finds, on however many pages', async () => {
      await clear()
      const category_id = await project.insert('categories', { name: `c${name}`, shelf: 'a' })
      await insert({ name: 'Lamp', price: '5.00', category_id })
      await insert({ name: 'Chair', price: '6.00' })
      await insert({ name: '=Sofa', price: '7.00', is_listed: false })
      await insert({ name: 'hidden', is_listed: false })
      const query = { where, sort: ['-price'], fields: ['name', 'price'] }
      const expected = [
        ['name', 'price'],
        ["'=Sofa", '7.00'],
        ['Lamp', '5.00'],
      ]
      expect((await sent(query)).map((line) => line.slice(1))).toEqual(expected)
      if (METHODS.includes('QUERY')) {
        expect((await sent(query, '')).map((line) => line.slice(1))).toEqual(expected)
      }
      const below = {
        ...query,
        is_listed: true,
        include: ['category'],
        'fields[categories]': 'shelf',
      }
      expect((await sent(below)).map((line) => line.slice(1))).toEqual([
        ['name', 'price', 'category.id', 'category.shelf'],
        ['Lamp', '5.00', String(category_id), 'a'],
      ])
      expect(await sent({ where: { name: 'none' }, fields: 'name' })).toEqual([['id', 'name']])
    })

    it('has no pages, and says what is wrong as JSON', async () => {
      const refusal = async (body: object, headers: Record<string, string> = {}) => {
        const response = await send(body, headers)
        return [response.status, ((await response.json()) as { message: string }).message]
      }
      for (const key of ['page', 'perPage', 'cursor', 'withTotal']) {
        const value = key === 'cursor' ? '' : key === 'withTotal' ? true : 1
        expect(await refusal({ where, [key]: value })).toEqual([
          400,
          `The ${key} parameter is not taken by an export, which has no pages.`,
        ])
      }
      expect(await refusal({ where: { any: [{ nmae: 'x' }] } })).toEqual([
        400,
        expect.stringContaining('where.any.0.nmae'),
      ])
      expect(await refusal({ include: ['reviews'] })).toEqual([
        400,
        expect.stringContaining('has no room in a line'),
      ])
      expect((await refusal({}, { authorization: '' }))[0]).toBe(401)
      expect((await refusal({}, { 'content-type': 'text/csv' }))[0]).toBe(415)
    })

    it('is JSON for whoever does not prefer CSV, and reads nothing that a list does not', async () => {
      for (const accept of ['', '*/*', 'application/json, text/csv', 'text/csv;q=0']) {
        const response = await send({ where }, { accept })
        expect([accept, response.headers.get('content-type')]).toEqual([accept, 'application/json'])
        expect(response.headers.get('vary')).toContain('Accept')
      }
      const { statements } = await project.request('POST', `${api}/search`, {
        as: ann,
        body: JSON.stringify({ where }),
        headers: { accept: 'text/csv', 'content-type': 'application/json' },
      })
      expect(statements.every(({ access }) => access === 'read')).toBe(true)
    })

    it('is read in batches, as large as `max` and no larger', async () => {
      await clear()
      const now = "'2026-01-01T00:00:00.000Z'"
      const rows = Array.from(
        { length: 1_001 },
        (_, at) => `('La${at % 7}', 1, ${at}, true, ${ann}, ${now}, ${now})`,
      )
      const columns = 'name, price, stock, is_listed, seller_id, created_at, updated_at'
      const sql = `insert into products (${columns}) values ${rows.join(', ')}`
      await project.database.query({ sql, access: 'write' }, [])
      const response = await send({ where })
      expect([response.status, await response.json()]).toEqual([
        400,
        { message: 'There are more than 1000 records, which one export holds: ask for fewer.' },
      ])
      const lines = await sent({ where: { all: [where, { not: { name: 'La6' } }] }, sort: '-name' })
      expect(lines).toHaveLength(1 + 1_001 - 143)
      expect(new Set(lines.map(([id]) => id)).size).toBe(lines.length)
    })
  })
}

function readsInBatches(name: DatabaseName): void {
  it('is as large as `max`, and no larger', async () => {
    await clear()
    const now = "'2026-01-01T00:00:00.000Z'"
    const rows = Array.from(
      { length: 1_000 },
      (_, at) => `('n${at % 7}', 1, 0, true, ${ann}, ${now}, ${now})`,
    )
    const columns = 'name, price, stock, is_listed, seller_id, created_at, updated_at'
    const sql = `insert into products (${columns}) values ${rows.join(', ')}`
    const insertAll = () => project.database.query({ sql, access: 'write' }, [])
    await insertAll()
    const lines = await asked('?sort=-name')
    expect(lines).toHaveLength(1_001)
    expect(new Set(lines.map(([id]) => id)).size).toBe(1_001)
    const names = lines.slice(1).map((line) => line[1] ?? '')
    expect(names).toEqual(names.toSorted().toReversed())
    await insert({ name: 'last' })
    expect(await refused('')).toEqual([
      400,
      'There are more than 1000 records, which one export holds: ask for fewer.',
    ])
    expect(await asked('?name=last')).toHaveLength(2)
    await clear()
    await insertAll()
    const begun = await ask('?sort=id')
    await insertAll()
    expect(begun.status).toBe(200)
    await expect(begun.text()).rejects.toThrow('more than 1000 records')
    await clear()
    await insertAll()
  })

  it('holds nothing between two batches, whoever reads slowly', async () => {
    const waiting = await Promise.all(Array.from({ length: 25 }, () => ask('?name=n')))
    expect(waiting.map(({ status }) => status)).toEqual(Array.from({ length: 25 }, () => 200))
    expect((await project.get(`${api}?perPage=1`, ann)).status).toBe(200)
    expect(linesIn((await waiting[7]?.text()) ?? '')).toHaveLength(1_001)
    for (const { body, bodyUsed } of waiting) if (!bodyUsed) await body?.cancel()
  })

  it('holds memory for what a client did not take, until it left', async () => {
    await clear()
    const rows = Array.from({ length: 1_000 }, () => ({ name: 'a', about: 'x'.repeat(9_000) }))
    for (const row of rows) await insert(row)
    await expect.poll(() => memory.used).toBe(0)
    const { port, hostname } = new URL(server.baseUrl)
    const client = connect(Number(port), hostname)
    client.write(
      `GET ${api} HTTP/1.1\r\nHost: x\r\nAccept: text/csv\r\nAuthorization: Bearer ${project.token(ann)}\r\n\r\n`,
    )
    await new Promise((resolve) => client.once('readable', resolve))
    // What the system takes for it is full, and nothing more is read.
    let last = 0
    const isAtRest = () => {
      const before = last
      last = memory.used
      return last > 50_000 && last === before
    }
    await expect.poll(isAtRest, { interval: 200 }).toBe(true)
    client.destroy()
    await expect.poll(() => memory.used).toBe(0)
    const headers = { accept: 'text/csv', authorization: `Bearer ${project.token(ann)}` }
    for (const method of ['HEAD', 'GET']) {
      await (await fetch(`${server.baseUrl}${api}`, { method, headers })).text()
      await expect.poll(() => memory.used).toBe(0)
    }
  })

  it('reads fewer at once where they are large, and resets the connection where it fails', async () => {
    await clear()
    for (let at = 0; at < 30; at += 1) await insert({ name: `a${at}`, about: 'x'.repeat(9_000) })
    expect(await asked()).toHaveLength(31)
    const last = await insert({ name: 'b', about: 'y'.repeat(61_000) })
    const headers = { accept: 'text/csv', authorization: `Bearer ${project.token(ann)}` }
    const sent = await fetch(`${server.baseUrl}${api}?sort=id`, { headers })
    expect(sent.status).toBe(200)
    await expect(sent.text()).rejects.toThrow('terminated')
    // Of which nothing was sent, it is an answer.
    const only = await fetch(`${server.baseUrl}${api}?name=b`, { headers })
    expect([only.status, await only.json()]).toEqual([
      400,
      { message: expect.stringContaining('limits.response_bytes') },
    ])
    await project.database.query(
      { sql: `delete from products where id = ${last}`, access: 'write' },
      [],
    )
    const head = await fetch(`${server.baseUrl}${api}`, { method: 'HEAD', headers })
    expect([head.status, await head.text()]).toEqual([200, ''])
  })

  it('reads as many as before at once when those behind large ones are small', async () => {
    const fill = async (...parts: readonly (readonly [count: number, length: number])[]) => {
      await clear()
      const row = (length: number) =>
        `('n', '${'x'.repeat(length)}', 1, 0, true, ${ann}, ${now}, ${now})`
      const now = "'2026-01-01T00:00:00.000Z'"
      const columns = 'name, about, price, stock, is_listed, seller_id, created_at, updated_at'
      for (const [count, length] of parts) {
        const values = Array.from({ length: count }, () => row(length)).join(', ')
        const sql = `insert into products (${columns}) values ${values}`
        await project.database.query({ sql, access: 'write' }, [])
      }
    }
    const counted = async () => {
      const headers = { accept: 'text/csv' }
      const { body, statements } = await project.request('GET', `${api}?sort=id`, {
        as: ann,
        headers,
      })
      return [
        linesIn(String(body)).length - 1,
        statements.filter(({ sql }) => /about/.test(sql)).length,
      ]
    }
    await fill([1_000, 1])
    expect(await counted()).toEqual([1_000, 6])
    await fill([24, 9_000], [900, 1])
    const [mixed, few = 0] = await counted()
    expect(mixed).toBe(924)
    expect(few).toBeLessThan(40)
    // Where all are large, six at most are an answer: those that are read in vain are few.
    await fill([600, 9_000])
    const [large, many = 0] = await counted()
    expect(large).toBe(600)
    expect(many).toBeLessThan((600 / 4) * 1.1)
  })

  it('says what the pages of the list say, whatever is in it', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 12 }),
      fc.constantFrom('-1', '=x', '"', ',', 'a\r\nb', ' '),
    )
    const row = fc.record({
      name: text.map((each) => `n${each.replaceAll('\0', '')}`),
      about: fc.option(text.map((each) => each.replaceAll('\0', ''))),
      price: fc.integer({ min: -99_999, max: 99_999 }).map((cents) => (cents / 100).toFixed(2)),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { maxLength: 12 }),
        fc.constantFrom('id', '-name', 'price,-id', 'seen_at'),
        async (rows, sort) => {
          await clear()
          for (const each of rows) await insert(each)
          const { body } = await project.get(`${api}?sort=${sort}&perPage=100`, ann)
          const shown: { id: string; attributes: Record<string, unknown> }[] = body.data
          const lines = (await asked(`?sort=${sort}&fields=name,about,price`)).slice(1)
          const plain = (value: unknown) => String(value ?? '')
          expect(
            lines.map((line) =>
              line.map((cell) => cell.replace(/^'(?=\s*[=+\-@＝＋－＠]|[\t\r])/, '')),
            ),
          ).toEqual(
            shown.map(({ id, attributes: { name: title, about, price } }) =>
              [id, title, about, price].map(plain),
            ),
          )
        },
      ),
      { numRuns: runsOn(name, 15) },
    )
  })
}
