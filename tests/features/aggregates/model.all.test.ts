/** Random aggregates over random data, against a model in memory: both databases, REST and GraphQL. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { insertAll } from '../../support/insert-all.js'
import { openManifest } from '../../support/own-manifest.js'
import { databases, type Project } from '../../support/project.js'
import { runsOn } from '../../support/runs.js'

const manifest = {
  manifest: 'tests/features/aggregates/manifests/model.ts',
  policies: {
    Order: { show: '() => ({ seen: true })' },
    Category: { show: "() => ({ name: { not: 'hidden' } })" },
  },
}

const titles = ['a', 'A', 'é', 'e\u0301', 'ß', 'ss', '😀', '\uffee', '', ' ', "'", '%', 'null']
const amounts = [
  '0.0000',
  '0.0001',
  '-0.0001',
  '0.1000',
  '0.2000',
  '99999999999.9999',
  '-99999999999.9999',
  '1.0050',
]
const bytes = [
  '0',
  '-1',
  '9007199254740993',
  '9223372036854775807',
  '-9223372036854775808',
  '999999999',
  '1000000000',
]
/** Around changes of clocks in Rome, New York, on Lord Howe and in Recife, and where years and weeks begin. */
const instants = [
  ...['2026-03-29T00:59:59.999Z', '2026-03-29T01:00:00.000Z', '2026-03-28T23:00:00.000Z', '2026-10-25T00:30:00.000Z'],
  ...['2026-10-25T01:30:00.000Z', '2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z', '2026-03-08T06:59:59.999Z'],
  ...['2026-03-08T07:00:00.000Z', '2026-11-01T04:30:00.000Z', '2026-11-02T04:30:00.000Z', '2025-12-31T23:59:59.999Z'],
  ...['2026-01-01T00:00:00.000Z', '2024-12-30T00:00:00.000Z', '2000-10-08T02:59:59.999Z', '2000-10-15T02:00:00.000Z'],
  ...['1969-12-31T23:59:59.500Z', '1937-06-30T23:40:28.000Z', '2099-12-31T23:59:59.999Z', '2026-04-04T15:00:00.000Z'],
] // prettier-ignore
const days = [
  '2026-02-28',
  '2026-03-01',
  '2024-02-29',
  '2025-12-29',
  '2026-01-04',
  '1970-01-01',
  '9999-12-31',
  '0001-01-01',
]
const zones = [
  'Europe/Rome',
  'America/New_York',
  'Australia/Lord_Howe',
  'America/Recife',
  'Europe/Amsterdam',
  'UTC',
  'Asia/Kathmandu',
]
const names = ['Lamps', 'hidden', 'Öfen']

const orNull = <Value>(values: readonly Value[]) =>
  fc.option(fc.constantFrom(...values), { nil: null })

const order = fc.record({
  status: orNull(['open', 'paid']),
  title: orNull(titles),
  paid_at: fc.option(
    fc.oneof(
      fc.constantFrom(...instants),
      fc
        .date({ min: new Date('1900-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
        .map((date) => date.toISOString()),
    ),
    { nil: null },
  ),
  due_on: orNull(days),
  is_gift: fc.boolean(),
  amount: orNull(amounts),
  bytes: orNull(bytes),
  quantity: fc.option(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), { nil: null }),
  // Sums of these are exact, in whichever order.
  weight: fc.option(
    fc.integer({ min: -4000, max: 4000 }).map((quarters) => quarters / 4),
    { nil: null },
  ),
  seen: fc.boolean(),
  category_id: orNull([1, 2, 3]),
})
type Order = typeof order extends fc.Arbitrary<infer Row> ? Row : never

const periods = ['day', 'week', 'month', 'quarter', 'year'] as const
const grouped = fc
  .subarray(
    [
      'status',
      'title',
      'paid_at',
      'due_on',
      'is_gift',
      'amount',
      'bytes',
      'category_id',
      'category.name',
    ],
    { maxLength: 3 },
  )
  .chain((columns) =>
    fc.tuple(
      ...columns.map((column) =>
        /_at|_on/.test(column)
          ? fc.constantFrom(column, ...periods.map((each) => `${column}:${each}`))
          : fc.constant(column),
      ),
    ),
  )
const numbers = ['amount', 'bytes', 'quantity', 'weight']
const selects = [
  'count',
  ...numbers.flatMap((name) =>
    ['sum', 'avg', 'min', 'max', 'countDistinct'].map((of) => `${of}(${name})`),
  ),
  ...['paid_at', 'due_on'].flatMap((name) =>
    ['min', 'max', 'countDistinct'].map((of) => `${of}(${name})`),
  ),
  ...['countDistinct(title)', 'countDistinct(category.name)', 'countDistinct(is_gift)'],
]
const asked = fc.record({
  orders: fc.array(order, { maxLength: 25 }),
  groupBy: grouped,
  select: fc.subarray(selects, { minLength: 1, maxLength: 5 }),
  tz: fc.option(fc.constantFrom(...zones), { nil: null }),
  gifts: fc.option(fc.boolean(), { nil: null }),
  sort: fc.array(fc.tuple(fc.nat(), fc.boolean()), { maxLength: 2 }),
})

/** Returns the time on a wall clock of the zone, as Node has it. */
function localDay(instant: string, zone: string): string {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  })
  return format.format(new Date(instant)).padStart(10, '0')
}

