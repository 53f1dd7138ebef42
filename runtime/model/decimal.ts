/** Decimals are text with a fixed scale: no digit is lost on any database. */

interface Digits {
  readonly precision: number
  readonly scale: number
}

const pattern = /^([+-]?)(\d{1,1000})(?:\.(\d{0,1000}))?$/

/** `'7.5'` → `'7.50'` for scale 2; null when it is no decimal or has more digits than fit. */
export function decimalText(text: string, { precision, scale }: Digits): string | null {
  const match = pattern.exec(text)
  if (match === null) return null
  const whole = (match[2] ?? '').replace(/^0+(?=\d)/, '')
  const fraction = (match[3] ?? '').replace(/0+$/, '')
  if (fraction.length > scale) return null
  if (whole !== '0' && whole.length > precision - scale) return null
  const digits = scale === 0 ? whole : `${whole}.${fraction.padEnd(scale, '0')}`
  return match[1] === '-' && /[1-9]/.test(digits) ? `-${digits}` : digits
}

/** -1, 0 or 1, exactly. Both texts have the same number of digits after the point. */
export function compareDecimals(left: string, right: string): number {
  const a = BigInt(left.replace('.', ''))
  const b = BigInt(right.replace('.', ''))
  return a < b ? -1 : a > b ? 1 : 0
}
