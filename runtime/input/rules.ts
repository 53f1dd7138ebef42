/**
 * One rule per field kind, named after it: zod schemas, so they chain (`text().max(160)`,
 * `.nullish()`). What passes is the value rows hold. No rule lets a NUL character or half a
 * surrogate pair through: databases refuse them.
 */

import { z } from 'zod'
import { compareDecimals, decimalText } from '../model/decimal.js'
import { isUuid } from '../model/ids.js'
import { readInstant } from '../query/match.js'
import { absent } from './messages.js'

const unstorable = /[\0\p{Surrogate}]/u

const isStorable = (text: string): boolean => !unstorable.test(text)

const storable = { error: 'must not contain characters that cannot be stored' }

/** Text of any length. */
export function text(): z.ZodString {
  return z.string().refine(isStorable, storable)
}

/** Text; the kind for values nothing more is known of. */
export const field: () => z.ZodString = text

/** Text of any length, over several lines. */
export const textarea: () => z.ZodString = text

/** A whole number of 32 bits. */
export function integer(): z.ZodInt32 {
  return z.int32()
}

/** A whole number of 32 bits. */
export const number: () => z.ZodInt32 = integer

/** A number with a fraction, as exact as JSON numbers are. */
export function float(): z.ZodNumber {
  return z.number()
}

export function boolean(): z.ZodBoolean {
  return z.boolean()
}

export const toggle: () => z.ZodBoolean = boolean

/**
 * A number of at most `precision` digits, `scale` of them after the point. Text keeps every digit;
 * JSON numbers are taken while they do, which is up to 15 of them.
 * @example decimal(10, 2, { min: 0 })
 */
export function decimal(
  precision: number,
  scale: number,
  bounds: { readonly min?: number; readonly max?: number } = {},
): z.ZodType<string, string | number> {
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

/** A day: `2026-02-03`. */
export function date(): z.ZodType<string, string> {
  return z.string().transform((value, context) => {
    const found = /^\d{4}-\d\d-\d\d$/.test(value) ? readInstant(value) : undefined
    if (found === undefined) context.addIssue('must be a date such as 2026-02-03')
    return value
  })
}

/** A time: ISO 8601 with any offset; without one it is UTC, without a time it is midnight. */
export function dateTime(): z.ZodType<string, string> {
  return z.string().transform((value, context) => {
    const found = readInstant(value)
    if (found === undefined) context.addIssue('must be a time such as 2026-02-03T04:05:06Z')
    return found ?? value
  })
}

/**
 * Any JSON value but null, kept in its shape. Numbers that lost digits on the way are refused:
 * whole ones beyond 2^53, and those too large for any. So is a key `__proto__`, as a GraphQL text may
 * hold it.
 */
export function json(): z.ZodType<unknown, unknown> {
  return z.unknown().superRefine((value, context) => {
    const problem = jsonProblem(value)
    if (problem !== null) context.addIssue({ code: 'custom', message: problem })
  })
}

/** Walks with a list of its own: nesting has no limit here. */
function jsonProblem(value: unknown): string | null {
  if (value === undefined || value === null) return absent(value)
  const left = [value]
  while (left.length > 0) {
    const item = left.pop()
    if (typeof item === 'string' && !isStorable(item)) return storable.error
    if (typeof item === 'number' && !keepsDigits(item)) {
      return 'must not contain numbers that lose digits: send them as text'
    }
    if (typeof item !== 'object' || item === null) continue
    for (const [key, inner] of Object.entries(item)) {
      if (!isStorable(key)) return storable.error
      if (key === '__proto__') return 'must not contain the key __proto__'
      left.push(inner)
    }
  }
  return null
}

const keepsDigits = (value: number): boolean =>
  Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value))

/** Some of these, each once. */
export function multiSelect<const Options extends readonly [string, ...string[]]>(
  options: Options,
): z.ZodArray<z.ZodType<Options[number], string>> {
  const option: z.ZodType<Options[number], string> = z.enum(options)
  const isDistinct = (values: readonly string[]) => new Set(values).size === values.length
  return z.array(option).refine(isDistinct, { error: 'must not contain the same value twice' })
}

/** One of these. */
export function select<const Options extends readonly [string, ...string[]]>(
  options: Options,
): z.ZodType<Options[number], string> {
  return z.enum(options)
}

export function email(): z.ZodEmail {
  return z.email().max(254)
}

/** 8 to 200 characters; stored as a hash. */
export function password(): z.ZodString {
  return text().min(8).max(200)
}

export function uuid(): z.ZodType<string, string> {
  return z.string().transform((value, context) => {
    if (!isUuid(value)) context.addIssue('must be a UUID')
    return value.toLowerCase()
  })
}

/** The id of another record, as number or text; that the user may see it is checked besides. */
export function reference(kind: 'integer'): z.ZodType<number, string | number>
export function reference(kind: 'uuid'): z.ZodType<string, string>
export function reference(kind: 'integer' | 'uuid'): z.ZodType {
  if (kind === 'uuid') return uuid()
  return z.union([z.string(), z.number()]).transform((value, context) => {
    const id = /^[1-9]\d{0,9}$/.test(String(value)) ? Number(value) : 0
    if (id === 0 || id > 2_147_483_647) context.addIssue('must be the id of a record')
    return id
  })
}
