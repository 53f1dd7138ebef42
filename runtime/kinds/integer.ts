import { type Decode, same, type StoredKind } from './kind.js'

const [least, most] = [-(2 ** 31), 2 ** 31 - 1]

/** Reads an integer of 32 bits: the range of GraphQL's Int. */
const read = (value: unknown): number | undefined =>
  Number.isInteger(value) && Number(value) >= least && Number(value) <= most
    ? Number(value)
    : undefined

/** Other programs write into the table too, and its column may be wider. */
const decode: Decode = (stored) =>
  typeof stored === 'number' && (stored | 0) === stored ? stored : undefined

/** A key counts from 1. */
export const readKey = (text: string): number | undefined =>
  /^[1-9]\d{0,9}$/.test(text) ? read(Number(text)) : undefined

export const integer: StoredKind<'integer'> = {
  name: 'integer',
  says: () => 'an integer',
  fromText: (text) => (/^[+-]?\d{1,10}$/.test(text) ? read(Number(text)) : undefined),
  fromJson: read,
  fromCode: (value) => value,
  key: {
    fromText: readKey,
    makes: null,
    compare: (one, other) => Number(one) - Number(other),
  },
  searched: 'key',
  type: 'int4',
  encode: { sqlite: same, postgresql: same },
  decode: { sqlite: () => decode, postgresql: () => decode },
  declared: [],
  format: null,
  isText: false,
  isInstant: false,
  isTime: false,
  isLong: false,
  isJson: false,
  isPlain: true,
  isRounded: false,
  isSecret: false,
  isTooFine: (value) => typeof value === 'number' && (value | 0) !== value,
}
