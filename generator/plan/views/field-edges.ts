import { storageOf } from '../../blueprint/field-kinds.js'
import type { Column, Json } from '../../blueprint/types.js'
import { valueOf } from '../literal.js'

/** UTF-16 units of `awkward` in tests/edges.ts, and the most that a test writes into one field. */
const awkwardLength = 17
const longest = 10_000

/** What fields without bounds are tried with, under the names that tests/edges.ts gives them. */
const usual = {
  integers: [-2147483648, -1, 0, 2147483647],
  floats: [-1e300, -1e-7, 0, 1e-7, 0.30000000000000004, 1e300],
  dates: ['0001-01-01', '1999-12-31', '2000-02-29', '9999-12-31'],
  instants: [
    '0001-01-01T00:00:00.000Z',
    '1969-12-31T23:59:59.999Z',
    '2000-02-29T12:00:00.001Z',
    '9999-12-31T23:59:59.999Z',
  ],
  uuids: ['00000000-0000-4000-8000-000000000000', 'ffffffff-ffff-4fff-bfff-ffffffffffff'],
  documents: [{}, [], { list: [1e-7, "it's", null, [[]], false], '': { nested: { '😀': '"\\' } } }],
} satisfies Readonly<Record<string, readonly Json[]>>

/** The lists that some field is tried with, as TypeScript. */
export const usualLists = (names: ReadonlySet<string>) =>
  Object.entries(usual).flatMap(([name, values]) =>
    names.has(name) ? [{ name, values: valueOf(values) }] : [],
  )

const namesOfLists = new Map(
  Object.entries(usual).map(([name, values]) => [values.map(valueOf).join(), name]),
)

/** The values of a column as one expression, at most so many; and the list that it names. */
export function edgesText(column: Column, most: number) {
  const edges = fieldEdges(column).slice(0, most)
  const isEnding = edges.at(-1) === 'null'
  const list = namesOfLists.get((isEnding ? edges.slice(0, -1) : edges).join())
  if (list === undefined) return { values: `[${edges.join(', ')}]`, list: null }
  return { values: isEnding ? `[...${list}, null]` : list, list }
}

const found = new Map<string, readonly string[]>()

/**
 * The values of a column that are lost most easily, as expressions of TypeScript; in the order in which the database
 * sorts them, NULL last. Found once for all columns alike.
 */
export function fieldEdges(column: Column): readonly string[] {
  const { kind, min, max, precision, scale, options = [] } = column
  const alike = JSON.stringify([kind, min, max, precision, scale, holdsNull(column), options])
  const known = found.get(alike) ?? edgesOf(column)
  found.set(alike, known)
  return known
}

function edgesOf(column: Column): readonly string[] {
  const edges = column.kind === 'email' ? emails(column) : (texts(column) ?? values(column))
  return [...new Set([...edges, ...(holdsNull(column) ? ['null'] : [])])]
}

/** What is left out of a write through Prisma, as a NULL of JSON is, becomes the default. */
const holdsNull = (column: Column) =>
  column.nullable && (storageOf(column) !== 'json' || column.default === undefined)

function texts({ kind, min = 0, max = longest }: Column): readonly string[] | null {
  if (kind !== 'field' && kind !== 'text' && kind !== 'textarea') return null
  return [
    ...(min === 0 ? ["''"] : []),
    ...(min <= awkwardLength && awkwardLength < max ? ['awkward'] : []),
    `long(${Math.max(min, Math.min(max, longest))})`,
  ]
}

function emails({ min = 0, max = 254 }: Column): readonly string[] {
  const known = ['a@example.com', "o'b+c@example.com"].filter(
    ({ length }) => min <= length && length <= max,
  )
  const end = '@example.com'
  const name = Math.min(max, 254) - end.length
  return [...known.map(valueOf), ...(name > 0 ? [`\`\${'x'.repeat(${name})}${end}\``] : [])]
}

const values = (column: Column): readonly string[] => plainEdges(column).map(valueOf)

function plainEdges(column: Column): readonly Json[] {
  const { kind, min = 0, max = Infinity, options = [] } = column
  switch (kind) {
    case 'number':
    case 'integer':
      return within(column, usual.integers)
    case 'float':
      return within(column, usual.floats)
    case 'decimal':
      return decimals(column)
    case 'boolean':
    case 'toggle':
      return [false, true]
    case 'date':
      return usual.dates
    case 'dateTime':
      return usual.instants
    case 'json':
      return usual.documents.filter((value) => JSON.stringify(value).length <= max)
    case 'multiSelect':
      return choices(options, min, max)
    case 'uuid':
      return usual.uuids
    case 'select':
      return options.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    default:
      return []
  }
}

/** Those between the bounds, and the bounds. */
function within({ min, max }: Column, edges: readonly number[]): readonly number[] {
  const inside = edges.filter((edge) => (min ?? edge) <= edge && edge <= (max ?? edge))
  const all = new Set([...inside, ...[min, max].filter((bound) => bound !== undefined)])
  return [...all].toSorted((a, b) => a - b)
}

/** Every digit used, the smallest step to both sides of zero, and the bounds. */
function decimals({ precision = 0, scale = 0, min, max }: Column): readonly string[] {
  const largest = withPoint('9'.repeat(precision), scale)
  const step = withPoint('1'.padStart(scale + 1, '0'), scale)
  const zero = withPoint('0'.repeat(scale + 1), scale)
  const bounds = [min, max].flatMap((bound) => atScale(bound, scale))
  const edges = [`-${largest}`, `-${step}`, zero, step, largest, ...bounds]
  const [low, high] = [min ?? -Infinity, max ?? Infinity]
  return edges
    .filter((edge) => low <= Number(edge) && Number(edge) <= high)
    .filter((edge) => Math.abs(Number(edge)) <= Number(largest))
    .toSorted((a, b) => Number(a) - Number(b))
}

/** A bound as the column holds it; none where it does not. */
function atScale(bound: number | undefined, scale: number): readonly string[] {
  const [whole = '', fraction = ''] = String(bound).split('.')
  if (bound === undefined || !/^-?\d+$/.test(whole) || /\D/.test(fraction)) return []
  if (fraction.length > scale) return []
  return [scale === 0 ? whole : `${whole}.${fraction.padEnd(scale, '0')}`]
}

function withPoint(digits: string, scale: number): string {
  const whole = digits.slice(0, digits.length - scale)
  return scale === 0 ? digits : `${whole === '' ? '0' : whole}.${digits.slice(-scale)}`
}

function choices(options: readonly string[], min: number, max: number): readonly Json[] {
  const most = options.slice(0, max)
  const sets = [options.slice(0, min), most, most.toReversed()]
  return [...new Map(sets.map((set) => [JSON.stringify(set), set])).values()]
}
