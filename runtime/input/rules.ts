/**
 * One rule per field kind, named after it: zod schemas, so they chain (`text().max(160)`,
 * `.nullish()`). What passes is the value rows hold. No rule lets a NUL character or half a
 * surrogate pair through: databases refuse them.
 */

import { z } from 'zod'
import { isUuid } from '../model/ids.js'
import { readInstant } from '../model/instant.js'

/** NUL, and halves of characters. */
const unstorable = /[\0\p{Surrogate}]/u

export const isStorable = (text: string): boolean => !unstorable.test(text)

export const storable = { error: 'must not contain characters that cannot be stored' }

/** Text of any length. */
export function text(): z.ZodString {
  return z.string().refine(isStorable, storable)
}

/** Text; the kind for values nothing more is known of. */
export const field: () => z.ZodString = text

/** Text over several lines. */
export const textarea = (max = 65_535): z.ZodString => text().max(max)

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
