/**
 * What a good engineer writes by hand for `GET /users?include=posts.comments,roles`: one query per table, bounded per
 * parent, rows grouped in maps, `c.json`. Runs on SQLite or PostgreSQL; the bench compares its answer with the emitted one.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import pg from 'pg'
import { SqliteDriver as Database } from '../../runtime/database/sqlite/driver.js'

interface Store {
  all<Row>(name: keyof typeof texts, parameters: readonly unknown[]): Promise<Row[]>
  /** A list of ids as the database takes it. */
  list(ids: readonly number[]): unknown
  time(stored: unknown): string | null
  truth(stored: unknown): boolean
}

interface UserRow {
  id: number
  name: string
  email: string
  is_admin: unknown
  created_at: unknown
  updated_at: unknown
}

interface PostRow {
  id: number
  title: string
  description: string | null
  published_at: unknown
  owner_id: number
  created_at: unknown
  updated_at: unknown
}

interface CommentRow {
  id: number
  body: string
  post_id: number
  user_id: number
  created_at: unknown
  updated_at: unknown
}

interface RoleRow {
  id: number
  name: string
  owner: number
  created_at: unknown
  updated_at: unknown
}

const texts = {
  token: [
    `select t.token, u.id from personal_access_tokens t join users u on u.id = t.user_id where t.id = $1`,
  ],
  users: [
    `select id, name, email, is_admin, created_at, updated_at from users order by id desc limit $1 offset $2`,
  ],
  count: [`select count(*) as total from users`],
  posts: [
    `select * from (select p.*, row_number() over (partition by owner_id order by id desc) as place from posts p
      where owner_id in (select value from json_each($1)) and (published_at is not null or owner_id = $2))
      where place <= 15 order by id desc`,
    `select c.* from unnest($1::int4[]) k(value) cross join lateral (select * from posts p where p.owner_id = k.value
      and (p.published_at is not null or p.owner_id = $2) order by id desc limit 15) c order by c.id desc`,
  ],
  comments: [
    `select * from (select p.*, row_number() over (partition by post_id order by id desc) as place from comments p
      where post_id in (select value from json_each($1))) where place <= 100 order by id desc`,
    `select c.* from unnest($1::int4[]) k(value) cross join lateral
      (select * from comments p where p.post_id = k.value order by id desc limit 100) c order by c.id desc`,
  ],
  roles: [
    `select r.*, x.user_id as owner from (select *, row_number() over (partition by user_id order by role_id desc) as place
      from role_user where user_id in (select value from json_each($1))) x join roles r on r.id = x.role_id
      where place <= 15 order by r.id desc`,
    `select r.*, k.value as owner from unnest($1::int4[]) k(value) cross join lateral (select role_id from role_user p
      where p.user_id = k.value order by role_id desc limit 15) x join roles r on r.id = x.role_id order by r.id desc`,
  ],
} as const

function openSqlite(file: string): Store {
  const database = new Database(file)
  database.pragma('journal_mode = WAL')
  const prepared = new Map(
    Object.entries(texts).map(([name, [sql]]) => [
      name,
      database.prepare(sql.replaceAll(/\$\d/g, '?')),
    ]),
  )
  return {
    all: async (name, parameters) => (prepared.get(name)?.all(...parameters) ?? []) as never[],
    list: (ids) => JSON.stringify(ids),
    time: (stored) => (typeof stored === 'string' ? `${stored.slice(0, 23)}Z` : null),
    truth: (stored) => stored === 1,
  }
}

function openPostgres(connectionString: string): Store {
  const pool = new pg.Pool({ connectionString, max: 10 })
  return {
    all: async (name, parameters) => {
      const [first, second = first] = texts[name] as readonly string[]
      const result = await pool.query({ name, text: second ?? '', values: [...parameters] })
      return result.rows as never[]
    },
    list: (ids) => ids,
    time: (stored) => (stored instanceof Date ? stored.toISOString() : null),
    truth: (stored) => stored === true,
  }
}

const url = process.env['DATABASE_URL'] ?? ''
const store = url.startsWith('file:') ? openSqlite(url.slice(5)) : openPostgres(url)
const { time, truth } = store

