import Database from 'better-sqlite3'
import { Kysely, PostgresDialect, SqliteDialect, sql } from 'kysely'
import pg from 'pg'
import { withChildren } from '../shared/resources.js'
import { serveBlog } from '../shared/serve.js'

const url = process.env.DATABASE_URL
const isSqlite = url.startsWith('file:')
const db = new Kysely({
  dialect: isSqlite
    ? new SqliteDialect({ database: openSqlite() })
    : new PostgresDialect({ pool: new pg.Pool({ connectionString: url, max: 10 }) }),
})

function openSqlite() {
  const database = new Database(url.slice('file:'.length))
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  return database
}

/** SQLite has no type for a point in time: text, as its rows have it. */
const stored = (date) =>
  isSqlite && date !== null ? date.toISOString().replace('Z', '+00:00') : date

const columns = [
  'id',
  'title',
  'description',
  'published_at',
  'owner_id',
  'created_at',
  'updated_at',
]
const commentColumns = ['id', 'body', 'post_id', 'user_id', 'created_at', 'updated_at']

const visible = (user) => (eb) =>
  eb.or([eb('published_at', 'is not', null), eb('owner_id', '=', user)])

/** The newest rows of each parent. */
const newestOf = (rows, key, limit) =>
  db
    .selectFrom(
      rows
        .select(sql`row_number() over (partition by ${sql.ref(key)} order by id desc)`.as('place'))
        .as('placed'),
    )
    .selectAll()
    .where('place', '<=', limit)
    .orderBy('id', 'desc')
    .execute()

const count = async (query) =>
  Number((await query.select((eb) => eb.fn.countAll().as('total')).executeTakeFirst()).total)

const list = (rows) => rows.map(({ id }) => id)

serveBlog({
  token: (id) =>
    db
      .selectFrom('personal_access_tokens as t')
      .innerJoin('users as u', 'u.id', 't.user_id')
      .select(['t.token', 't.expires_at', 'u.id as user_id'])
      .where('t.id', '=', id)
      .executeTakeFirst(),
  post: (id, user) =>
    db
      .selectFrom('posts')
      .select(columns)
      .where('id', '=', id)
      .where(visible(user))
      .executeTakeFirst(),
  page: (user, limit, offset) =>
    db
      .selectFrom('posts')
      .select(columns)
      .where(visible(user))
      .orderBy('id', 'desc')
      .limit(limit)
      .offset(offset)
      .execute(),
  count: (user) => count(db.selectFrom('posts').where(visible(user))),
  insert: ({ title, description, published_at, owner_id }) => {
    const now = stored(new Date())
    const dates = { published_at: stored(published_at), created_at: now, updated_at: now }
    return db
      .insertInto('posts')
      .values({ title, description, owner_id, ...dates })
      .returning(columns)
      .executeTakeFirst()
  },
  countUsers: () => count(db.selectFrom('users')),
  async usersWithPosts(user, limit, offset) {
    const parents = await db
      .selectFrom('users')
      .select(['id', 'name', 'email', 'is_admin', 'created_at', 'updated_at'])
      .orderBy('id', 'desc')
      .limit(limit)
      .offset(offset)
      .execute()
    const posts = await newestOf(
      db
        .selectFrom('posts')
        .select(columns)
        .where('owner_id', 'in', list(parents))
        .where(visible(user)),
      'owner_id',
      15,
    )
    const comments = await newestOf(
      db.selectFrom('comments').select(commentColumns).where('post_id', 'in', list(posts)),
      'post_id',
      100,
    )
    const full = withChildren(posts, 'comments', comments, 'post_id')
    return withChildren(parents, 'posts', full, 'owner_id')
  },
  usersByIds: (wanted) =>
    db.selectFrom('users').select(['id', 'name']).where('id', 'in', wanted).execute(),
})
