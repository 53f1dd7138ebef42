/**
 * Run by migrate.test.ts as a process of its own: migrates the database of argv[2] with the
 * folder of argv[3].
 */
import { migrate } from '../../../runtime/database/migrations/migrate.js'
import { openPostgres } from '../../../runtime/database/postgres/open.js'
import { openSqlite } from '../../../runtime/database/sqlite/open.js'

const [, , url = '', folder = ''] = process.argv
const database = url.startsWith('postgres') ? openPostgres(url) : openSqlite(url)
const applied = await migrate(database, { folder })
await database.close()
process.stdout.write(JSON.stringify(applied))
