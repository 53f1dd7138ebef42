/** Lists walked by cursors in random orders over random rows, against a model in memory; REST and GraphQL alike. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openManifest } from '../../support/own-manifest.js'
import { databases, type Project } from '../../support/project.js'
import { runsOn } from '../../support/runs.js'

const keys = [
  ...['name', 'price', 'large', 'happened_at', 'day', 'rank', 'flag', 'ratio'],
  ...['person.name', 'id'],
] as const
type Key = (typeof keys)[number]

const manifest = {
  manifest: 'tests/features/cursors/manifests/model.ts',
  policies: {
    Item: { show: '() => ({ is_hidden: false })' },
    Person: { show: '() => ({ is_hidden: false })' },
  },
}

type Cell = string | number | boolean | null
type Row = Readonly<Record<Exclude<Key, 'person.name' | 'id'>, Cell>> & {
  readonly person: Cell
  readonly is_hidden: boolean
}

const orNull = (values: readonly Cell[]) => fc.constantFrom<Cell>(...values, null)

/** Few values, so that many rows have the same; at the edges of what their kinds hold. */
const row: fc.Arbitrary<Row> = fc.record({
  name: orNull(['', 'a', 'A', 'ab', 'é', 'z', '\u{1F600}', '\uFFFD', "o'b", '%', 'null', '"']),
  price: orNull(['-9999999999.99', '-0.01', '0.00', '0.01', '0.10', '0.30', '9999999999.99']),
  large: orNull([
    '-9223372036854775808',
    '-1',
    '0',
    '9007199254740992',
    '9007199254740993',
    '9223372036854775807',
  ]),
  happened_at: orNull([
    '0001-01-01T00:00:00.000Z',
    '2026-02-03T04:05:06.788Z',
    '2026-02-03T04:05:06.789Z',
    '9999-12-31T23:59:59.999Z',
  ]),
  day: orNull(['0001-01-01', '2026-02-03', '2026-02-04', '9999-12-31']),
  rank: fc.constantFrom(-2_147_483_648, 1, 2, 3),
  flag: fc.boolean(),
  ratio: orNull([-1e300, -0.1, 0.1, 0.2, 0.30000000000000004, 1e300]),
  person: orNull([0, 1, 2, 3]),
  is_hidden: fc.integer({ min: 0, max: 5 }).map((n) => n === 0),
})

const people = [
  { name: 'Ada', is_hidden: false },
  { name: 'Ada', is_hidden: false },
  { name: null, is_hidden: false },
  { name: 'Hidden', is_hidden: true },
]

interface Item extends Row {
  readonly id: number
}

const codePoints = (text: string) => Array.from(text, (each) => each.codePointAt(0) ?? 0)