const stamps = (row: { created_at: unknown; updated_at: unknown }) => ({
  created_at: time(row.created_at),
  updated_at: time(row.updated_at),
})

function groupBy<Row>(rows: readonly Row[], key: (row: Row) => number): Map<number, Row[]> {
  const groups = new Map<number, Row[]>()
  for (const row of rows) {
    const group = groups.get(key(row))
    if (group === undefined) groups.set(key(row), [row])
    else group.push(row)
  }
  return groups
}

const comment = (row: CommentRow) => ({
  id: String(row.id),
  type: 'comments',
  attributes: {
    body: row.body,
    post_id: String(row.post_id),
    user_id: String(row.user_id),
    ...stamps(row),
  },
})

const post = (row: PostRow, comments: readonly CommentRow[]) => ({
  id: String(row.id),
  type: 'posts',
  attributes: {
    title: row.title,
    description: row.description,
    published_at: time(row.published_at),
    owner_id: String(row.owner_id),
    ...stamps(row),
  },
  relationships: { comments: comments.map(comment) },
})

const role = (row: RoleRow) => ({
  id: String(row.id),
  type: 'roles',
  attributes: { name: row.name, ...stamps(row) },
  pivots: {},
})

const app = new Hono<{ Variables: { user: number } }>()

app.use(async (c, next) => {
  const [id, secret] = (c.req.header('Authorization') ?? '').slice('Bearer '.length).split('|')
  const [row] = await store.all<{ token: string; id: number }>('token', [Number(id)])
  if (row === undefined || secret === undefined) return c.json({ message: 'Unauthenticated.' }, 401)
  const given = createHash('sha256').update(secret).digest('hex')
  if (!timingSafeEqual(Buffer.from(given), Buffer.from(row.token))) {
    return c.json({ message: 'Unauthenticated.' }, 401)
  }
  c.set('user', row.id)
  return next()
})

app.get('/api/svc/users', async (c) => {
  const user = c.get('user')
  const page = Number(c.req.query('page') ?? 1)
  const [users, [count]] = await Promise.all([
    store.all<UserRow>('users', [15, (page - 1) * 15]),
    store.all<{ total: number }>('count', []),
  ])
  const ids = store.list(users.map(({ id }) => id))
  const [posts, roles] = await Promise.all([
    store.all<PostRow>('posts', [ids, user]),
    store.all<RoleRow>('roles', [ids]),
  ])
  const comments = await store.all<CommentRow>('comments', [store.list(posts.map(({ id }) => id))])
  const postsOf = groupBy(posts, (row) => row.owner_id)
  const commentsOf = groupBy(comments, (row) => row.post_id)
  const rolesOf = groupBy(roles, (row) => row.owner)
  const total = Number(count?.total)
  const last = Math.max(1, Math.ceil(total / 15))
  const path = '/api/svc/users'
  const link = (number: number) =>
    `${path}?page=${number}&include=${encodeURIComponent('posts.comments,roles')}`
  const from = (page - 1) * 15 + 1
  return c.json({
    meta: {
      current_page: page,
      from: users.length > 0 ? from : null,
      last_page: last,
      path,
      per_page: 15,
      to: users.length > 0 ? from + users.length - 1 : null,
      total,
    },
    links: {
      first: link(1),
      last: link(last),
      next: page < last ? link(page + 1) : null,
      path,
      prev: page > 1 ? link(page - 1) : null,
    },
    data: users.map((row) => ({
      id: String(row.id),
      type: 'users',
      attributes: {
        name: row.name,
        email: row.email,
        is_admin: truth(row.is_admin),
        ...stamps(row),
      },
      relationships: {
        posts: (postsOf.get(row.id) ?? []).map((each) => post(each, commentsOf.get(each.id) ?? [])),
        roles: (rolesOf.get(row.id) ?? []).map(role),
      },
      meta: {
        authorizedToShow: true,
        authorizedToStore: true,
        authorizedToUpdate: row.id === user,
        authorizedToDelete: row.id === user,
      },
    })),
  })
})

serve({ fetch: app.fetch, port: Number(process.env['PORT']), hostname: '127.0.0.1' })
