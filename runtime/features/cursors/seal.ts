import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  timingSafeEqual,
} from 'node:crypto'

/** Makes text that only this server reads, and that says the same only where it was made for. */
export interface Seal {
  close(text: string, about: string): string
  /** Null: it was altered, made with another key, or about something else. */
  open(sealed: string, about: string): string | null
}

const tagBytes = 16

/**
 * A cursor holds values of records, and ends up in logs of proxies and in histories of browsers: so
 * it is encrypted, and not signed alone. The tag of text and place is also what the encryption
 * begins with (the synthetic IV of RFC 5297, with HMAC-SHA-256): no random number can repeat, and
 * the same page has the same cursor each time.
 */
export function sealWith(secret: string): Seal {
  const keys = Buffer.from(hkdfSync('sha256', secret, '', 'cursors of lists', 64))
  const [tagKey, textKey] = [keys.subarray(0, 32), keys.subarray(32)]
  const tagOf = (text: Buffer, about: string) =>
    createHmac('sha256', tagKey)
      .update(`${Buffer.byteLength(about)}:${about}`)
      .update(text)
      .digest()
      .subarray(0, tagBytes)
  return {
    close(text, about) {
      const plain = Buffer.from(text)
      const tag = tagOf(plain, about)
      const sealed = createCipheriv('aes-256-ctr', textKey, tag).update(plain)
      return Buffer.concat([tag, sealed]).toString('base64url')
    },
    open(sealed, about) {
      const bytes = Buffer.from(sealed, 'base64url')
      // Another text that decodes to the same bytes is refused.
      if (bytes.length <= tagBytes || bytes.toString('base64url') !== sealed) return null
      const tag = bytes.subarray(0, tagBytes)
      const plain = createDecipheriv('aes-256-ctr', textKey, tag).update(bytes.subarray(tagBytes))
      return timingSafeEqual(tag, tagOf(plain, about)) ? plain.toString() : null
    },
  }
}
