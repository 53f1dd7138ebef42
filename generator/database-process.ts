import { serveDatabase, type Opened } from './commands/database/serve-database.js'
import { isWordTable } from './features/full-text/word-tables.js'

/**
 * A program that svc starts in the folder of a project, which has its database. It has no list of features: nothing here may
 * import a package that a project does not have.
 */
export const serve = (open: () => Promise<Opened>): void => serveDatabase(open, [isWordTable])
