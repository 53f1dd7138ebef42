/** Fields that became others, with rows: every door of the server reads, sorts and finds what they hold now. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'
import { generatePrismaClient } from '../../../generator/write/prisma-client.js'
import { toldOn } from '../../support/databases.js'
import { users } from '../../support/own-manifest.js'
import { fill } from '../write/folder.js'
import { at, changesOn } from './converted-fields.js'
import { liveProject } from './live-project.js'
import { query } from './query.js'

type Row = Readonly<Record<string, unknown>>

const mapped = (row: Row, change: (value: unknown, field: string) => unknown): Row =>
  Object.fromEntries(Object.entries(row).map(([field, value]) => [field, change(value, field)]))

/** A decimal is a number there. */
const inGraphql = (row: Row): Row =>
  mapped(row, (value) => (/^-?\d+\.\d+$/.test(String(value)) ? Number(value) : value))

/** Prisma has classes for days, instants and decimals. */
const ofPrisma = (row: Row, like: Row): Row =>
  mapped(row, (value, field) => {
    const text = String(like[field])
    if (value instanceof Date) return value.toISOString().slice(0, text.length)
    const isDecimal = typeof value === 'object' && value !== null && 'toFixed' in value
    return isDecimal ? (value as Decimal).toFixed(text.split('.')[1]?.length) : value
  })

interface Decimal {
  toFixed(digits?: number): string
}

const isDay = (value: unknown) => /^\d{4}-\d\d-\d\d$/.test(String(value))
const isTime = (value: unknown) => /^\d{4}-\d\d-\d\d(T|$)/.test(String(value))

