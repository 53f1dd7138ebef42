import { raw, read, sql } from '../../sql/sql.js'
import type { Auth } from './auth.js'
import { readTime } from './times.js'
import { foreignToken, hashSecret, isSameHash, readBearer } from './token-text.js'

type Source = Pick<Auth, 'database'> & { readonly findByJwt?: Auth['findByJwt'] | undefined }

/** Milliseconds from the end of one statement to the next. */
const pause = 50

/** Requests that wait for one statement. What does not find room is unknown. */
const mostTogether = 1_000

/**
 * The number of tokens of an outside issuer among them: verifying a signature takes 0.1 ms for a
 * curve.
 */
const mostSignatures = 25

type Answer = (isKnown: boolean | Promise<boolean>) => void

/**
 * Looks tokens up together, so that what made-up ones cost is bounded, however many they are: one
 * statement in 50 ms, of 1,000 ids at most. A valid one among them is found nevertheless.
 */
export function knownTokens(source: Source): (credentials: string) => Promise<boolean> {
  /** By credentials: the same ones are asked for once. */
  let waiting = new Map<string, Answer[]>()
  let size = 0
  let isBusy = false

  async function answerAll(): Promise<void> {
    const together = waiting
    waiting = new Map()
    size = 0
    const stored = validOf(source, together.keys())
    let signatures = 0
    for (const [credentials, answers] of together) {
      const isKnown = isOwn(credentials)
        ? stored.then((all) => all.has(credentials))
        : ++signatures <= mostSignatures && isIssuedElsewhere(source, credentials)
      for (const answer of answers) answer(isKnown)
    }
    // Whoever waits gets the error; here it ends nothing.
    await stored.catch(() => {})
    setTimeout(next, pause).unref()
  }

  function next(): void {
    isBusy = size > 0
    if (isBusy) void answerAll()
  }

  return (credentials) => {
    if (size >= mostTogether) return Promise.resolve(false)
    size += 1
    return new Promise<boolean>((resolve) => {
      const same = waiting.get(credentials)
      if (same === undefined) waiting.set(credentials, [resolve])
      else same.push(resolve)
      if (isBusy) return
      isBusy = true
      // Tokens that arrived in this turn of the loop are read together.
      setImmediate(next)
    })
  }
}

const isOwn = (credentials: string) => readBearer(credentials) !== null

/** Reads the tokens that are stored and have not ended, in one statement. */
async function validOf(
  { database }: Source,
  asked: Iterable<string>,
): Promise<ReadonlySet<string>> {
  const hashes = new Map<number, Map<string, string>>()
  for (const credentials of asked) {
    const own = readBearer(credentials)
    if (own === null) continue
    const ofId = hashes.get(own.id) ?? new Map<string, string>()
    hashes.set(own.id, ofId.set(credentials, hashSecret(own.secret)))
  }
  if (hashes.size === 0) return new Set()
  const ids = [...hashes.keys()]
  const among =
    database.dialect === 'sqlite'
      ? sql`IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`
      : sql`= ANY(${ids}::int[])`
  const columns = raw('SELECT id, token, expires_at FROM personal_access_tokens WHERE id ')
  const rows = await read(database, sql`${columns}${among}`)
  const now = new Date().toISOString()
  const valid = new Set<string>()
  for (const [id, hash, expires] of rows) {
    const end = readTime(database, expires)
    if (end !== null && end <= now) continue
    for (const [credentials, own] of hashes.get(Number(id)) ?? []) {
      if (isSameHash(String(hash), own)) valid.add(credentials)
    }
  }
  return valid
}

async function isIssuedElsewhere({ findByJwt }: Source, credentials: string): Promise<boolean> {
  const token = foreignToken(credentials)
  if (token === null || !findByJwt) return false
  return (await findByJwt(token)) !== null
}
