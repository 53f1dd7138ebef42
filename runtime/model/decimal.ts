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
