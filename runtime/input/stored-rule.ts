import { z } from 'zod'
import { noDigits, type StoredKind } from '../kinds/kind.js'
import { worded } from './messages.js'

/** Text that a kind takes, in its one form. */
export const storedText = (kind: StoredKind) =>
  z.string().transform((value, context) => {
    const found = kind.fromJson(value, noDigits)
    if (found === undefined) {
      context.addIssue(worded(`must be ${kind.says(noDigits)}`, kind.name))
    }
    return String(found ?? value)
  })
