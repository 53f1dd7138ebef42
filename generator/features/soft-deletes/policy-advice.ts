import { storedName } from '../../blueprint/names/names.js'
import type { Blueprint } from '../../blueprint/types.js'
import type { Advice } from '../../plan/advice/advice.js'
import type { PolicyFile } from '../../plan/feature.js'

/**
 * SQL in policies that reads a table with a trash, and does not name the column that says what is in
 * it. The table of the policy itself need not be named: what is in its trash is left out around it.
 */
export function policyAdvice(
  policies: readonly PolicyFile[],
  { entities }: Blueprint,
): readonly Advice[] {
  const trashes = entities.flatMap(({ key, table, columns }) => {
    const absence = columns.find((column) => column.absence === true)
    return absence === undefined ? [] : [{ key, table, column: storedName(absence) }]
  })
  return policies.flatMap(({ path, content }) =>
    fragmentsIn(content).flatMap(({ text, line }) =>
      trashes
        .filter(({ table, column }) => reads(text, table) && !names(text, column))
        .map(({ key, table, column }) => ({
          rule: 'policy-forgets-trash',
          at: `${path}:${line}`,
          message: `this sql reads the table '${table}', and so what is in the trash of '${key}'`,
          fix: `and ${column} is null`,
        })),
    ),
  )
}

/** Each sql`…`, and the line in which it begins. */
function fragmentsIn(content: string) {
  return [...content.matchAll(/\bsql(?:<[^`]*?>)?`((?:[^`\\]|\\.)*)`/g)].map(
    ({ 1: text = '', index }) => ({ text, line: content.slice(0, index).split('\n').length }),
  )
}

const escaped = (name: string) => name.replaceAll(/[^\w\s]/g, String.raw`\$&`)

/** `from posts`, `join "posts" p`, `from users, posts`, or of a schema that is named. */
const reads = (text: string, table: string): boolean =>
  new RegExp(
    String.raw`\b(?:from|join)\s+${others}(?:"?\w+"?\.)?["[]?${escaped(table)}(?![\w.])`,
    'i',
  ).test(text)

/** Tables before it in a list, each with what it is called. */
const others = String.raw`(?:[\w".]+(?:\s+(?:as\s+)?\w+)?\s*,\s*)*`

const names = (text: string, column: string): boolean =>
  new RegExp(String.raw`(?<!\w)${escaped(column)}(?!\w)`, 'i').test(text)