function firstDay(day: string, period: string): string {
  const date = new Date(`${day}T00:00:00Z`)
  if (period === 'week') date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7))
  if (period === 'week' || period === 'day') return date.toISOString().slice(0, 10)
  const month =
    period === 'year'
      ? 1
      : period === 'quarter'
        ? Math.floor(date.getUTCMonth() / 3) * 3 + 1
        : date.getUTCMonth() + 1
  return `${day.slice(0, 4)}-${String(month).padStart(2, '0')}-01`
}

const categoryOf = ({ category_id }: Order) => {
  const name = category_id === null ? null : (names[category_id - 1] ?? null)
  return name === 'hidden' ? null : name
}

const columnOf = (row: Order, name: string): unknown =>
  name === 'category.name' ? categoryOf(row) : (row as Record<string, unknown>)[name]

function keyOf(row: Order, text: string, tz: string | null): unknown {
  const [name = '', period] = text.split(':')
  const value = columnOf(row, name)
  if (value === null) return null
  if (period === undefined) return name === 'category_id' ? String(value) : value
  return firstDay(name === 'paid_at' ? localDay(String(value), tz ?? 'UTC') : String(value), period)
}

const scales: Readonly<Record<string, number>> = { amount: 4, bytes: 0, quantity: 0 }
const unitsOf = (value: unknown) => BigInt(String(value).replace('.', ''))

/** With so many digits after the point, of which `least` stay where they are zeros. */
function digits(units: bigint, scale: number, least: number): string {
  const text = String(units < 0n ? -units : units).padStart(scale + 1, '0')
  const fraction = text
    .slice(text.length - scale)
    .replace(/0+$/, '')
    .padEnd(least, '0')
  return `${units < 0n ? '-' : ''}${text.slice(0, text.length - scale)}${fraction && scale > 0 ? `.${fraction}` : ''}`
}

const byCodePoint = (one: string, other: string) =>
  Buffer.compare(Buffer.from(one), Buffer.from(other))

