import { z } from 'zod'
import { worded } from './messages.js'

/** Text of one form, kept as it was sent: `formed(/^[a-z]+$/, 'must be lower-case letters')`. */
export const formed = (form: RegExp, error: string) =>
  z.string().regex(form, { abort: true, error: () => worded(error, 'format') })
