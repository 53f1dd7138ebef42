import { z } from 'zod'
import { absent } from './messages.js'
import { isStorable, mustBeStorable } from './rules.js'

/**
 * Any JSON value but null, kept in its shape. Numbers that lost digits on the way are refused:
 * whole ones beyond 2^53, and those too large for any. So is a key `__proto__`, as a GraphQL text
 * may hold it. `max` are characters.
 */
export function json(max = 1_000_000) {
  return z.unknown().superRefine((value, context) => {
    const problem = jsonProblem(value) ?? lengthProblem(value, max)
    if (problem !== null) context.addIssue({ code: 'custom', message: problem })
  })
}

/** Walks with a list of its own: nesting has no limit here. */
function jsonProblem(value: unknown): string | null {
  if (value === undefined || value === null) return absent(value)
  const left = [value]
  while (left.length > 0) {
    const item = left.pop()
    if (typeof item === 'string' && !isStorable(item)) return mustBeStorable.error
    if (typeof item === 'number' && !keepsDigits(item)) {
      return 'must not contain numbers that lose digits: send them as text'
    }
    if (typeof item !== 'object' || item === null) continue
    for (const [key, inner] of Object.entries(item)) {
      if (!isStorable(key)) return mustBeStorable.error
      if (key === '__proto__') return 'must not contain the key __proto__'
      left.push(inner)
    }
  }
  return null
}

function lengthProblem(value: unknown, max: number): string | null {
  const isLonger = JSON.stringify(value).length > max
  return isLonger ? `must not be longer than ${max} characters of JSON` : null
}

const keepsDigits = (value: number): boolean =>
  Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value))
