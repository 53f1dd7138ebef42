import { z } from 'zod'
import { isStorable, unstorable } from '../kinds/text.js'
import { worded } from './messages.js'

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
      // Asked of what is chained as well.
      error: (issue) =>
        issue.code === 'invalid_format' && issue.format === 'url'
          ? worded('must be an http or https URL', 'url')
          : undefined,
    })
    .max(max)
    .refine(isStorable, { error: () => worded(unstorable, 'storable'), abort: true })
    .refine((text) => plain.test(text), {
      error: () =>
        worded('must be an http or https URL without blanks, a name or a password', 'url'),
    })
