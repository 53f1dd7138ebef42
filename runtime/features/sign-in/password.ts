import { randomUUID } from 'node:crypto'
import { hash, verify, type Options } from '@node-rs/argon2'
import type { Extension } from '../../model/entity.js'

/**
 * Argon2id with 19 MiB, 2 passes, 1 lane: OWASP's recommendation, about 20 ms on a thread of the
 * pool, so the event loop stays free. The numbers are part of each hash; raising them leaves old
 * passwords valid.
 */
const options: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** The text to store for a password: algorithm, parameters, salt and hash. */
export function hashPassword(password: string): Promise<string> {
  return hash(composed(password), options)
}

/** For a repository: its passwords are stored as their hashes. */
export const hashedPasswords: Extension = {
  says: { stores: { password: async (text) => hashPassword(String(text)) } },
}

/** Returns true if `password` is the one `stored` was made of. False for text that is no hash. */
export async function verifyPassword(stored: string, password: string): Promise<boolean> {
  return (await verified(stored, password)) ?? false
}

/** Null for text that is no hash. */
async function verified(stored: string, password: string): Promise<boolean | null> {
  try {
    return await verify(stored, composed(password))
  } catch {
    return null
  }
}

/** Keyboards write `é` as one character or as two, and people type the same password on several. */
const composed = (password: string) => password.normalize('NFC')

/** Returns true if `stored` was made with other parameters than today's: then hash again. */
export function needsRehash(stored: string): boolean {
  const { memoryCost, timeCost, parallelism } = options
  return !stored.startsWith(`$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$`)
}

let noUsersHash: Promise<string> | null = null

/**
 * The hash of a password that no user has, made with today's parameters: verified where there is no
 * user, so that the answer takes as long. Made before the first sign-in asks for it.
 */
export const preparePasswords = () => (noUsersHash ??= hashPassword(randomUUID()))

/**
 * Whether `password` is the user's. The same work when there is no user (`stored` is null), or one
 * whose text is no hash.
 */
export async function checkPassword(stored: string | null, password: string): Promise<boolean> {
  const hashOfNobody = await preparePasswords()
  const isRight = stored === null ? null : await verified(stored, password)
  if (isRight === null) await verifyPassword(hashOfNobody, password)
  return isRight === true
}
