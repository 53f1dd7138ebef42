import { statementsOf } from '../../../migrations/sql/own-statements.js'

export interface Name {
  readonly table: string
  readonly column: string | null
}

/** People write it without quotes, and without `COLUMN`. */
const rename =
  /^ALTER TABLE (?:IF EXISTS )?("[^"]+"|\w+)\s+RENAME (?!CONSTRAINT\b)(?:(?:COLUMN )?("[^"]+"|\w+) )?TO ("[^"]+"|\w+)$/i

/** Returns the name after the migration: a renamed thing is not gone. */
export function renamesIn(sql: string): (name: Name) => Name {
  const steps = statementsOf(sql).flatMap((statement) => {
    const [, table, column, to] = rename.exec(statement) ?? []
    return table === undefined ? [] : [[table, column, to].map((each) => each?.replaceAll('"', ''))]
  })
  return (name) =>
    steps.reduce<Name>(({ table, column }, [at, from, to = '']) => {
      if (table !== at) return { table, column }
      if (from === undefined) return { table: to, column }
      return { table, column: column === from ? to : column }
    }, name)
}
