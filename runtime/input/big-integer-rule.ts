import { z } from 'zod'
import { bigInteger as kind, bigIntegerText, compareBigIntegers } from '../kinds/big-integer.js'
import { noDigits } from '../kinds/kind.js'

interface Bounds {
  readonly min?: number
  readonly max?: number
}

/**
 * A whole number of 64 bits. Text keeps every digit; JSON numbers are taken while they do, which is
 * below 2^53.
 * @example bigInteger({ min: 0 })
 */
export function bigInteger(bounds: Bounds = {}) {
  return z.union([z.string(), z.number()]).transform((value, context) => {
    const isRounded = Number.isInteger(value) && !Number.isSafeInteger(value)
    const found = bigIntegerText(String(value))
    const problem = isRounded
      ? 'must be sent as text: a JSON number is exact below 2^53'
      : problemOf(found, bounds)
    if (problem !== null) context.addIssue(problem)
    return found ?? ''
  })
}

function problemOf(found: string | undefined, { min, max }: Bounds): string | null {
  if (found === undefined) return `must be ${kind.says(noDigits)}`
  const isBelow = min !== undefined && compareBigIntegers(found, String(min)) < 0
  if (isBelow) return `must be at least ${min}`
  const isAbove = max !== undefined && compareBigIntegers(found, String(max)) > 0
  return isAbove ? `must not be greater than ${max}` : null
}
