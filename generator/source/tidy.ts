import type { FormatConfig } from 'oxfmt'

/** The look of everything emitted; `.oxfmtrc.json` says the same of our own source. */
export const look: FormatConfig = {
  semi: false,
  singleQuote: true,
  printWidth: 100,
  sortImports: {
    newlinesBetween: false,
    groups: ['builtin', 'external', 'subpath', 'parent', 'sibling'],
  },
}

/** Hashes of a file's parts, by their names. */
export type Parts = Readonly<Record<string, string>>

/** Files that earlier runs formatted; without it, everything is formatted again. */
export interface Tidied {
  /** The text of the last run, if it was made of the same; `made` is all that it is made of. */
  again(path: string, made: string): string | null
  made(path: string, made: string, text: string): void
  /** The text of the last run of a file of many parts, and what they were made of. */
  parts(path: string): { readonly text: string; readonly made: Parts } | null
  noteParts(path: string, made: Parts, text: string): void
  find(path: string, text: string): string | null
  note(path: string, text: string, tidied: string): void
}

/** The other files (Prisma, SQL, Dockerfile, dotfiles) are laid out by their templates. */
const formatted = /\.(ts|js|json|md|graphql|yaml)$/

/** Formats what the formatter knows by its ending and returns the rest as it is. Same text in, same text out. */
export async function tidy(path: string, text: string): Promise<string> {
  if (!formatted.test(path)) return text
  const { format } = await formatter()
  const { code, errors } = await format(path, text, look)
  const [first] = errors
  if (first !== undefined) throw new Error(`svc wrote ${path} and cannot read it: ${first.message}`)
  return code
}

/** Its allocator looks here at the first text, and keeps what it freed for a second unless it is told not to. */
const keeping = 'MIMALLOC_PURGE_DELAY'

/**
 * A run in which nothing new has to be formatted does not load it. Where a file of 1,000 repositories is formatted, what is
 * kept is 75 MB of 450. The server that `svc dev` starts shall not find the variable.
 */
async function formatter(): Promise<typeof import('oxfmt')> {
  if (process.env[keeping] !== undefined) return import('oxfmt')
  process.env[keeping] = '0'
  const loaded = await import('oxfmt')
  await loaded.format('first.ts', '', look)
  delete process.env[keeping]
  return loaded
}

/** Returns true if text laid out by hand still fits; a long name can push a line over the edge. */
export function fits(text: string): boolean {
  return text.split('\n').every((line) => line.length <= 100 || line.startsWith('//'))
}
