import { z } from 'zod'
import { readInstant } from '../model/instant.js'

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
