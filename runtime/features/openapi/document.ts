import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Context } from 'hono'
import { findFile } from '../../find-file.js'

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
  const bytes = new Uint8Array(readFileSync(findFile(caller, path)))
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`
  const headers = { ETag: etag, 'Cache-Control': 'private, no-cache', ...more }
  return (c: Context): Response => {
    const known = c.req.header('if-none-match')?.split(',') ?? []
    const isKnown = known.some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')))
    if (isKnown) return c.body(null, 304, headers)
    return c.body(bytes, 200, { ...headers, 'Content-Type': type })
  }
}
