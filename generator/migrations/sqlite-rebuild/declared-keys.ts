import type { DeclaredTable } from './declared.js'

type Keys = Pick<DeclaredTable, 'columns' | 'keys'>

/** The actions of a foreign key in SQLite. The manifest has only the first. */
export interface ForeignKeyActions {
  /** `CASCADE` */
  readonly onDelete: string
  readonly onUpdate: string
  /** True where the key is checked at the end of a transaction. */
  readonly isDeferred: boolean
}

/** True where ids of deleted rows are not given again: `INTEGER PRIMARY KEY AUTOINCREMENT`. */
export const countsUp = ({ columns, keys }: Keys): boolean =>
  [...columns.values(), ...keys].some((sql) => /\bAUTOINCREMENT\b/i.test(withoutNames(sql)))

/** Null: these columns are no foreign key. */
export function foreignKeyOf(
  { columns, keys }: Keys,
  names: readonly string[],
): ForeignKeyActions | null {
  const list = names.join('\n').toLowerCase()
  const own = names.length === 1 ? columns.get(list) : undefined
  const ofTable = keys.find((sql) => foreignColumns(sql) === list)
  const sql = [own, ofTable].find((each) => /\bREFERENCES\b/i.test(withoutNames(each ?? '')))
  if (sql === undefined) return null
  const words = withoutNames(sql)
  return {
    onDelete: actionOn('DELETE', words),
    onUpdate: actionOn('UPDATE', words),
    isDeferred: /(?<!\bNOT\s+)\bDEFERRABLE\s+INITIALLY\s+DEFERRED\b/i.test(words),
  }
}

/** A line each, in lower case. */
function foreignColumns(sql: string): string | undefined {
  const [, list] = /\bFOREIGN\s+KEY\s*\(([^()]*)\)/i.exec(sql) ?? []
  const names = list?.split(',').map((each) => each.trim().replaceAll(/^["`[]|["`\]]$/g, ''))
  return names?.join('\n').toLowerCase()
}

/** SQLite does nothing where nothing is said. */
const actionOn = (when: 'DELETE' | 'UPDATE', words: string) =>
  new RegExp(String.raw`\bON\s+${when}\s+(SET\s+\w+|NO\s+ACTION|\w+)`, 'i')
    .exec(words)?.[1]
    ?.toUpperCase()
    .replaceAll(/\s+/g, ' ') ?? 'NO ACTION'

/**
 * Describes clauses that neither a field nor an index has, for a table that is rebuilt without
 * them.
 */
export function lostClauses(table: string, { columns, keys }: Keys): readonly string[] {
  const parts = [
    ...[...columns].map(([name, sql]) => ({ rule: `'${name}'`, sql })),
    ...keys.map((sql) => ({ rule: sql.replace(/\s*\bON\s+CONFLICT\s+\w+/i, ''), sql })),
  ]
  return parts.flatMap(({ rule, sql }) => {
    const words = withoutNames(sql)
    const collations = /^(?:CONSTRAINT\s+\S+\s+)?UNIQUE\b/i.test(words)
      ? [...sql.matchAll(/\bCOLLATE\s+["`[]?(\w+)/gi)]
      : []
    return [
      ...[...words.matchAll(onConflict)].map(([, does = '']) => {
        const clause = `ON CONFLICT ${does.toUpperCase()}`
        return `leaves out ${clause} of ${rule} in '${table}': a write that breaks the rule fails`
      }),
      ...collations.map(([, by]) => {
        return `leaves out COLLATE ${by} of ${rule} in '${table}': it compares as its column does`
      }),
    ]
  })
}

const onConflict =
  /\b(?:NULL|UNIQUE|KEY(?:\s+(?:ASC|DESC))?|KEY\s*\([^()]*\)|UNIQUE\s*\([^()]*\))\s+ON\s+CONFLICT\s+(ROLLBACK|FAIL|IGNORE|REPLACE)\b/gi

/** Removes texts in quotes, which are no words of SQL. */
const withoutNames = (sql: string) =>
  sql.replaceAll(/'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]/g, '""')
