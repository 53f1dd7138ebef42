/** What comparisons find of products, without a database. */
import fc from 'fast-check'

export type Value = string | number | boolean | null

export interface Product {
  readonly name: string
  readonly price: string | null
  readonly stock: number | null
  readonly serial: string | null
  readonly is_live: boolean | null
  readonly made_on: string | null
  readonly due_at: string | null
  readonly status: string | null
  readonly code: string | null
}

export type Name = keyof Product

export interface Comparison {
  readonly name: Name
  readonly word: string
  /** One, or those of a list. */
  readonly values: readonly NonNullable<Value>[]
}

const equal = ['equals', 'not', 'in', 'notIn'] as const
const order = [...equal, 'lt', 'lte', 'gt', 'gte'] as const
const text = [...order, 'contains', 'startsWith', 'endsWith'] as const

interface Kind {
  readonly words: readonly string[]
  readonly pool: readonly NonNullable<Value>[]
  readonly compare: (one: NonNullable<Value>, other: NonNullable<Value>) => number
}

const byCodePoint = (one: unknown, other: unknown) =>
  Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other)))
const byNumber = (one: unknown, other: unknown) => Number(one) - Number(other)
const byDigits = (one: unknown, other: unknown) => {
  const [a, b] = [one, other].map((each) => BigInt(String(each).replace('.', '')))
  return a === b ? 0 : (a ?? 0n) < (b ?? 0n) ? -1 : 1
}

/** Few values, so that many are equal: those at an edge, those that nearly are others, Unicode. */
export const kinds: Readonly<Record<Name, Kind>> = {
  name: {
    words: text,
    pool: [
      '',
      'Lamp',
      'lamp',
      'La',
      'LAMP shade',
      '%',
      '_',
      'a_b',
      '\\',
      'é',
      'e\u0301',
      '😀',
      '\uffee',
      'ß',
      "o'x",
    ],
    compare: byCodePoint,
  },
  price: {
    words: order,
    pool: ['0.00', '0.01', '-0.01', '9.99', '10.00', '99999999.99', '-99999999.99', '99999999.98'],
    compare: byDigits,
  },
  stock: { words: order, pool: [0, 1, -1, 7, 2147483647, -2147483648], compare: byNumber },
  serial: {
    words: order,
    pool: [
      '0',
      '9007199254740992',
      '9007199254740993',
      '9223372036854775807',
      '-9223372036854775808',
    ],
    compare: byDigits,
  },
  is_live: { words: ['equals', 'not'], pool: [true, false], compare: byNumber },
  made_on: {
    words: order,
    pool: ['0001-01-01', '2024-02-29', '2026-01-01', '2026-01-02', '9999-12-31'],
    compare: byCodePoint,
  },
  due_at: {
    words: order,
    pool: [
      '2026-01-01T00:00:00.000Z',
      '2026-01-01T00:00:00.001Z',
      '2025-12-31T23:59:59.999Z',
      '9999-12-31T23:59:59.999Z',
    ],
    compare: byCodePoint,
  },
  status: { words: equal, pool: ['open', 'gone'], compare: byCodePoint },
  code: {
    words: equal,
    pool: ['11111111-1111-4111-8111-111111111111', 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa'],
    compare: byCodePoint,
  },
}

export const columns = Object.keys(kinds) as readonly Name[]

const valueIn = (name: Name) => fc.constantFrom(...kinds[name].pool)

export const product: fc.Arbitrary<Product> = fc.record(
  Object.fromEntries(
    columns.map((name) => [
      name,
      name === 'name' ? valueIn(name) : fc.option(valueIn(name), { nil: null, freq: 3 }),
    ]),
  ),
) as unknown as fc.Arbitrary<Product>

export const comparison: fc.Arbitrary<Comparison> = fc.constantFrom(...columns).chain((name) => {
  const word = fc.constantFrom(...kinds[name].words, 'isNull')
  return word.chain((each) => {
    if (each === 'isNull')
      return fc.boolean().map((value) => ({ name, word: each, values: [value] }))
    const isList = each === 'in' || each === 'notIn'
    return (
      fc
        .array(valueIn(name), { minLength: 1, maxLength: isList ? 3 : 1 })
        // A list with one empty text is written as none is.
        .filter((values) => !isList || values.join() !== '')
        .map((values) => ({ name, word: each, values }))
    )
  })
})

/** Each comparison of a column once: a second one is refused. */
export const comparisons: fc.Arbitrary<readonly Comparison[]> = fc.uniqueArray(comparison, {
  maxLength: 3,
  selector: ({ name, word }) => `${name} ${word}`,
})

/** As SQL has it: what has no value passes no test but the one for that. */
export function holds(row: Product, { name, word, values }: Comparison): boolean {
  const held: Value = row[name]
  const [value = ''] = values
  if (word === 'isNull') return (held === null) === value
  if (held === null) return false
  const { compare } = kinds[name]
  const to = (other: NonNullable<Value>) => compare(held, other)
  const isOne = values.some((each) => to(each) === 0)
  const own = String(held)
  switch (word) {
    case 'equals':
    case 'in':
      return isOne
    case 'not':
    case 'notIn':
      return !isOne
    case 'lt':
      return to(value) < 0
    case 'lte':
      return to(value) <= 0
    case 'gt':
      return to(value) > 0
    case 'gte':
      return to(value) >= 0
    case 'contains':
      return own.includes(String(value))
    case 'startsWith':
      return own.startsWith(String(value))
    default:
      return own.endsWith(String(value))
  }
}

/** As a request sends it: one is `name[gte]`, and where the form is the other one, `filter[name][gte]`. */
export const sent = ({ name, word, values }: Comparison, isFilter: boolean): string => {
  const place = isFilter ? `filter[${name}][${word}]` : `${name}[${word}]`
  return `${encodeURIComponent(place)}=${encodeURIComponent(values.join())}`
}

/** As GraphQL has it. */
export function where(all: readonly Comparison[]): object {
  const found: Record<string, Record<string, unknown>> = {}
  for (const { name, word, values } of all) {
    const isList = word === 'in' || word === 'notIn'
    // Decimals of ten digits are numbers there.
    const said = values.map((value) =>
      name === 'price' && word !== 'isNull' ? Number(value) : value,
    )
    found[name] = { ...found[name], [word]: isList ? said : said[0] }
  }
  return found
}
