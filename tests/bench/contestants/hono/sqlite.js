import Database from 'better-sqlite3'
import { withChildren } from '../shared/resources.js'

const columns = 'id, title, description, published_at, owner_id, created_at, updated_at'
const visible = '(published_at is not null or owner_id = ?)'
const ids = '(select value from json_each(?))'
const stored = (date) => date.toISOString().replace('Z', '+00:00')

export function openStore(url) {
  const database = new Database(url.slice('file:'.length))
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')

  const token = database.prepare(
    `select t.token, t.expires_at, u.id as user_id
     from personal_access_tokens t join users u on u.id = t.user_id where t.id = ?`,
  )
  const post = database.prepare(`select ${columns} from posts where id = ? and ${visible}`)
  const page = database.prepare(
    `select ${columns} from posts where ${visible} order by id desc limit ? offset ?`,
  )
  const count = database.prepare(`select count(*) from posts where ${visible}`).pluck()
  const insert = database.prepare(
    `insert into posts (title, description, published_at, owner_id, created_at, updated_at)
     values (?, ?, ?, ?, ?, ?) returning ${columns}`,
  )
  const users = database.prepare(
    `select id, name, email, is_admin, created_at, updated_at from users order by id desc limit ? offset ?`,
  )
  const countUsers = database.prepare('select count(*) from users').pluck()
  const postsOf = database.prepare(
    `select * from (select ${columns}, row_number() over (partition by owner_id order by id desc) as place
       from posts where owner_id in ${ids} and ${visible}) where place <= 15 order by id desc`,
  )
  const commentsOf = database.prepare(
    `select * from (select id, body, post_id, user_id, created_at, updated_at,
         row_number() over (partition by post_id order by id desc) as place
       from comments where post_id in ${ids}) where place <= 100 order by id desc`,
  )
  const usersByIds = database.prepare(`select id, name from users where id in ${ids}`)
  const list = (rows) => JSON.stringify(rows.map(({ id }) => id))

  return {
    token: (id) => token.get(id),
    post: (id, user) => post.get(id, user),
    page: (user, limit, offset) => page.all(user, limit, offset),
    count: (user) => count.get(user),
    insert: ({ title, description, published_at, owner_id }) => {
      const now = stored(new Date())
      const published = published_at && stored(published_at)
      // After `get` SQLite never moves its log to the database: it stops before the statement's end.
      return insert.all(title, description, published, owner_id, now, now)[0]
    },
    countUsers: () => countUsers.get(),
    usersWithPosts(user, limit, offset) {
      const parents = users.all(limit, offset)
      const posts = postsOf.all(list(parents), user)
      const comments = commentsOf.all(list(posts))
      const full = withChildren(posts, 'comments', comments, 'post_id')
      return withChildren(parents, 'posts', full, 'owner_id')
    },
    usersByIds: (wanted) => usersByIds.all(JSON.stringify(wanted)),
  }
}
