/** SQLite calls this while it goes through a table; it throws when the statement is to end. */
export const goOn = 'svc_go_on'

/** A table that a statement goes through, and what the statement calls it. */
export interface Walked {
  readonly table: string
  readonly alias: string
}

/**
 * SQLite looks for nothing between two rows of an answer, and a total has one. So the statement
 * itself asks whether to go on, at every 128th row: some nanoseconds a row. SQLite merges the
 * inner SELECT with the outer one, and the plan stays the same.
 */
export function endable(sql: string, walked: readonly Walked[]): string {
  // A column of that name is only there when it is named.
  const columns = sql.includes('"rowid"') ? 'rowid as rowid, *' : '*'
  return walked.reduce((text, { table, alias }) => {
    const rows = `(select ${columns} from "${table}" where iif(rowid & 127, 1, ${goOn}()))`
    return text
      .replaceAll(`"${table}" as "${alias}"`, `${rows} as "${alias}"`)
      .replaceAll(`from "${alias}" where`, `from ${rows} as "${alias}" where`)
  }, sql)
}
