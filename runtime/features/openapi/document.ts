import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Context } from 'hono'
import { findFile } from '../../find-file.js'
import { prefixOf } from '../../http/prefix.js'

/**
 * Answers with a file of the project, read once: `path` is relative to the nearest folder above the
 * caller (compiled or not) that has it. Who has the text already gets 304.
 */
export function serveDocument(
  caller: string,
  path: string,
  type = 'application/json',
  more: Readonly<Record<string, string>> = {},
) {
  return served(new Uint8Array(readFileSync(findFile(caller, path))), type, more)
}

/** The document of the API; where `APP_URL` has a path, its operations are below that. */
export function serveOpenapi(caller: string, path: string) {
  const text = readFileSync(findFile(caller, path), 'utf8')
  const byPrefix = new Map<string, (c: Context) => Response>()
  return (c: Context): Response => {
    const prefix = prefixOf(c)
    const known = byPrefix.get(prefix) ?? served(encoded(belowPrefix(text, prefix)))
    byPrefix.set(prefix, known)
    return known(c)
  }
}

const encoded = (text: string) => new Uint8Array(Buffer.from(text))

function belowPrefix(text: string, prefix: string): string {
  if (prefix === '') return text
  const document: unknown = JSON.parse(text)
  return JSON.stringify(Object.assign({}, document, { servers: [{ url: prefix }] }))
}

function served(
  bytes: Uint8Array<ArrayBuffer>,
  type = 'application/json',
  more: Readonly<Record<string, string>> = {},
) {
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`
  const headers = { ETag: etag, 'Cache-Control': 'private, no-cache', ...more }
  return (c: Context): Response => {
    const known = c.req.header('if-none-match')?.split(',') ?? []
    const isKnown = known.some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')))
    if (isKnown) return c.body(null, 304, headers)
    return c.body(bytes, 200, { ...headers, 'Content-Type': type })
  }
}
