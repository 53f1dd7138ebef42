/** The tables of FTS5's index, its own and the virtual one. */
const ofIndex = /^(.+_search)(?:_(?:data|idx|content|docsize|config|keys))?$/

/** The columns of svc's index are called so; those of a developer's are not. */
const isOfWords = (names: readonly string[]) =>
  names.length > 0 && 'abcd'.startsWith(names.join(''))

/** Returns true if a table of SQLite holds nothing but words of other tables. */
export function isWordTable(
  table: string,
  tables: ReadonlyMap<string, readonly string[]>,
): boolean {
  const [, index] = ofIndex.exec(table) ?? []
  const names = index === undefined ? [] : (tables.get(index) ?? [])
  return isOfWords(names) && tables.has(`${index}_docsize`)
}
