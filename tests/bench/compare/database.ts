import { createHash } from 'node:crypto'
import { join } from 'node:path'
import pg from 'pg'
import { SqliteDriver } from '../../../runtime/database/sqlite/driver.js'
import { startPostgres } from '../../support/postgres-server.js'
import type { DatabaseName } from './options.js'
import { size, token } from './work.js'

export interface BenchDatabase {
  readonly name: DatabaseName
  readonly url: string
  readonly version: string
  execute(sql: string): Promise<void>
  stop(): Promise<void>
}

export async function openDatabase(name: DatabaseName, folder: string): Promise<BenchDatabase> {
  return name === 'sqlite' ? openSqlite(join(folder, 'bench.sqlite')) : openPostgres()
}

function openSqlite(file: string): BenchDatabase {
  const within = <T>(work: (database: InstanceType<typeof SqliteDriver>) => T): T => {
    const database = new SqliteDriver(file)
    database.pragma('foreign_keys = off')
    database.pragma('synchronous = off')
    try {
      return work(database)
    } finally {
      database.close()
    }
  }
  const version = within((database) => database.prepare('select sqlite_version()').pluck().get())
  return {
    name: 'sqlite',
    url: `file:${file}`,
    version: `SQLite ${String(version)}`,
    execute: async (sql) => void within((database) => database.exec(sql)),
    stop: async () => {},
  }
}

async function openPostgres(): Promise<BenchDatabase> {
  const postgres = await startPostgres()
  const client = new pg.Client({ connectionString: `${postgres.url}postgres` })
  await client.connect()
  const { rows } = await client.query<{ server_version: string }>('show server_version')
  return {
    name: 'postgresql',
    url: `${postgres.url}postgres`,
    version: `PostgreSQL ${rows[0]?.server_version}`,
    execute: async (sql) => void (await client.query(sql)),
    async stop() {
      await client.end()
      await postgres.stop()
    },
  }
}

/**
 * 1,000 users with 20 posts each, of which every seventh is a draft; comments: 15 on each post of the newest 15 users, 3 on
 * the others. The token is that of user 1.
 */
export async function fill(database: BenchDatabase, posts: number = size.posts): Promise<void> {
  const isSqlite = database.name === 'sqlite'
  const [now, no] = isSqlite ? [`'2026-01-01T00:00:00.000+00:00'`, '0'] : ['now()', 'false']
  const hash = createHash('sha256').update(token.slice(2)).digest('hex')
  const stamps = 'created_at, updated_at'
  const newest = size.users - 15
  const tables: [into: string, select: string, from: string][] = [
    [
      `users (id, name, email, password, is_admin, ${stamps})`,
      `n, 'User ' || n, 'user' || n || '@example.test', '-', ${no}, ${now}, ${now}`,
      `s where n <= ${size.users}`,
    ],
    [
      `posts (id, title, description, published_at, owner_id, ${stamps})`,
      `n, 'Post ' || n, 'Text of post ' || n, case when n % 7 = 0 then null else ${now} end,
       1 + n % ${size.users}, ${now}, ${now}`,
      's',
    ],
    [
      `comments (body, post_id, user_id, ${stamps})`,
      `'Comment ' || f.n || ' on ' || p.id, p.id, 1 + (p.id + f.n) % ${size.users}, ${now}, ${now}`,
      `posts p, f where f.n <= case when p.owner_id > ${newest} and p.id <= ${size.posts} then 15 else 3 end
       and p.id <= ${size.posts}`,
    ],
    [
      'personal_access_tokens (user_id, name, token, last_used_at, created_at)',
      `1, 'bench', '${hash}', ${isSqlite ? `'${new Date().toISOString().replace('Z', '+00:00')}'` : 'now()'}, ${now}`,
      's where n = 1',
    ],
  ]
  const series = (name: string, last: number) =>
    `${name}(n) as (select 1 union all select n + 1 from ${name} where n < ${last})`
  for (const [into, select, from] of tables) {
    // A WITH before INSERT serves its SELECT on both databases.
    const sets = `${series('s', Math.max(posts, size.users))}, ${series('f', 15)}`
    await database.execute(
      `with recursive ${sets} insert into ${into} select ${select} from ${from}`,
    )
  }
  if (!isSqlite) {
    // The ids were given, so the sequences do not know them.
    for (const table of ['users', 'posts']) {
      await database.execute(
        `select setval(pg_get_serial_sequence('${table}', 'id'), (select max(id) from ${table}))`,
      )
    }
  }
  await database.execute('analyze')
}

/** Removes the rows that the stores made. */
export const removeStored = (database: BenchDatabase, posts: number = size.posts) =>
  database.execute(`delete from posts where id > ${posts}`)
