import { newUuid } from './new-uuid.js'

/** Crockford's: no I, L, O and U. */
const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/**
 * A ULID, of 26 characters: the 128 bits of a UUID of version 7, so those that one process makes
 * sort in the order they were made.
 */
export function newUlid(): string {
  let bits = BigInt(`0x${newUuid().replaceAll('-', '')}`)
  let text = ''
  for (let at = 0; at < 26; at++) {
    text = (digits[Number(bits & 31n)] ?? '') + text
    bits >>= 5n
  }
  return text
}
