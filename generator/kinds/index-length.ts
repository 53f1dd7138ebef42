/** The longest text a database index takes, in characters of up to four bytes. */
export const LONGEST_INDEXED = 600

/** Text that may have any length has to say one. */
export const isShort = (max: number | undefined): boolean =>
  max !== undefined && max <= LONGEST_INDEXED

/** Text with a bound of its own. */
export const isShortOrUnsaid = (max: number | undefined): boolean =>
  max === undefined || isShort(max)
