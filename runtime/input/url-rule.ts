import { z } from 'zod'
import { isStorable, unstorable } from '../kinds/text.js'

/** No blank or control character anywhere, and no name or password before the host: those would be shown to all. */
const plain = /^https?:\/\/[^\s\p{Cc}/?#@\\]+([/?#][^\s\p{Cc}]*)?$/iu

/**
 * An absolute http or https URL that the platform's parser takes, kept as it was sent; blanks around it go. What begins so
 * is safe as a link: it is never `javascript:`.
 */
export const url = (max = 2048) =>
  z
    .url({
      protocol: /^https?$/,
      abort: true,
      error: ({ code }) => (code === 'invalid_format' ? 'must be an http or https URL' : undefined),
    })
    .max(max)
    .refine(isStorable, { error: unstorable, abort: true })
    .refine((text) => plain.test(text), {
      error: 'must be an http or https URL without blanks, a name or a password',
    })
