/** Whether a raw path can be decoded: no broken `%` sequence, no NUL. */
export function isReadablePath(path: string): boolean {
  if (!path.includes('%')) return true
  try {
    return !decodeURIComponent(path).includes('\0')
  } catch {
    return false
  }
}

/** The path of a URL as it was sent, without the query. */
export function rawPath(url: string): string {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  if (start === -1) return '/'
  const end = url.indexOf('?', start)
  return end === -1 ? url.slice(start) : url.slice(start, end)
}

/** For the log: a segment longer than any id may be a secret (a verification hash, a token). */
export function loggedPath(path: string): string {
  if (path.length <= 36) return path
  return path
    .split('/')
    .map((segment) => (segment.length > 36 ? '…' : segment))
    .join('/')
}
