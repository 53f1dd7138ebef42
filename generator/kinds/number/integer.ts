import { integer as stored } from '../../../runtime/kinds/integer.js'
import { noDigits } from '../../../runtime/kinds/kind.js'
import type { ColumnFacts, Kind } from '../kind.js'
import { valueOf } from '../literal.js'
import { usualRule } from '../rule.js'
import { typeOf } from '../schema.js'

const [least, most] = [-(2 ** 31), 2 ** 31 - 1]

const read = (written: unknown): number | undefined => {
  const value = stored.fromJson(written, noDigits)
  return typeof value === 'number' ? value : undefined
}

/** Returns the values between the bounds, and the bounds. */
export const within =
  (edges: readonly number[]) =>
  ({ min, max }: ColumnFacts): readonly string[] => {
    const inside = edges.filter((edge) => (min ?? edge) <= edge && edge <= (max ?? edge))
    const all = new Set([...inside, ...[min, max].filter((bound) => bound !== undefined)])
    return [...all].toSorted((a, b) => a - b).map(valueOf)
  }

/** 1, or the bound that is nearest to it. */
export const nearOne = ({ min = 0, max = 1 }: ColumnFacts): number =>
  Math.max(min, Math.min(1, max))

const usual = [-2147483648, -1, 0, 2147483647]

/** The schema `Id`, which bodies share. */
const idInBody = { $ref: '#/components/schemas/Id' }

export const integer: Kind<'integer', 'integer'> = {
  name: 'integer',
  storage: 'integer',
  group: 'integer',
  takes: null,
  isText: false,
  isSortable: true,
  match: ['integer', 'number', 'text', 'between', 'array'],
  bound: { says: 'a whole number of 32 bits', holds: (value) => read(value) !== undefined },
  usualMax: null,
  longest: null,
  isIndexable: () => true,
  preset: { says: 'a whole number of 32 bits', example: '.default(0)', read },
  typescript: 'number',
  graphql: 'Int',
  isList: false,
  isSwitch: false,
  isDate: false,
  client: 'number',
  prisma: {
    type: 'Int',
    native: null,
    preset: (value) => ({ bare: String(value) }),
  },
  key: {
    word: 'integer',
    prisma: '@default(autoincrement())',
    shown: { pattern: '^[1-9]\\d*$' },
    reference: (isNullable) => (isNullable ? { anyOf: [idInBody, { type: 'null' }] } : idInBody),
    made: null,
    sample: '1',
    morph: {
      isOne: /^Int\b/,
      cast: (value) => `(CASE WHEN ${value} ~ '^[1-9][0-9]{0,9}$' THEN ${value}::bigint END)`,
    },
  },
  rule: usualRule('integer'),
  document: {
    shown: ({ nullable }) => ({ type: typeOf('integer', nullable) }),
    sent: ({ nullable, min = least, max = most }) => ({
      type: typeOf('integer', nullable),
      minimum: Math.max(min, least),
      maximum: Math.min(max, most),
    }),
    parameter: () => ({
      name: 'integer',
      schema: { type: 'integer', minimum: least, maximum: most },
    }),
  },
  existing: {
    types: [],
    preset: ({ digits }) => (digits === undefined ? undefined : String(Number(digits))),
  },
  told: null,
  sample: nearOne,
  row: null,
  varied: ({ min = 0, max = Infinity }) => `randomInt(${min}, ${Math.min(max, most)})`,
  edges: { usual: { name: 'integers', values: usual }, of: within(usual) },
  seed: ({ min = 0 }) => String(Math.max(0, min)),
}
