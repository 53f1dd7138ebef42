import type { SearchIndex, SearchSql } from './search-index.js'

export const postgresIndex: SearchSql = {
  // The index goes with its column.
  drop: ({ table, column }) => `ALTER TABLE "${table}" DROP COLUMN IF EXISTS "${column}";\n`,
  create: (index) =>
    [
      `ALTER TABLE "${index.table}" ADD COLUMN "${index.column}" tsvector GENERATED ALWAYS AS (\n  ${wordsOf(index)}\n) STORED;`,
      `CREATE INDEX "${index.index}" ON "${index.table}" USING GIN ("${index.column}");\n`,
    ].join('\n'),
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
function wordsOf({ columns, language }: SearchIndex): string {
  const most = mostCharacters / columns.length
  return columns
    .map((name, at) => {
      const text = `translate(left(coalesce("${name}", ''), ${most}), ${separating}, repeat(' ', ${punctuation.length - 1 + unseen.length}))`
      return `setweight(to_tsvector('${language}'::regconfig, ${text}), '${weights[at]}')`
    })
    .join(' ||\n  ')
}

/** As a literal: the quote stands there twice. */
const punctuation = "!\"#$%&''()*+,-./:;<=>?@[\\]^_`{|}~"

/** Soft hyphens, blanks and joiners without width, marks of direction, and what makes a letter, a digit or a heart an emoji. */
const unseen = [
  ...['00AD', '061C', '200B', '200C', '200D', '200E', '200F', '202A', '202B', '202C'],
  ...['202D', '202E', '2060', '2066', '2067', '2068', '2069', '20E3', 'FE0E', 'FE0F', 'FEFF'],
]

const separating = `'${punctuation}' || E'${unseen.map((code) => `\\u${code}`).join('')}'`
