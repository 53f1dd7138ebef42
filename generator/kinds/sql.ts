/** Parts of SQL that both databases read. */
export const sqlText = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** Conditions that hold together; those that are absent hold. */
export const all = (...conditions: readonly (string | undefined)[]): string =>
  conditions.filter((each) => each !== undefined).join(' AND ')
