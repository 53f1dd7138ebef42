/** Both databases, with the tables of `blog.ts`. */
import { openPostgres } from '../../../runtime/database/postgres/open.js'
import { openSqlite } from '../../../runtime/database/sqlite/open.js'
import type { Database, Dialect, Parameter, Statement } from '../../../runtime/database/types.js'
import { freshDatabase } from '../../support/postgres.js'

export { databases as dialects } from '../../support/databases.js'

export async function createTables(database: Database): Promise<void> {
  for (const sql of tables(database.dialect)) await execute(database, sql)
}

export async function openDatabase(dialect: Dialect): Promise<Database> {
  const database =
    dialect === 'sqlite' ? openSqlite(':memory:') : openPostgres(await freshDatabase(), { max: 4 })
  await createTables(database)
  return database
}

export async function execute(
  database: Database,
  sql: string,
  parameters: readonly Parameter[] = [],
): Promise<readonly unknown[][]> {
  let position = 0
  const text =
    database.dialect === 'sqlite' ? sql : sql.replaceAll('?', () => `$${String(++position)}`)
  const rows = await database.query({ sql: text, access: 'write' }, parameters)
  return rows.map((row) => [...row])
}

/** Runs `work` and tells how many statements it sent. */
export async function counted<T>(
  database: Database,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly statements: readonly Statement[] }> {
  const statements: Statement[] = []
  const stop = database.observe((statement) => void statements.push(statement))
  try {
    return { result: await work(), statements }
  } finally {
    stop()
  }
}

/** Types as Prisma's migrations declare them. */
function tables(dialect: Dialect): string[] {
  const types: Record<string, readonly [sqlite: string, postgresql: string]> = {
    AUTOKEY: ['INTEGER PRIMARY KEY AUTOINCREMENT', 'SERIAL PRIMARY KEY'],
    UUIDKEY: ['TEXT PRIMARY KEY', 'UUID PRIMARY KEY'],
    UUID: ['TEXT', 'UUID'],
    BOOL: ['BOOLEAN', 'BOOLEAN'],
    TIME: ['DATETIME', 'TIMESTAMPTZ(3)'],
    DAY: ['DATETIME', 'DATE'],
    DECIMAL: ['DECIMAL(10,2)', 'DECIMAL(10,2)'],
    DOUBLE: ['REAL', 'DOUBLE PRECISION'],
    JSON: ['JSONB', 'JSONB'],
    STAMPS: [
      'created_at DATETIME NOT NULL, updated_at DATETIME NOT NULL',
      'created_at TIMESTAMPTZ(3) NOT NULL, updated_at TIMESTAMPTZ(3) NOT NULL',
    ],
  }
  const at = dialect === 'sqlite' ? 0 : 1
  return schema.map((sql) => sql.replaceAll(/[A-Z]+(?=\b)/g, (word) => types[word]?.[at] ?? word))
}

const schema = [
  `CREATE TABLE users (id AUTOKEY, name TEXT NOT NULL, email TEXT NOT NULL UNIQUE, password TEXT NOT NULL,
    is_admin BOOL NOT NULL, STAMPS)`,
  `CREATE TABLE companies (id AUTOKEY, name TEXT NOT NULL, STAMPS)`,
  `CREATE TABLE posts (id AUTOKEY, title TEXT NOT NULL, description TEXT, published_at TIME,
    owner_id INTEGER NOT NULL REFERENCES users (id), STAMPS)`,
  `CREATE INDEX posts_owner ON posts (owner_id, id)`,
  `CREATE TABLE comments (id AUTOKEY, body TEXT NOT NULL, post_id INTEGER NOT NULL REFERENCES posts (id),
    user_id INTEGER NOT NULL REFERENCES users (id), STAMPS)`,
  `CREATE INDEX comments_post ON comments (post_id, id)`,
  `CREATE TABLE phones (id AUTOKEY, number TEXT NOT NULL, user_id INTEGER NOT NULL REFERENCES users (id), STAMPS)`,
  `CREATE TABLE notes (id UUIDKEY, text TEXT NOT NULL, price DECIMAL, ratio DOUBLE, day DAY, data JSON,
    labels JSON, rank INTEGER, is_open BOOL, due_at TIME, parent_id UUID REFERENCES notes (id),
    post_id INTEGER REFERENCES posts (id), STAMPS)`,
  `CREATE TABLE tags (id UUIDKEY, name TEXT NOT NULL UNIQUE, STAMPS)`,
  `CREATE TABLE images (id AUTOKEY, url TEXT NOT NULL, imageable_type TEXT, imageable_id TEXT, STAMPS)`,
  `CREATE TABLE company_user (company_id INTEGER NOT NULL REFERENCES companies (id),
    user_id INTEGER NOT NULL REFERENCES users (id), is_admin BOOL NOT NULL, since DAY,
    PRIMARY KEY (company_id, user_id))`,
  `CREATE TABLE taggables (taggable_type TEXT NOT NULL, taggable_id TEXT NOT NULL,
    tag_id UUID NOT NULL REFERENCES tags (id), PRIMARY KEY (taggable_type, taggable_id, tag_id))`,
]
