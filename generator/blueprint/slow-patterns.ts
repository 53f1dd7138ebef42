import { createRequire } from 'node:module'

type Library = typeof import('../libraries/recheck.cjs')

/** 3 MB: only where the manifest has a regular expression. */
let library: Library | undefined
function recheck(): Library {
  // `createRequire` answers any; the types are those of the package.
  library ??= createRequire(import.meta.url)('../libraries/recheck.cjs') as Library
  return library
}

export interface Slow {
  /** After `which`. */
  readonly why: string
  readonly fix: string
}

const known = new Map<string, Slow | null>()

/** Returns why a regular expression may take long; null: it is fast for every text. */
export function slowness(source: string): Slow | null {
  const found = known.get(source)
  if (found !== undefined) return found
  const slow = find(source)
  known.set(source, slow)
  return slow
}

/**
 * Of automata, which is exact and takes milliseconds. What recheck would try besides, where there are look-arounds and
 * references, takes seconds and finds what it finds by chance.
 */
const ask = (source: string) => recheck().checkSync(source, 'u', { checker: 'automaton' })

function find(source: string): Slow | null {
  const found = ask(loosened(source))
  if (found.status === 'safe') return null
  if (found.status === 'unknown') return found.error.kind === 'timeout' ? unsure : lookingAround
  const { complexity, attack } = found
  if (complexity.type === 'polynomial' && isShort(source, complexity.degree)) return null
  const time = complexity.type === 'polynomial' ? powers[complexity.degree] : 'exponential time'
  const text = attack.pattern.length <= 60 ? attack.pattern : `${attack.pattern.slice(0, 60)}…`
  return { why: `takes ${time ?? 'polynomial time'} for some texts: ${text}`, fix: faster }
}

const counts = /\\.|\[(?:\\.|[^\]\\])*\]|\{(\d+)(,?)(\d*)\}/gsu

/** Times that a part is repeated in what is asked: more make it larger, and no slower. */
const mostCounted = 10

/** Any number in place of a limit: to theory `(a{1,50}){1,50}` is as good as a text of one length. */
function loosened(source: string): string {
  return source.replaceAll(counts, (part, least?: string, comma?: string) => {
    if (least === undefined) return part
    const times = Math.min(Number(least), mostCounted)
    return comma === '' && Number(least) <= mostCounted ? part : `{${times},}`
  })
}

const mostSteps = 100_000

/** Returns true if the limits of what it repeats make up for it: `\d{1,3}\d{1,3}`. */
function isShort(source: string, degree: number): boolean {
  const limits = [...source.matchAll(counts)].map(([, least = 0, , most = 0]) =>
    Math.max(Number(least), Number(most)),
  )
  return Math.max(...limits) ** degree <= mostSteps && ask(source).status === 'safe'
}

const powers: Readonly<Record<number, string>> = {
  2: 'time that grows with the square of the length',
  3: 'time that grows with the cube of the length',
}

const faster =
  'let no two repeated parts that touch take the same characters, or ask in `validate` of its hooks'

const lookingAround: Slow = {
  why: 'looks around or back, and svc cannot say how long that takes',
  fix: 'say each part in a .regex() of its own: all of them have to match; or ask in `validate` of its hooks',
}

const unsure: Slow = { why: 'is too large for svc to say how long it takes', fix: 'a smaller one' }
