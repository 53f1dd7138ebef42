import { z } from 'zod'
import { compareDecimals, decimal as kind, decimalText, isRounded } from '../kinds/decimal.js'
import type { Digits } from '../kinds/kind.js'
import { worded } from './messages.js'

/**
 * A number of at most `precision` digits, `scale` of them after the point. Text keeps every digit;
 * JSON numbers are taken while they do, which is up to 15 of them.
 * @example decimal(10, 2, { min: 0 })
 */
export function decimal(
  precision: number,
  scale: number,
  bounds: { readonly min?: number; readonly max?: number } = {},
) {
  const digits = { precision, scale }
  const edge = (bound: number | undefined) =>
    bound === undefined ? undefined : decimalText(String(bound), { precision: 1000, scale })
  const [min, max] = [edge(bounds.min), edge(bounds.max)]
  return z.union([z.string(), z.number()]).transform((value, context) => {
    const found = decimalText(String(value), digits)
    const problem = isRounded(value)
      ? worded('must be sent as text: a JSON number keeps 15 digits', 'asText')
      : decimalProblem(found, digits, min, max)
    if (problem !== null) context.addIssue(problem)
    return found ?? ''
  })
}

function decimalProblem(
  found: string | undefined,
  digits: Digits,
  min: string | undefined,
  max: string | undefined,
): string | null {
  if (found === undefined) return worded(`must be ${kind.says(digits)}`, 'decimal', { ...digits })
  if (min !== undefined && compareDecimals(found, min) < 0) {
    return worded(`must be at least ${min}`, 'min', { min })
  }
  const isAbove = max !== undefined && compareDecimals(found, max) > 0
  return isAbove ? worded(`must not be greater than ${max}`, 'max', { max }) : null
}
