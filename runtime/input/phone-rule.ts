import { z } from 'zod'
import { worded } from './messages.js'

/** Blanks, brackets, dots and dashes, with which people write phone numbers. */
const marks = /[\s().[\]\u2010-\u2015-]/g

/** An international phone number, `+` and 7 to 15 digits (E.164): what is kept is `+393331234567`, however it was sent. */
export const phone = () =>
  z
    .string()
    .overwrite((text) => text.replaceAll(marks, ''))
    .regex(z.regexes.e164, {
      abort: true,
      error: () => worded('must be an international phone number: + and 7 to 15 digits', 'phone'),
    })
