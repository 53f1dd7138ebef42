import { z } from 'zod'

/** Text of one form, kept as it was sent: `formed(/^[a-z]+$/, 'must be lower-case letters')`. */
export const formed = (form: RegExp, error: string) =>
  z.string().regex(form, { abort: true, error })
