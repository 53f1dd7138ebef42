import { hash as digest } from 'node:crypto'
import { buildId } from '../../plan/render/build-id.js'
import type { RenderedFile } from '../../plan/render/render.js'
import { hashOf } from '../../source/hash-of.js'
import type { Parts, Tidied } from '../../source/tidy.js'
import { at, svcPaths, type Target } from '../target.js'
import type { Base } from './snapshot.js'

/** By path: hashes of a text as its template laid it out, and as the formatter left it. */
type Hashes = Record<string, readonly [laidOut: string, tidied: string]>

/** A whole run: the hash of all it was made from, and what came of it, each file with the hash of its text. */
interface Whole {
  readonly inputs: string
  readonly files: readonly (Omit<RenderedFile, 'content'> & { readonly hash: string })[]
}

/** The content of `.svc/tidied.json`. */
interface Saved {
  readonly build: string
  readonly files: Hashes
  /** By path of a repository's file: a hash of all it was made of, and one of its text. */
  readonly made: Readonly<Record<string, readonly [made: string, text: string]>>
  readonly whole: Whole | null
  /** By path of a file of many parts; absent: there is none. */
  readonly parts?: Readonly<Record<string, { readonly made: Parts; readonly hash: string }>>
}

/**
 * Rendering and formatting are most of a run, and most texts are those of the last run: `.svc/base.txt` holds them, and
 * `.svc/tidied.json` (not committed) knows what they were made from. A cache that lies, is torn, or is gone costs time
 * only. Another build of svc starts anew.
 */
export class TidiedCache implements Tidied {
  readonly #target: Target
  readonly #base: Base
  readonly #last: Saved
  readonly #files: Hashes = {}
  readonly #made: Record<string, readonly [made: string, text: string]> = {}
  #whole: Whole | null = null
  #parts: Saved['parts']
  #isNews = false

  constructor(target: Target, base: Base) {
    this.#target = target
    this.#base = base
    this.#last = read(target)
    this.#parts = this.#last.parts
  }

  find(path: string, text: string): string | null {
    const [from, to] = this.#last.files[path] ?? []
    if (from === undefined || to === undefined || from !== hash(text)) return null
    const base = this.#baseOf(path, to)
    if (base !== null) this.#files[path] = [from, to]
    return base
  }

  note(path: string, text: string, tidied: string): void {
    this.#isNews = true
    this.#files[path] = [hash(text), hash(tidied)]
  }

  again(path: string, from: string): string | null {
    const [before, text] = this.#last.made[path] ?? []
    if (buildId === null || before !== from || text === undefined) return null
    const base = this.#baseOf(path, text)
    if (base === null) return null
    const laidOut = this.#last.files[path]
    if (laidOut !== undefined) this.#files[path] = laidOut
    this.#made[path] = [from, text]
    return base
  }

  made(path: string, from: string, text: string): void {
    this.#isNews = true
    this.#made[path] = [from, hash(text)]
  }

  parts(path: string): { readonly text: string; readonly made: Parts } | null {
    const last = buildId === null ? undefined : this.#last.parts?.[path]
    const text = last === undefined ? null : this.#baseOf(path, last.hash)
    return last === undefined || text === null ? null : { text, made: last.made }
  }

  noteParts(path: string, made: Parts, text: string): void {
    this.#isNews = true
    this.#parts = { ...this.#parts, [path]: { made, hash: hash(text) } }
  }

  /**
   * Returns the texts of `render` for these inputs; the last run's texts when nothing they are made
   * from has changed.
   */
  async whole(
    given: unknown,
    render: () => Promise<readonly RenderedFile[]>,
  ): Promise<readonly RenderedFile[]> {
    if (buildId === null) return render()
    const inputs = hashOf(given)
    const last = this.#last.whole?.inputs === inputs ? this.#textsOf(this.#last.whole) : null
    if (last !== null) {
      // Should this run format a client, what is known of the rest is kept.
      this.#whole = this.#last.whole
      Object.assign(this.#files, this.#last.files)
      Object.assign(this.#made, this.#last.made)
      return last
    }
    const rendered = await render()
    this.#isNews = true
    const files = rendered.map(({ content, ...file }) => ({ ...file, hash: hash(content) }))
    this.#whole = { inputs, files }
    return rendered
  }

  /** Remembers what this run formatted; not being able to costs the next run some time and nothing else. */
  save(): void {
    if (!this.#isNews) return
    try {
      const next: Saved = {
        ...{ build: thisBuild, files: sorted(this.#files), made: sorted(this.#made) },
        whole: this.#whole,
        ...(this.#parts === undefined ? {} : { parts: this.#parts }),
      }
      const path = at(this.#target, svcPaths.tidied)
      this.#target.files.write(path, JSON.stringify(next))
    } catch {
      // A full or read-only disk: the run itself is done.
    }
  }

  /** The text in the base, if it has this hash. */
  #baseOf(path: string, expected: string): string | null {
    const base = this.#base.get(path)
    return base !== undefined && hash(base) === expected ? base : null
  }

  /** Null as soon as one text is not in the base. */
  #textsOf({ files }: Whole): readonly RenderedFile[] | null {
    const found: RenderedFile[] = []
    for (const { hash: expected, ...file } of files) {
      const content = this.#baseOf(file.path, expected)
      if (content === null) return null
      found.push({ ...file, content })
    }
    return found
  }
}

const thisBuild = buildId ?? 'source'
const nothing: Saved = { build: thisBuild, files: {}, made: {}, whole: null }

function read(target: Target): Saved {
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
