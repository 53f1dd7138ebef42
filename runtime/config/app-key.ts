import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'

/** The secret of this server: all its processes have the same. */
export const appKeyEnv = {
  /** Signs what comes back in requests. Development makes one and keeps it in APP_KEY_FILE. */
  APP_KEY: z.string().min(32, { error: 'must have at least 32 characters' }).optional(),
  APP_KEY_FILE: z.string().default('storage/app.key'),
}

/** Says that production needs a key, and how to make one; `what` it signs. */
export const makeOne = (what: string) => `it signs ${what}; make one with: openssl rand -hex 32`

interface Without {
  readonly NODE_ENV: string
  readonly APP_KEY_FILE: string
}

/** In development what was signed outlives the process; a test needs no more than its own. */
export function keyWithout({ NODE_ENV, APP_KEY_FILE: file }: Without): string {
  const key = randomBytes(32).toString('hex')
  if (NODE_ENV !== 'development') return key
  try {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, key, { flag: 'wx', mode: 0o600 })
    return key
  } catch {
    return readKey(file) ?? key
  }
}

/** Null where nothing can be read or written: then the key lasts as long as the process. */
function readKey(file: string): string | null {
  try {
    const text = readFileSync(file, 'utf8').trim()
    return text.length >= 32 ? text : null
  } catch {
    return null
  }
}
