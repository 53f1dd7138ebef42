import { z } from 'zod'
import { compareDecimals, decimal as kind, decimalText, isRounded } from '../kinds/decimal.js'
import type { Digits } from '../kinds/kind.js'

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
      ? 'must be sent as text: a JSON number keeps 15 digits'
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
  if (found === undefined) return `must be ${kind.says(digits)}`
  if (min !== undefined && compareDecimals(found, min) < 0) return `must be at least ${min}`
  const isAbove = max !== undefined && compareDecimals(found, max) > 0
  return isAbove ? `must not be greater than ${max}` : null
}
