/** A line of the developer's that does not compile. */
export interface Broken {
  readonly path: string
  readonly line: number
  readonly column: number
  readonly message: string
}

/** Files to be compiled twice: as the project is, and as it was. */
export interface Compilation {
  readonly root: string
  readonly paths: readonly { readonly now: string; readonly before: string }[]
  /** Other former texts of the project; null: no such file. */
  readonly before: readonly (readonly [path: string, text: string | null])[]
  /** Lines that an earlier run broke: they are reported as long as they do not compile, although they did not before. */
  readonly stillBroken?: readonly BrokenKey[]
  /** Other work on this machine goes first. */
  readonly isPatient?: boolean
}

export interface Found extends Broken {
  /** Equal before and after when the same line is wrong in the same way. */
  readonly key: string
}

export type BrokenKey = Pick<Found, 'path' | 'key'>

export const keyOf = (line: string, message: string): string => `${line.trim()} ${message}`

/** The first line says what does not fit what; of what is missing, a later one says the names. */
export const messageOf = (lines: readonly string[]): string =>
  (lines.find((line) => isMissing.test(line)) ?? lines[0] ?? '').trim()

const isMissing = / is missing the following properties from type | is missing in type /

/** Finds the new errors, and those that an earlier run caused. */
export function newIn(
  found: readonly Found[],
  before: readonly Found[],
  stillBroken: readonly BrokenKey[] = [],
): readonly Found[] {
  const known = new Set(before.map(({ key }) => key))
  const isBroken = ({ path, key }: Found) =>
    stillBroken.some((line) => line.path === path && line.key === key)
  return found.filter((line) => !known.has(line.key) || isBroken(line))
}
