/** Run by migrate-command.test.ts as `npm run migrate` is: argv[2] is the SQLite file, argv[3] the folder. */
import '../../runtime/failures.js'
import { runMigrateCommand } from '../../runtime/database/migrations/migrate-command.js'
import { openSqlite } from '../../runtime/database/sqlite/open.js'

const [, , url = '', folder = '', ...argv] = process.argv
const database = openSqlite(url)
process.exitCode = await runMigrateCommand(database, { folder, development: true, argv })