function compareText(one: string, other: string): number {
  const [a, b] = [codePoints(one), codePoints(other)]
  for (let at = 0; at < Math.min(a.length, b.length); at++) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

function compareCells(key: Key, one: Cell, other: Cell): number {
  if (typeof one === 'string' && typeof other === 'string') {
    if (key !== 'price' && key !== 'large') return compareText(one, other)
    const [a, b] = [one, other].map((text) => BigInt(text.replace('.', '')))
    return (a ?? 0n) < (b ?? 0n) ? -1 : a === b ? 0 : 1
  }
  return Number(one) - Number(other)
}

function cell(item: Item, key: Key): Cell {
  if (key !== 'person.name') return item[key]
  const person = typeof item.person === 'number' ? people[item.person] : undefined
  return person === undefined || person.is_hidden ? null : person.name
}

interface Sort {
  readonly key: Key
  readonly descending: boolean
}

/** NULLs last whichever way; ties by the newest. */
const inOrder = (items: readonly Item[], sorts: readonly Sort[]): readonly string[] =>
  items
    .filter((item) => !item.is_hidden)
    .toSorted((one, other) => {
      for (const { key, descending } of sorts) {
        const [a, b] = [cell(one, key), cell(other, key)]
        if (a === null && b === null) continue
        if (a === null || b === null) return a === null ? 1 : -1
        const difference = compareCells(key, a, b)
        if (difference !== 0) return descending ? -difference : difference
      }
      return other.id - one.id
    })
    .map(({ id }) => String(id))

const sorts = fc.uniqueArray(
  fc.record({ key: fc.constantFrom(...keys), descending: fc.boolean() }),
  { maxLength: 3, selector: ({ key }) => key },
)
const textOf = (each: readonly Sort[]) =>
  each.map(({ key, descending }) => (descending ? `-${key}` : key))

interface Page {
  readonly ids: readonly string[]
  readonly next: string | null
  readonly prev: string | null
}

describe.each(databases)('lists walked by cursors on %s', (name) => {
  let project: Project
  let ann: number
  beforeAll(async () => {
    project = await openManifest(manifest, name)
    ann = await project.user('Ann')
    for (const [at, person] of people.entries())
      await project.insert('people', { id: at + 1, ...person })
  })
  afterAll(() => project.close())

  async function store(rows: readonly Row[]): Promise<readonly Item[]> {
    await project.database.query({ sql: 'delete from items', access: 'write' }, [])
    const items: Item[] = []
    for (const row of rows) {
      const { person, day, ...values } = row
      const isLite = name === 'sqlite'
      const id = await project.insert('items', {
        ...values,
        price: isLite && values.price !== null ? Number(values.price) : values.price,
        large: isLite && values.large !== null ? BigInt(String(values.large)) : values.large,
        day: isLite && day !== null ? `${String(day)}T00:00:00.000Z` : day,
        person_id: typeof person === 'number' ? person + 1 : null,
      })
      items.push({ id, ...row })
    }
    return items
  }

  async function rest(sort: readonly string[], perPage: number, cursor: string): Promise<Page> {
    const query = new URLSearchParams({ cursor, perPage: String(perPage) })
    if (sort.length > 0) query.set('sort', sort.join())
    const { status, body } = await project.get(`/api/svc/items?${query.toString()}`, ann)
    expect(status, JSON.stringify(body)).toBe(200)
    const { next_cursor: next, prev_cursor: prev } = body.meta
    return { ids: body.data.map((each: { id: string }) => each.id), next, prev }
  }

  async function graphql(
    sort: readonly string[],
    first: number,
    cursor: string,
    way: 'after' | 'before',
  ): Promise<Page> {
    const query = `query ($sort: [String!], $first: Int, $cursor: String) {
      itemPage(sort: $sort, first: $first, ${way}: $cursor) { data { id } nextCursor prevCursor }
    }`
    const { body } = await project.post(
      '/graphql',
      { query, variables: { sort, first, cursor } },
      ann,
    )
    expect(body.errors).toBeUndefined()
    const { data, nextCursor, prevCursor } = body.data.itemPage
    return { ids: data.map((each: { id: string }) => each.id), next: nextCursor, prev: prevCursor }
  }

  it('come in the order of the model, there and back, through REST and GraphQL', async () => {
    const cases = fc.array(fc.record({ sort: sorts, perPage: fc.integer({ min: 1, max: 9 }) }), {
      minLength: 4,
      maxLength: 4,
    })
    const rows = fc.array(row, { minLength: 0, maxLength: 28 })
    await fc.assert(
      fc.asyncProperty(rows, cases, async (given, asked) => {
        const items = await store(given)
        for (const { sort: said, perPage } of asked) {
          const sort = textOf(said)
          const expected = inOrder(items, said)
          const there: Page[] = []
          for (let cursor: string | null = ''; cursor !== null;) {
            const page: Page = await rest(sort, perPage, cursor)
            expect(await graphql(sort, perPage, cursor, 'after')).toEqual(page)
            there.push(page)
            cursor = page.next
          }
          expect(there.flatMap(({ ids }) => ids)).toEqual(expected)
          expect(there[0]?.prev).toBeNull()
          const back: Page[] = there.slice(-1)
          for (let cursor = back[0]?.prev ?? null; cursor !== null;) {
            const page: Page = await rest(sort, perPage, cursor)
            expect(await graphql(sort, perPage, cursor, 'before')).toEqual(page)
            back.unshift(page)
            cursor = page.prev
          }
          expect(back.map(({ ids }) => ids)).toEqual(there.map(({ ids }) => ids))
        }
      }),
      { numRuns: runsOn(name, 8) },
    )
  })
})
