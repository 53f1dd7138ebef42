import { isWordTable } from './full-text/word-tables.js'

/**
 * Each returns true if a table of a database, given with the columns of all tables, can be made again from the others.
 *
 * A list of its own, beside `keepers`: the process that counts rows runs in the project, so nothing here may import a package
 * that a project does not have.
 */
export const derivedTables: readonly ((
  table: string,
  tables: ReadonlyMap<string, readonly string[]>,
) => boolean)[] = [isWordTable]
