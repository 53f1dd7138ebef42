import { z } from 'zod'
import { bigInteger as kind, bigIntegerText, compareBigIntegers } from '../kinds/big-integer.js'
import { noDigits } from '../kinds/kind.js'
import { worded } from './messages.js'

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
      ? worded('must be sent as text: a JSON number is exact below 2^53', 'asText')
      : problemOf(found, bounds)
    if (problem !== null) context.addIssue(problem)
    return found ?? ''
  })
}

function problemOf(found: string | undefined, { min, max }: Bounds): string | null {
  if (found === undefined) return worded(`must be ${kind.says(noDigits)}`, 'integer')
  const isBelow = min !== undefined && compareBigIntegers(found, String(min)) < 0
  if (isBelow) return worded(`must be at least ${min}`, 'min', { min })
  const isAbove = max !== undefined && compareBigIntegers(found, String(max)) > 0
  return isAbove ? worded(`must not be greater than ${max}`, 'max', { max }) : null
}
