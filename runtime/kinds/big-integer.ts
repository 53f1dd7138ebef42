/** Whole numbers of 64 bits are text: a JavaScript number is exact up to 2^53. */

import { type Decode, like } from './kind.js'
import { text } from './text.js'

const [least, most] = [-(2n ** 63n), 2n ** 63n - 1n]

/** `'-007'` → `'-7'`; undefined when it is no whole number of 64 bits. */
export function bigIntegerText(given: string): string | undefined {
  if (!/^[+-]?\d{1,1000}$/.test(given)) return undefined
  const value = BigInt(given.replace('+', ''))
  return value >= least && value <= most ? String(value) : undefined
}

/** A number that JSON may have rounded before it came here is none. */
function read(value: unknown): string | undefined {
  if (typeof value === 'number' && !Number.isSafeInteger(value)) return undefined
  const isOne = ['string', 'number', 'bigint'].includes(typeof value)
  return isOne ? bigIntegerText(String(value)) : undefined
}

/** A key has one spelling: records have one address. */
const key = /^(0|-?[1-9]\d{0,18})$/

/** -1, 0 or 1, exactly. */
export function compareBigIntegers(one: string, other: string): number {
  const [a, b] = [BigInt(one), BigInt(other)]
  return a < b ? -1 : a > b ? 1 : 0
}

/** A statement asks for its text, whatever it is. */
const decode: Decode = (stored) => (whole.test(String(stored)) ? stored : undefined)
const whole = /^-?\d{1,19}$/

export const bigInteger = like(text, {
  name: 'bigInteger',
  says: () => 'a whole number of 64 bits',
  fromText: bigIntegerText,
  fromJson: read,
  fromCode: read,
  key: {
    fromText: (given) => (key.test(given) ? bigIntegerText(given) : undefined),
    makes: null,
    compare: compareBigIntegers,
  },
  searched: 'key',
  type: 'int8',
  encode: { sqlite: (value) => BigInt(String(value)), postgresql: text.encode.postgresql },
  decode: { sqlite: () => decode, postgresql: () => decode },
  isText: false,
  isLong: false,
  isRounded: true,
})
