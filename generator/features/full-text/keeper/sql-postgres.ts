import type { SearchSql } from './search-index.js'

export const postgresIndex: SearchSql = {
  // The index goes with its column.
  drop: ({ table, column = '', vectors = [] }) => {
    const drops = [column, ...vectors].map((name) => `DROP COLUMN IF EXISTS "${name}"`)
    return `ALTER TABLE "${table}" ${drops.join(', ')};\n`
  },
  create: ({ table, column = '', vectors = [], index, columns, language }) => {
    const most = mostCharacters / columns.length
    const words = columns.map((name) => wordsOf(name, most, language))
    const weighted = words.map((each, at) => `setweight(${each}, '${weights[at]}')`)
    // A vector that only finds records needs no positions.
    const all = vectors.length === 0 ? weighted : words.map((each) => `strip(${each})`)
    const made = [
      { name: column, as: all.join(' ||\n  ') },
      ...vectors.map((name, at) => ({ name, as: weighted[at] })),
    ].map(
      ({ name, as }) => `ADD COLUMN "${name}" tsvector GENERATED ALWAYS AS (\n  ${as}\n) STORED`,
    )
    return [
      `ALTER TABLE "${table}" ${made.join(',\n')};`,
      `CREATE INDEX "${index}" ON "${table}" USING GIN ("${column}");\n`,
    ].join('\n')
  },
  // No column changes its type, or goes, while another one is generated from it.
  isTouched: (sql, { table, columns }) =>
    sql
      .split(';')
      .some(
        (statement) =>
          statement.includes(`ALTER TABLE "${table}"`) &&
          columns.some(
            (name) =>
              statement.includes(`DROP COLUMN "${name}"`) ||
              new RegExp(`ALTER COLUMN "${escaped(name)}" (SET DATA )?TYPE`).test(statement),
          ),
      ),
}

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

const weights = ['A', 'B', 'C', 'D']

/** A `tsvector` holds a megabyte at most, and a text with more words could not be written. */
const mostCharacters = 240_000

/**
 * PostgreSQL would take `desk/lamp` for a path, and `-5` for a number, and what has no width for a part of the word that it
 * stands in: what is neither letter nor digit separates words, as it does in a search.
 */
function wordsOf(name: string, most: number, language: string): string {
  const text = `translate(left(coalesce("${name}", ''), ${most}), ${separating}, repeat(' ', ${punctuation.length - 1 + unseen.length}))`
  return `to_tsvector('${language}'::regconfig, ${text})`
}

/** As a literal: the quote stands there twice. */
const punctuation = "!\"#$%&''()*+,-./:;<=>?@[\\]^_`{|}~"

/** Soft hyphens, blanks and joiners without width, marks of direction, and what makes a letter, a digit or a heart an emoji. */
const unseen = [
  ...['00AD', '061C', '200B', '200C', '200D', '200E', '200F', '202A', '202B', '202C'],
  ...['202D', '202E', '2060', '2066', '2067', '2068', '2069', '20E3', 'FE0E', 'FE0F', 'FEFF'],
]

const separating = `'${punctuation}' || E'${unseen.map((code) => `\\u${code}`).join('')}'`
