/** Numbers of any digits: `units` of the last digit after the point. */
export interface Exact {
  readonly units: bigint
  readonly scale: number
}

/** Undefined: the text is no number of digits. */
export function exactOf(text: string, scale: number): Exact | undefined {
  const match = /^(-?\d+)(?:\.(\d+))?$/.exec(text)
  if (match === null) return undefined
  const [, whole = '', fraction = ''] = match
  // Zeros at the end say nothing.
  const digits = fraction.replace(/0+$/, '').padEnd(scale, '0')
  return { units: BigInt(whole + digits), scale: digits.length }
}

/** With all digits after the point, `least` of them at least. */
export function exactText({ units, scale }: Exact, least = scale): string {
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0')
  const whole = digits.slice(0, digits.length - scale)
  const fraction = digits
    .slice(digits.length - scale)
    .replace(/0+$/, '')
    .padEnd(least, '0')
  return `${units < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

/** Digits after the point that an average has more than what it is of. */
const moreDigits = 6

/** Exact where so many digits are enough, else rounded, halves away from zero. */
export function averageOf({ units, scale }: Exact, count: number): Exact {
  const given = units * 10n ** BigInt(moreDigits)
  const divisor = BigInt(count)
  const half = given < 0n ? -divisor : divisor
  return { units: (2n * given + half) / (2n * divisor), scale: scale + moreDigits }
}

/** Below 0, 0, or above: exactly, of texts with any number of digits after the point. */
export function compareExact(one: string, other: string): number {
  const [a, b] = [partsOf(one), partsOf(other)]
  const scale = Math.max(a.fraction.length, b.fraction.length)
  const [left, right] = [a, b].map(({ whole, fraction }) =>
    BigInt(whole + fraction.padEnd(scale, '0')),
  ) as [bigint, bigint]
  return left < right ? -1 : left > right ? 1 : 0
}

function partsOf(text: string) {
  const [whole = '0', fraction = ''] = text.split('.')
  return { whole, fraction }
}
