import { createHash } from 'node:crypto'
import type { Context } from 'hono'
import { badRequest } from '../../errors.js'
import { isTurnLong, nextTurn } from '../../event-loop.js'
import { readBytes } from '../../http/body.js'
import type { ServerEnv } from '../../http/context.js'
import { parametersOf } from '../../http/request.js'
import { userId } from '../../policy/access.js'
import { reliedOn } from '../../query/request-parts.js'

export const header = 'Idempotency-Key'

/** A request with a key, as the table knows it: both are digests, so what is stored has one length. */
export interface KeyedRequest {
  /** A hash of the key, and of its owner. */
  readonly key: string
  /** A hash of the request: the key with another one is a mistake. */
  readonly fingerprint: string
}

/** 400 for what is no key, or nobody's: without a user anybody could ask for another's answer. */
export async function readKeyed(
  c: Context<ServerEnv<unknown>>,
  limit: number,
): Promise<KeyedRequest> {
  const text = c.req.header(header) ?? ''
  if (!/^[\x21-\x7e]{1,255}$/.test(text)) throw badRequest(wrong)
  const user = c.get('user')
  if (user === null || user === undefined) throw badRequest(nobody)
  const owner = `${String(userId({ user }))} ${c.get('token')?.id ?? ''}`
  const asked = `${c.req.method} ${c.req.path}?${parametersOf(c.req.url).toString()}\n${conditionsOf(c)}`
  return {
    key: await digest(owner, Buffer.from(`\n${text}`)),
    fingerprint: await digest(asked, await readBytes(c, limit)),
  }
}

/** Headers that decide what is done, or how it is answered. */
const deciding = reliedOn.flatMap(({ in: where, name }) =>
  where === 'header' && name !== header ? [name] : [],
)

const conditionsOf = ({ req }: Context): string =>
  [...deciding, 'Prefer']
    .flatMap((name) => {
      const text = req.header(name)
      return text === undefined ? [] : [`${name}: ${text}\n`]
    })
    .join('')

const wrong = `The ${header} header must be 1 to 255 letters, digits and signs, without spaces.`

const nobody = `The ${header} header needs a signed-in user, to whom the answer is kept. Nothing was done.`

/** Bytes that are hashed before others have their turn: a millisecond. */
const pieceBytes = 1_048_576

async function digest(text: string, bytes: Buffer): Promise<string> {
  const hash = createHash('sha256').update(text)
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    if (isTurnLong()) await nextTurn()
    hash.update(bytes.subarray(at, at + pieceBytes))
  }
  return hash.digest('hex')
}