function compare(one: unknown, other: unknown, name: string): number {
  if (one === other) return 0
  if (typeof one === 'string' && !isNumeric(name)) return byCodePoint(one, String(other))
  const [a, b] = [one, other].map((value) => exact(String(Number(value) === value ? value : value)))
  return (a ?? 0n) < (b ?? 0n) ? -1 : (a ?? 0n) > (b ?? 0n) ? 1 : 0
}
const isNumeric = (name: string) =>
  /^(amount|bytes|category_id|(sum|avg)\(.*|(min|max)\((amount|bytes)\))$/.test(name)
/** Numbers and booleans too, with fifteen digits after the point. */
function exact(text: string): bigint {
  if (text === 'true' || text === 'false') return text === 'true' ? 1n : 0n
  const [whole = '', fraction = ''] = (text.includes('e') ? Number(text).toFixed(15) : text).split(
    '.',
  )
  return BigInt(whole + fraction.slice(0, 15).padEnd(15, '0'))
}

function valueOf(rows: readonly Order[], text: string): unknown {
  if (text === 'count') return rows.length
  const [, of = '', name = ''] = /^(\w+)\((.*)\)$/.exec(text) ?? []
  const values = rows.map((row) => columnOf(row, name)).filter((value) => value !== null)
  if (of === 'countDistinct') return new Set(values).size
  if (values.length === 0) return null
  if (of === 'min' || of === 'max') {
    const sorted = values.toSorted((one, other) => compare(one, other, name))
    return sorted.at(of === 'min' ? 0 : -1)
  }
  if (name === 'weight') {
    const total = values.reduce<number>((sum, value) => sum + Number(value), 0)
    return of === 'sum' ? total : total / values.length
  }
  const scale = scales[name] ?? 0
  const total = values.reduce<bigint>((sum, value) => sum + unitsOf(value), 0n)
  if (of === 'sum') return name === 'quantity' ? Number(total) : digits(total, scale, scale)
  const [more, count] = [total * 10n ** 6n, BigInt(values.length)]
  const sign = more < 0n ? -1n : 1n
  const rounded = sign * ((2n * sign * more + count) / (2n * count))
  const average = digits(rounded, scale + 6, scale)
  return name === 'quantity' ? Number(average) : average
}

interface Asked {
  readonly orders: readonly Order[]
  readonly groupBy: readonly string[]
  readonly select: readonly string[]
  readonly tz: string | null
  readonly gifts: boolean | null
}

const nameOf = (text: string) => text.split(':')[0] ?? text

function expected(
  { orders, groupBy, select, tz, gifts }: Asked,
  sort: readonly (readonly [string, boolean])[],
) {
  const seen = orders.filter((row) => row.seen && (gifts === null || row.is_gift === gifts))
  const groups = new Map<string, { keys: unknown[]; rows: Order[] }>()
  if (groupBy.length === 0) groups.set('[]', { keys: [], rows: [] })
  for (const row of seen) {
    const keys = groupBy.map((text) => keyOf(row, text, tz))
    const id = JSON.stringify(keys)
    const group = groups.get(id) ?? { keys, rows: [] }
    groups.set(id, { keys, rows: [...group.rows, row] })
  }
  const all = [...groups.values()].map(({ keys, rows }) => ({
    keys,
    values: select.map((text) => valueOf(rows, text)),
  }))
  type Made = (typeof all)[number]
  const of = (group: Made, text: string) =>
    groupBy.includes(text) ? group.keys[groupBy.indexOf(text)] : group.values[select.indexOf(text)]
  const sorted = all.toSorted((one, other) => {
    for (const [text, descending] of [...sort, ...groupBy.map((each) => [each, false] as const)]) {
      const [a, b] = [of(one, text), of(other, text)]
      if (a === b) continue
      if (a === null || b === null) return a === null ? 1 : -1
      const found = compare(a, b, text)
      if (found !== 0) return descending ? -found : found
    }
    return 0
  })
  return sorted.map(({ keys, values }) => {
    const made: Record<string, unknown> = {
      group: Object.fromEntries(groupBy.map((text, at) => [nameOf(text), keys[at]])),
    }
    for (const [at, text] of select.entries()) {
      const [, of, name] = /^(\w+)\((.*)\)$/.exec(text) ?? []
      if (of === undefined || name === undefined) made[text] = values[at]
      else made[of] = Object.assign(made[of] ?? {}, { [name]: values[at] })
    }
    return made
  })
}

describe.each(databases)('any aggregate, on %s', (name) => {
  let project: Project
  let ann: number

  beforeAll(async () => {
    project = await openManifest(manifest, name)
    ann = await project.user('Ann')
    await insertAll(
      project,
      'categories',
      names.map((each, at) => ({ id: at + 1, name: each })),
    )
  })
  afterAll(() => project.close())

  it('is what a model in memory says, page by page, and GraphQL says the same', async () => {
    await fc.assert(
      fc.asyncProperty(asked, async ({ sort: places, ...query }) => {
        await project.database.query({ sql: 'delete from "orders"', access: 'write' }, [])
        await insertAll(project, 'orders', query.orders)
        const { groupBy, select, tz, gifts } = query
        const terms = [...groupBy, ...select]
        const sort = places.map(
          ([place, descending]) => [terms[place % terms.length] ?? 'count', descending] as const,
        )
        const sorts = sort.map(([text, descending]) => (descending ? `-${text}` : text))
        const parameters = new URLSearchParams({
          ...{
            groupBy: groupBy.join(','),
            select: select.join(','),
            sort: sorts.join(','),
            perPage: '100',
          },
          ...(tz === null ? {} : { tz }),
          ...(gifts === null ? {} : { is_gift: String(gifts) }),
        })
        const { body } = await project.get(
          `/api/svc/orders/aggregate?${parameters.toString()}`,
          ann,
        )
        const model = expected(query, sort)
        expect(body.data ?? body).toEqual(model)
        expect(await graphql(query, sorts)).toEqual(toldByGraphql(model))
      }),
      { numRuns: runsOn(name, 60), verbose: 0 },
    )
  })

  const toldByGraphql = (model: readonly object[]): unknown =>
    JSON.parse(JSON.stringify(model).replaceAll('category.name', 'category_name'))

  async function graphql({ groupBy, select, tz, gifts }: Asked, sorts: readonly string[]) {
    const inside = new Map<string, string[]>()
    for (const text of select) {
      const [, of = '', column = ''] = /^(\w+)\((.*)\)$/.exec(text) ?? []
      if (of !== '') inside.set(of, [...(inside.get(of) ?? []), column.replace('.', '_')])
    }
    const members = [
      `group { ${groupBy.map((text) => nameOf(text).replace('.', '_')).join(' ') || '__typename'} }`,
      ...select.filter((text) => text === 'count'),
      ...[...inside].map(([of, columns]) => `${of} { ${columns.join(' ')} }`),
    ]
    const query = `query ($groupBy: [String!], $tz: String, $sort: [String!], $match: OrderMatch) {
      orderAggregate(groupBy: $groupBy, tz: $tz, sort: $sort, match: $match, first: 100) { ${members.join(' ')} } }`
    const match = gifts === null ? {} : { is_gift: String(gifts) }
    const { body } = await project.post(
      '/graphql',
      { query, variables: { groupBy, tz, sort: sorts, match } },
      ann,
    )
    const found = body.data?.orderAggregate ?? body
    return JSON.parse(JSON.stringify(found).replaceAll('"__typename":"OrderAggregateGroup"', ''))
  }
})
