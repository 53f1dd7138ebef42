import { createHmac } from 'node:crypto'
import { isSameHash } from './token-text.js'

/** Minutes a verification link is valid. */
const verificationMinutes = 60 * 24

interface Address {
  readonly key: string
  readonly id: number | string
  readonly email: string
}

/**
 * The `emailHash` of a verification link: when it ends, and a keyed hash over that, the user and
 * the address. Without the key none can be made, and one for another address or user is wrong.
 */
export function signEmail(address: Address, now = Date.now()): string {
  const expires = Math.floor(now / 1000) + verificationMinutes * 60
  return `${expires}-${keyedHash(address, expires)}`
}

/** Returns true if the hash was made here for this user and address, and has not ended. */
export function isSignedEmail(address: Address, hash: string, now = Date.now()): boolean {
  const [, expires = '0', signature = ''] = /^(\d{1,12})-([0-9a-f]{64})$/.exec(hash) ?? []
  const isMade = isSameHash(signature, keyedHash(address, Number(expires)))
  return isMade && Number(expires) * 1000 > now
}

function keyedHash({ key, id, email }: Address, expires: number): string {
  const text = JSON.stringify(['verify-email', expires, String(id), email])
  return createHmac('sha256', key).update(text).digest('hex')
}

/** Fills `{name}` places of a link template; values are escaped, `{frontend_url}` is not. */
export function fillLink(
  template: string,
  frontendUrl: string,
  values: Readonly<Record<string, string>>,
): string {
  return template.replaceAll(/\{(\w+)\}/g, (place, name: string) => {
    if (name === 'frontend_url') return frontendUrl.replace(/\/+$/, '')
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    return value === undefined ? place : encodeURIComponent(value)
  })
}
