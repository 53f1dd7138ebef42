import { createHash } from 'node:crypto'
import { ownVersion } from '../plan/package-files.js'
import type { Tidied } from '../plan/tidy.js'
import { at, own, type Target } from './target.js'

/** By path: hashes of a text as its template laid it out, and as the formatter left it. */
type Hashes = Record<string, readonly [laidOut: string, tidied: string]>

interface TidiedCache extends Tidied {
  /** Remembers what this run formatted; not being able to costs the next run some time and nothing else. */
  save(): void
}

/**
 * Formatting is most of a run, and most texts are those of the last run: `.svc/base` holds them formatted, and
 * `.svc/tidied.json` (not committed) knows from which text. A cache that lies, is torn, or is gone costs time only.
 */
export function openTidied(target: Target): TidiedCache {
  const known = read(target)
  const now: Hashes = {}
  let isNews = false
  return {
    find: (path, text) => {
      const [from, to] = known[path] ?? []
      if (from === undefined || to === undefined || from !== hash(text)) return null
      const base = target.files.read(at(target, `${own.base}/${path}`))
      if (base === null || hash(base) !== to) return null
      now[path] = [from, to]
      return base
    },
    note: (path, text, tidied) => {
      isNews = true
      now[path] = [hash(text), hash(tidied)]
    },
    save: () => {
      if (!isNews) return
      try {
        const files = Object.fromEntries(Object.entries(now).sort(([a], [b]) => (a < b ? -1 : 1)))
        target.files.write(at(target, own.tidied), JSON.stringify({ svc: ownVersion, files }))
      } catch {
        // A full or read-only disk: the run itself is done.
      }
    },
  }
}

function read(target: Target): Hashes {
  try {
    const value: unknown = JSON.parse(target.files.read(at(target, own.tidied)) ?? '{}')
    const isOurs = typeof value === 'object' && value !== null && 'svc' in value && 'files' in value
    // Written by `save` and by nothing else; whatever else it holds finds no base with that hash.
    return isOurs && value.svc === ownVersion ? (value.files as Hashes) : {}
  } catch {
    return {}
  }
}

const hash = (text: string) => createHash('sha1').update(text).digest('base64')
