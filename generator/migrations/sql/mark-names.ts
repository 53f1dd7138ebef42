/** A column in the comments of a migration: `visits.fee`, or `"orders"."Order Date"` where words would not end it. */
export const markedName = (table: string, column: string): string =>
  [table, column].map((name) => (/^\w+$/.test(name) ? name : `"${name}"`)).join('.')

/** A pattern for such a name: its two parts. */
export const anyMarkedName = String.raw`(\w+|"[^"\n]+")\.(\w+|"[^"\n]+")`

/** The name in one of these parts. */
export const unmarked = (part: string): string => part.replaceAll('"', '')

/** `--fill orders.state=<value>` for a shell. */
export function fillOption(table: string, column: string, value: string): string {
  const name = `${table}.${column}`
  const word = /^[\w.-]+$/.test(name) ? name : `'${name.replaceAll("'", String.raw`'\''`)}'`
  return `--fill ${word}=${value}`
}
