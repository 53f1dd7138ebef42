import { integer } from './integer.js'
import { type Decode, like, never } from './kind.js'

const number = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i

const read = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined

/** Infinity and NaN are numbers to a database, and none to JSON. */
const decode = (): Decode => read

export const float = like(integer, {
  name: 'float',
  says: () => 'a number',
  fromText: (text) => (number.test(text) ? read(Number(text)) : undefined),
  fromJson: read,
  key: null,
  searched: 'part',
  type: 'float8',
  decode: { sqlite: decode, postgresql: decode },
  isTooFine: never,
})
