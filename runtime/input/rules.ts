/**
 * One rule per field kind, named after it, here and in the files beside: zod schemas, so they chain
 * (`text().max(160)`, `.nullish()`). What passes is the value rows hold. No rule lets a NUL
 * character or half a surrogate pair through: databases refuse them. Their types are not written
 * out: comparing zod's long types takes the compiler longer than all the rest.
 */

import { z } from 'zod'
import { isStorable, notWhiteSpace, unstorable } from '../kinds/text.js'
import { worded } from './messages.js'

const mustBeStorable = { error: () => worded(unstorable, 'storable') }

/** Text of any length. */
export function text() {
  return z.string().refine(isStorable, mustBeStorable)
}

/** For text that a record must have: `text().check(notBlank)`. What passes is stored as it was sent, with blanks around it. */
export const notBlank = z.refine<string>((value) => notWhiteSpace.test(value), {
  abort: true,
  error: () => worded('must not be empty', 'empty'),
})

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

export const email = () => z.email().max(254)

/** 8 to 200 characters; stored as a hash. */
export const password = () => text().min(8).max(200)