describe.each(toldOn('sqlite'))('on %s', (name) => {
  const { path, ok, manifest } = liveProject(name)
  const changes = Object.entries(changesOn(name))
  const names = changes.map(([field]) => field)
  const sorted = changes.filter(([, { match }]) => match !== undefined)
  let close = async () => {}
  afterEach(() => close())

  const things = (side: 'from' | 'to') => {
    const fields = changes.map(([field, change]) => `${field}: ${change[side]}.nullable()`)
    const match = sorted.map(([field, change]) => `${field}: '${change.match}'`)
    const lists = `match: { ${match.join(', ')} }, sort: ${JSON.stringify(['id', ...sorted.map(([field]) => field)])}`
    const more = side === 'from' ? '' : `${lists},`
    manifest(
      `${users} things: repository({ public: true, ${more} fields: { ${fields.join(', ')} } }),`,
    )
  }
  const isEnum = (field: string) =>
    changes.some(([key, { to }]) => key === field && to.startsWith('select('))
  /** A day of SQLite is compared as the instant that it is there. */
  const compared = (value: unknown) =>
    name === 'sqlite' && isDay(value) ? `${String(value)}T00:00:00.000Z` : value
  const load = (file: string) => import(pathToFileURL(path(file)).href)

  const pick = (row: Row): Row => Object.fromEntries(names.map((field) => [field, row[field]]))

  const expected = [0, 1, 2].map((row) =>
    Object.fromEntries(changes.map(([field, { now: values }]) => [field, values[row] ?? null])),
  )

  /** Rows from before, and what the fields have become since. */
  async function convert(): Promise<void> {
    things('from')
    await ok('generate', '--no-compile')
    await ok('migrate', 'save', 'start')
    await ok('migrate')
    const rows = [0, 1].map((row) => changes.map(([, { old }]) => old[row]))
    const now = name === 'sqlite' ? at(name, '2026-01-01T00:00:00.000') : 'now()'
    const columns = names.map((field) => `"${field}"`).join(', ')
    const insert = [...rows, names.map(() => 'NULL')]
      .map((values, row) => `(${row + 1}, ${now}, ${values.join(', ')})`)
      .join(', ')
    const url = process.env['DATABASE_URL'] ?? ''
    await query(name, url, `insert into things (id, updated_at, ${columns}) values ${insert}`)

    things('to')
    await ok('generate', '--no-compile')
    await ok('migrate', 'save', 'converted')
    await ok('migrate', 'deploy')
  }

  /** What asks them: REST, GraphQL, Kysely and Prisma. */
  async function openDoors() {
    for (const file of readdirSync(path('app/Policies'))) {
      const policy = join('app/Policies', file)
      fill(path(''), {
        [policy]: readFileSync(path(policy), 'utf8').replaceAll('() => false', '() => true'),
      })
    }
    await generatePrismaClient(path(''))
    process.env['LOG_LEVEL'] = 'silent'
    const app = (await load('app/app.ts')).createApp()
    const { database, db } = await load('app/database.ts')
    const { prisma } = await load('app/prisma.ts')
    close = () => database.close()
    const get = async (text: string) => {
      const response = await app.request(`/api/svc/things${text}`)
      const body = await response.json()
      expect(response.status, JSON.stringify(body)).toBe(200)
      return body.data
    }
    const graphql = async (text: string) => {
      const response = await app.request('/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query: `{ ${text} }` }),
      })
      const { data, errors } = await response.json()
      expect(errors).toBeUndefined()
      return data
    }
    return { get, graphql, db, prisma }
  }

  test('what converted fields hold is read, sorted and found through every door', async () => {
    await convert()
    const doors = await openDoors()
    await areRead(doors)
    for (const [field, change] of sorted) await isSortedAndFound(doors, field, change)
  })

  type Doors = Awaited<ReturnType<typeof openDoors>>

  async function areRead({ get, graphql, db, prisma }: Doors): Promise<void> {
    expect(
      (await get('?sort=id')).map(({ attributes }: { attributes: Row }) => pick(attributes)),
    ).toEqual(expected)
    for (const [row, values] of expected.entries()) {
      expect(pick((await get(`/${row + 1}`)).attributes)).toEqual(values)
    }
    const shown = await graphql(`thingList(sort: ["id"]) { ${names.join(' ')} }`)
    expect(shown.thingList.map(pick)).toEqual(expected.map(inGraphql))
    const byDb: Row[] = await db.selectFrom('things').selectAll().orderBy('id').execute()
    expect(byDb.map(pick)).toEqual(expected)
    const byPrisma: Row[] = await prisma.thing.findMany({ orderBy: { id: 'asc' } })
    expect(byPrisma.map((each, row) => ofPrisma(pick(each), expected[row] ?? {}))).toEqual(expected)
  }

  async function isSortedAndFound(
    { get, graphql, db, prisma }: Doors,
    field: string,
    { match, now: values }: (typeof changes)[number][1],
  ): Promise<void> {
    const ids = async (search: string, within: string) => {
      const found = (await get(`?${search}`)).map(({ id }: { id: string }) => id)
      const { thingList } = await graphql(`thingList(${within}) { id }`)
      expect(
        thingList.map(({ id }: { id: string }) => id),
        field,
      ).toEqual(found)
      return found.join()
    }
    expect(await ids(`sort=${field}`, `sort: ["${field}"]`), field).toBe('1,2,3')
    expect(await ids(`sort=-${field}`, `sort: ["-${field}"]`), field).toBe('2,1,3')
    const order = { [field]: { sort: 'asc', nulls: 'last' } }
    const inOrder = await prisma.thing.findMany({ orderBy: order, select: { id: true } })
    expect(inOrder, field).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }])
    const held = db.selectFrom('things').select('id').where(field, 'is not', null)
    expect(await held.orderBy(field).execute(), field).toEqual([{ id: 1 }, { id: 2 }])
    for (const [row, value] of values.entries()) {
      const only = [{ id: row + 1 }]
      const asked = match === 'between' ? [value, value].join() : String(value)
      const given = isEnum(field) ? asked : `"${asked}"`
      const found = await ids(
        `${field}=${encodeURIComponent(asked)}`,
        `match: { ${field}: ${given} }`,
      )
      // A filter finds NULL as false, like everything that is not true.
      expect(found, `${field}=${asked}`).toBe(value === false ? '3,1' : String(row + 1))
      const where = { [field]: isTime(value) ? new Date(String(value)) : value }
      expect(await prisma.thing.findMany({ where, select: { id: true } }), field).toEqual(only)
      const byDb = db.selectFrom('things').select('id').where(field, '=', compared(value))
      expect(await byDb.execute(), field).toEqual(only)
    }
    const nothing = isEnum(field) ? 'null' : '"null"'
    expect(await ids(`${field}=null`, `match: { ${field}: ${nothing} }`), field).toBe('3')
  }
})
