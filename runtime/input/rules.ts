/**
 * One rule per field kind, named after it: zod schemas, so they chain (`text().max(160)`,
 * `.nullish()`). What passes is the value rows hold. No rule lets a NUL character or half a
 * surrogate pair through: databases refuse them. Their types are left to the compiler: it compares
 * one that is written here with the one it finds, for longer than it takes for all the rest.
 */

import { z } from 'zod'
import { isUuid } from '../model/ids.js'
import { readInstant } from '../model/instant.js'

/** NUL, and halves of characters. */
const unstorable = /[\0\p{Surrogate}]/u

export const isStorable = (text: string): boolean => !unstorable.test(text)

export const storable = { error: 'must not contain characters that cannot be stored' }

/** Text of any length. */
export function text() {
  return z.string().refine(isStorable, storable)
}

/** Text; the kind for values nothing more is known of. */
export const field = text

/** Text over several lines. */
export const textarea = (max = 65_535) => text().max(max)

/** A whole number of 32 bits. */
export const integer = () => z.int32()

/** A whole number of 32 bits. */
export const number = integer

/** A number with a fraction, as exact as JSON numbers are. */
export const float = () => z.number()

export const boolean = () => z.boolean()

export const toggle = boolean

/** A day: `2026-02-03`. */
export function date() {
  return z.string().transform((value, context) => {
    const found = /^\d{4}-\d\d-\d\d$/.test(value) ? readInstant(value) : undefined
    if (found === undefined) context.addIssue('must be a date such as 2026-02-03')
    return value
  })
}

/** A time: ISO 8601 with any offset; without one it is UTC, without a time it is midnight. */
export function dateTime() {
  return z.string().transform((value, context) => {
    const found = readInstant(value)
    if (found === undefined) context.addIssue('must be a time such as 2026-02-03T04:05:06Z')
    return found ?? value
  })
}

/** Some of these, each once. */
export function multiSelect<const Options extends readonly [string, ...string[]]>(
  options: Options,
) {
  const option = z.enum(options)
  const isDistinct = (values: readonly string[]) => new Set(values).size === values.length
  return z.array(option).refine(isDistinct, { error: 'must not contain the same value twice' })
}

/** One of these. */
export function select<const Options extends readonly [string, ...string[]]>(options: Options) {
  return z.enum(options)
}

export const email = () => z.email().max(254)

/** 8 to 200 characters; stored as a hash. */
export const password = () => text().min(8).max(200)

export function uuid() {
  return z.string().transform((value, context) => {
    if (!isUuid(value)) context.addIssue('must be a UUID')
    return value.toLowerCase()
  })
}

/** The id of another record, as number or text; that the user may see it is checked besides. */
export function reference(kind: 'integer'): ReturnType<typeof wholeId>
export function reference(kind: 'uuid'): ReturnType<typeof uuid>
export function reference(kind: 'integer' | 'uuid'): unknown {
  if (kind === 'uuid') return uuid()
  return wholeId()
}

function wholeId() {
  return z.union([z.string(), z.number()]).transform((value, context) => {
    const id = /^[1-9]\d{0,9}$/.test(String(value)) ? Number(value) : 0
    if (id === 0 || id > 2_147_483_647) context.addIssue('must be the id of a record')
    return id
  })
}
