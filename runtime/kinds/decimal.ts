/** Decimals are text with a fixed scale: no digit is lost on any database. */

import { type Decode, type Digits, like } from './kind.js'
import { text } from './text.js'

const pattern = /^([+-]?)(\d{1,1000})(?:\.(\d{0,1000}))?$/

/** `'7.5'` → `'7.50'` for scale 2; undefined when it is no decimal or has more digits than fit. */
export function decimalText(given: string, { precision, scale }: Digits): string | undefined {
  const match = pattern.exec(given)
  if (match === null) return undefined
  const whole = (match[2] ?? '').replace(/^0+(?=\d)/, '')
  const fraction = (match[3] ?? '').replace(/0+$/, '')
  if (fraction.length > scale) return undefined
  if (whole !== '0' && whole.length > precision - scale) return undefined
  const digits = scale === 0 ? whole : `${whole}.${fraction.padEnd(scale, '0')}`
  return match[1] === '-' && /[1-9]/.test(digits) ? `-${digits}` : digits
}

/** -1, 0 or 1, exactly. Both texts have the same number of digits after the point. */
export function compareDecimals(left: string, right: string): number {
  const a = BigInt(left.replace('.', ''))
  const b = BigInt(right.replace('.', ''))
  return a < b ? -1 : a > b ? 1 : 0
}

/** Returns true if digits of a JSON number may have been lost before it came here: it keeps 15. */
export function isRounded(value: unknown): boolean {
  if (typeof value !== 'number') return false
  const digits = /^-?[0.]*([\d.]*)/.exec(String(value))?.[1] ?? ''
  return digits.replace('.', '').length > 15
}

const says = ({ precision, scale }: Digits): string =>
  `a number with at most ${precision - scale} digits before and ${scale} after the point`

/** Other programs write into the table too; to JavaScript, an empty text is the number 0. */
const fromSqlite =
  (scale: number): Decode =>
  (stored) => {
    const isNumber = typeof stored === 'number' || pattern.test(String(stored))
    return isNumber && Number.isFinite(Number(stored)) ? Number(stored).toFixed(scale) : undefined
  }

/** `NaN` and `Infinity` are numerics too. */
const fromPostgres = (): Decode => (stored) => {
  const last = String(stored).charCodeAt(String(stored).length - 1)
  return last >= 48 && last <= 57 ? stored : undefined
}

export const decimal = like(text, {
  name: 'decimal',
  says,
  fromText: decimalText,
  fromJson: (value, digits) => (isRounded(value) ? undefined : decimalText(String(value), digits)),
  fromCode: (value, digits) => decimalText(String(value), digits),
  type: 'numeric',
  // SQLite has a number: of 15 digits, no two are the same to it. A CHECK of the table refuses others.
  encode: { sqlite: Number, postgresql: text.encode.postgresql },
  decode: { sqlite: fromSqlite, postgresql: fromPostgres },
  format: (scale) => `%.${scale}f`,
  isText: false,
  isLong: false,
  isPlain: false,
})
