import { z } from 'zod'
import { decimalText } from '../model/decimal.js'

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
    bound === undefined ? null : decimalText(String(bound), { precision: 1000, scale })
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

/** Whether digits of a JSON number may have been lost before it came here. */
function isRounded(value: string | number): boolean {
  if (typeof value === 'string') return false
  const digits = /^-?[0.]*([\d.]*)/.exec(String(value))?.[1] ?? ''
  return digits.replace('.', '').length > 15
}

function decimalProblem(
  found: string | null,
  { precision, scale }: { precision: number; scale: number },
  min: string | null,
  max: string | null,
): string | null {
  if (found === null) {
    const digits = `${precision - scale} digits before and ${scale} after the point`
    return `must be a number with at most ${digits}`
  }
  if (min !== null && compareDecimals(found, min) < 0) return `must be at least ${min}`
  return max !== null && compareDecimals(found, max) > 0 ? `must not be greater than ${max}` : null
}

/** -1, 0 or 1, exactly. Both texts have the same number of digits after the point. */
export function compareDecimals(left: string, right: string): number {
  const a = BigInt(left.replace('.', ''))
  const b = BigInt(right.replace('.', ''))
  return a < b ? -1 : a > b ? 1 : 0
}
