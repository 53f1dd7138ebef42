import { z } from 'zod'
import { noDigits, type StoredKind } from '../kinds/kind.js'

/** Text that a kind takes, in its one form. */
export const storedText = (kind: StoredKind) =>
  z.string().transform((value, context) => {
    const found = kind.fromJson(value, noDigits)
    if (found === undefined) context.addIssue(`must be ${kind.says(noDigits)}`)
    return String(found ?? value)
  })
