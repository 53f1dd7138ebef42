/** The full-text comment in Prisma's schema, above the first of its columns; migrations read it. */
export interface FullTextMark {
  /** The other columns, as the table calls them. */
  readonly others: readonly string[]
  readonly language: string
  /** SQLite's table of words, PostgreSQL's index. */
  readonly index: string
  /** PostgreSQL: the column it is on. */
  readonly column?: string | undefined
  /** PostgreSQL: where there are several columns, one for the words of each. */
  readonly vectors?: readonly string[]
  /** SQLite: the key by which rows are known, where its number is not. */
  readonly key?: string | undefined
}

export function fullTextMark({
  others,
  language,
  index,
  column,
  vectors = [],
  key,
}: FullTextMark): string {
  const beside = others.length === 0 ? '' : ` with ${others.map(code).join(', ')}`
  const on = column === undefined ? '' : ` on ${[column, ...vectors].map(code).join(', ')}`
  const by = key === undefined ? '' : ` by ${code(key)}`
  return `Full text${beside} (${language}): see the index ${code(index)}${on}${by} in the migrations.`
}

const code = (name: string) => `\`${name}\``

export const anyFullTextMark =
  /^Full text(?: with (.*?))? \((\w+)\): see the index `([^`]+)`(?: on `([^`]+)`((?:, `[^`]+`)*))?(?: by `([^`]+)`)? in the migrations\.$/

export function readFullTextMark(found: RegExpExecArray): FullTextMark {
  const [, others = '', language = '', index = '', column, beside = '', key] = found
  const vectors = namesIn(beside)
  return {
    ...{ others: namesIn(others), language, index, column, key },
    ...(vectors.length === 0 ? {} : { vectors }),
  }
}

const namesIn = (list: string) => [...list.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
