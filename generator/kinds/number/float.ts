import { float as stored } from '../../../runtime/kinds/float.js'
import { noDigits } from '../../../runtime/kinds/kind.js'
import type { Bound, Kind } from '../kind.js'
import { usualRule } from '../rule.js'
import { bounds, typeOf } from '../schema.js'
import { integer, nearOne, within } from './integer.js'

const read = (written: unknown): number | undefined => {
  const value = stored.fromJson(written, noDigits)
  return typeof value === 'number' ? value : undefined
}

export const anyNumber: Bound = { says: 'a number', holds: (value) => read(value) !== undefined }

const usual = [-1e300, -1e-7, 0, 1e-7, 0.30000000000000004, 1e300]

/** Prisma's numbers have no exponent: `1e-7` is `0.0000001`. */
function withoutExponent(value: number): string {
  const [digits = '', exponent] = String(value).split('e')
  if (exponent === undefined) return digits
  const sign = value < 0 ? '-' : ''
  const [whole = '', fraction = ''] = digits.replace('-', '').split('.')
  const point = whole.length + Number(exponent)
  const all = `${whole}${fraction}`.padEnd(point, '0')
  return point > 0 ? `${sign}${all}` : `${sign}0.${'0'.repeat(-point)}${all}`
}

export const float: Kind<'float', 'float'> = {
  name: 'float',
  storage: 'float',
  group: 'float',
  takes: null,
  isText: false,
  isSortable: true,
  match: ['number', 'between', 'array'],
  bound: anyNumber,
  usualMax: null,
  longest: null,
  isIndexable: () => true,
  preset: { says: 'a number', example: '.default(0.5)', read },
  typescript: 'number',
  graphql: 'Float',
  isList: false,
  isSwitch: false,
  isDate: false,
  client: 'number',
  prisma: {
    type: 'Float',
    native: null,
    preset: (value) => ({ bare: withoutExponent(Number(value)) }),
  },
  key: null,
  rule: usualRule('float'),
  document: {
    shown: ({ nullable }) => ({ type: typeOf('number', nullable) }),
    sent: ({ nullable, min, max }) => ({
      type: typeOf('number', nullable),
      ...bounds('minimum', min, 'maximum', max),
    }),
    parameter: () => ({ name: 'number', schema: { type: 'number' } }),
  },
  existing: { types: ['double precision', 'real'], preset: integer.existing.preset },
  told: null,
  sample: nearOne,
  row: null,
  varied: integer.varied,
  edges: { usual: { name: 'floats', values: usual }, of: within(usual) },
  seed: integer.seed,
}
