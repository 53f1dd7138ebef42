import pg from 'pg'
import { withChildren } from '../shared/resources.js'

const columns = 'id, title, description, published_at, owner_id, created_at, updated_at'

const texts = {
  token: `select t.token, t.expires_at, u.id as user_id
    from personal_access_tokens t join users u on u.id = t.user_id where t.id = $1`,
  post: `select ${columns} from posts where id = $1 and (published_at is not null or owner_id = $2)`,
  page: `select ${columns} from posts where published_at is not null or owner_id = $1
    order by id desc limit $2 offset $3`,
  count: `select count(*)::int as total from posts where published_at is not null or owner_id = $1`,
  insert: `insert into posts (title, description, published_at, owner_id, created_at, updated_at)
    values ($1, $2, $3, $4, $5, $5) returning ${columns}`,
  users: `select id, name, email, is_admin, created_at, updated_at from users
    order by id desc limit $1 offset $2`,
  countUsers: 'select count(*)::int as total from users',
  postsOf: `select p.* from unnest($1::int4[]) k(id) cross join lateral (select ${columns} from posts
    where owner_id = k.id and (published_at is not null or owner_id = $2) order by id desc limit 15) p
    order by p.id desc`,
  commentsOf: `select c.* from unnest($1::int4[]) k(id) cross join lateral
    (select id, body, post_id, user_id, created_at, updated_at from comments
     where post_id = k.id order by id desc limit 100) c order by c.id desc`,
  usersByIds: 'select id, name from users where id = any($1::int4[])',
}

export function openStore(connectionString) {
  const pool = new pg.Pool({ connectionString, max: 10 })
  const all = async (name, values) => (await pool.query({ name, text: texts[name], values })).rows
  const first = async (name, values) => (await all(name, values))[0]
  const list = (rows) => rows.map(({ id }) => id)

  return {
    token: (id) => first('token', [id]),
    post: (id, user) => first('post', [id, user]),
    page: (user, limit, offset) => all('page', [user, limit, offset]),
    count: async (user) => (await first('count', [user])).total,
    insert: ({ title, description, published_at, owner_id }) =>
      first('insert', [title, description, published_at, owner_id, new Date()]),
    countUsers: async () => (await first('countUsers', [])).total,
    async usersWithPosts(user, limit, offset) {
      const parents = await all('users', [limit, offset])
      const posts = await all('postsOf', [list(parents), user])
      const comments = await all('commentsOf', [list(posts)])
      const full = withChildren(posts, 'comments', comments, 'post_id')
      return withChildren(parents, 'posts', full, 'owner_id')
    },
    usersByIds: (wanted) => all('usersByIds', [wanted]),
  }
}
