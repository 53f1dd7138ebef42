import { hash as digest } from 'node:crypto'
import { buildId } from '../plan/build-id.js'
import { hashOf } from '../plan/hash-of.js'
import type { RenderedFile } from '../plan/render.js'
import type { Parts, Tidied } from '../plan/tidy.js'
import type { Base } from './snapshot.js'
import { at, svcPaths, type Target } from './target.js'

/** By path: hashes of a text as its template laid it out, and as the formatter left it. */
type Hashes = Record<string, readonly [laidOut: string, tidied: string]>

/** A whole run: the hash of all it was made from, and what came of it, each file with the hash of its text. */
interface Whole {
  readonly inputs: string
  readonly files: readonly (Omit<RenderedFile, 'content'> & { readonly hash: string })[]
}

interface Known {
  readonly build: string
  readonly files: Hashes
  /** By path of a repository's file: a hash of all it was made of, and one of its text. */
  readonly made: Readonly<Record<string, readonly [made: string, text: string]>>
  readonly whole: Whole | null
  /** By path of a file of many parts; absent: there is none. */
  readonly parts?: Readonly<Record<string, { readonly made: Parts; readonly hash: string }>>
}

export interface TidiedCache extends Tidied {
  /** What `render` gives for these inputs; the last run's texts when nothing they are made from has changed. */
  whole(
    inputs: unknown,
    render: () => Promise<readonly RenderedFile[]>,
  ): Promise<readonly RenderedFile[]>
  /** Remembers what this run formatted; not being able to costs the next run some time and nothing else. */
  save(): void
}

/**
 * Rendering and formatting are most of a run, and most texts are those of the last run: `.svc/base` holds them, and
 * `.svc/tidied.json` (not committed) knows what they were made from. A cache that lies, is torn, or is gone costs time
 * only. Another build of svc starts anew.
 */
export function openTidied(target: Target, written: Base): TidiedCache {
  const known = read(target)
  const files: Hashes = {}
  const made: Record<string, readonly [string, string]> = {}
  let whole: Whole | null = null
  let { parts } = known
  let isNews = false
  const baseOf = (path: string, expected: string) => {
    const base = written.get(path)
    return base !== undefined && hash(base) === expected ? base : null
  }
  return {
    find: (path, text) => {
      const [from, to] = known.files[path] ?? []
      if (from === undefined || to === undefined || from !== hash(text)) return null
      const base = baseOf(path, to)
      if (base !== null) files[path] = [from, to]
      return base
    },
    note: (path, text, tidied) => {
      isNews = true
      files[path] = [hash(text), hash(tidied)]
    },
    again: (path, from) => {
      const [before, text] = known.made[path] ?? []
      if (buildId === null || before !== from || text === undefined) return null
      const base = baseOf(path, text)
      if (base === null) return null
      const laidOut = known.files[path]
      if (laidOut !== undefined) files[path] = laidOut
      made[path] = [from, text]
      return base
    },
    made: (path, from, text) => {
      isNews = true
      made[path] = [from, hash(text)]
    },
    parts: (path) => {
      const last = buildId === null ? undefined : known.parts?.[path]
      const text = last === undefined ? null : baseOf(path, last.hash)
      return last === undefined || text === null ? null : { text, made: last.made }
    },
    noteParts: (path, partsOf, text) => {
      isNews = true
      parts = { ...parts, [path]: { made: partsOf, hash: hash(text) } }
    },
    whole: async (given, render) => {
      if (buildId === null) return render()
      const inputs = hashOf(given)
      const found = known.whole?.inputs === inputs ? again(known.whole, baseOf) : null
      if (found !== null) {
        // Should this run format a client, what is known of the rest is kept.
        whole = known.whole
        Object.assign(files, known.files)
        Object.assign(made, known.made)
        return found
      }
      const rendered = await render()
      isNews = true
      whole = {
        inputs,
        files: rendered.map(({ content, ...file }) => ({ ...file, hash: hash(content) })),
      }
      return rendered
    },
    save: () => {
      if (!isNews) return
      try {
        const next: Known = {
          ...{ build: thisBuild, files: sorted(files), made: sorted(made), whole },
          ...(parts === undefined ? {} : { parts }),
        }
        target.files.write(at(target, svcPaths.tidied), JSON.stringify(next))
      } catch {
        // A full or read-only disk: the run itself is done.
      }
    },
  }
}

/** Null as soon as one text is not in the base. */
function again(
  { files }: Whole,
  baseOf: (path: string, hash: string) => string | null,
): readonly RenderedFile[] | null {
  const found: RenderedFile[] = []
  for (const { hash: expected, ...file } of files) {
    const content = baseOf(file.path, expected)
    if (content === null) return null
    found.push({ ...file, content })
  }
  return found
}

const thisBuild = buildId ?? 'source'
const nothing: Known = { build: thisBuild, files: {}, made: {}, whole: null }

function read(target: Target): Known {
  try {
    const value: unknown = JSON.parse(target.files.read(at(target, svcPaths.tidied)) ?? 'null')
    const isOurs = typeof value === 'object' && value !== null && 'build' in value
    // Written by `save` of this build and by nothing else; whatever else it holds finds no base with that hash.
    return isOurs && value.build === thisBuild
      ? { ...nothing, ...value, build: thisBuild }
      : nothing
  } catch {
    return nothing
  }
}

/** Files are rendered in no certain order. */
const sorted = <Value>(record: Readonly<Record<string, Value>>): Record<string, Value> =>
  Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)))

const hash = (text: string) => digest('sha1', text, 'base64')
