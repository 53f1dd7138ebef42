/**
 * What a good engineer writes by hand for one GraphQL query: Hono, graphql-js, DataLoader, prepared SQL. With
 * DOCUMENT_CACHE=1 documents are parsed and validated once.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import { serve } from '@hono/node-server'
import DataLoader from 'dataloader'
import {
  buildSchema,
  type DocumentNode,
  execute,
  GraphQLObjectType,
  parse,
  validate,
} from 'graphql'
import { Hono } from 'hono'
import { SqliteDriver as Database } from '../../runtime/database/sqlite/driver.js'

interface Post {
  readonly id: number
  readonly title: string
  readonly owner_id: number
}

interface Owner {
  readonly id: number
  readonly name: string
}

interface Context {
  readonly user: { readonly id: number }
  readonly owners: DataLoader<number, Owner | null>
}

const database = new Database(process.env['DATABASE_FILE'] ?? '')
database.pragma('journal_mode = WAL')
database.pragma('synchronous = FULL')

const tokenById = database.prepare<
  [number],
  { token: string; user_id: number; expires_at: string | null }
>(
  `select t.token, t.expires_at, u.id as user_id
   from personal_access_tokens t join users u on u.id = t.user_id where t.id = ?`,
)
const page = database.prepare<[number, number, number], Post>(
  `select id, title, owner_id from posts where published_at is not null or owner_id = ?
   order by id desc limit ? offset ?`,
)
const usersByIds = database.prepare<[string], Owner>(
  'select id, name from users where id in (select value from json_each(?))',
)

const schema = buildSchema(`
  type Query { postList(first: Int = 15, page: Int = 1): [Post!]! }
  type Post { id: ID! title: String owner: User }
  type User { id: ID! name: String }
`)

const field = (type: string, name: string) => {
  const found = schema.getType(type)
  if (!(found instanceof GraphQLObjectType)) throw new Error(type)
  const declared = found.getFields()[name]
  if (declared === undefined) throw new Error(name)
  return declared
}

field('Query', 'postList').resolve = (_root, { first, page: number }, { user }: Context) => {
  const size = Math.min(first, 100)
  return page.all(user.id, size, (number - 1) * size)
}
field('Post', 'owner').resolve = (post: Post, _args, { owners }: Context) =>
  owners.load(post.owner_id)

const isCached = process.env['DOCUMENT_CACHE'] === '1'
const documents = new Map<string, DocumentNode>()

function documentOf(text: string): DocumentNode {
  const known = documents.get(text)
  if (known !== undefined) return known
  const document = parse(text, { maxTokens: 2000 })
  const errors = validate(schema, document)
  if (errors[0] !== undefined) throw errors[0]
  if (isCached && documents.size < 500) documents.set(text, document)
  return document
}

function ownersLoader() {
  return new DataLoader<number, Owner | null>(async (ids) => {
    const rows = usersByIds.all(JSON.stringify(ids))
    const byId = new Map(rows.map((row) => [row.id, row]))
    return ids.map((id) => byId.get(id) ?? null)
  })
}

const app = new Hono()

app.post('/graphql', async (c) => {
  const [id, secret] = (c.req.header('Authorization') ?? '').slice('Bearer '.length).split('|')
  const row = tokenById.get(Number(id))
  if (row === undefined || secret === undefined) return c.json({ message: 'Unauthenticated.' }, 401)
  const given = createHash('sha256').update(secret).digest('hex')
  if (!timingSafeEqual(Buffer.from(given), Buffer.from(row.token))) {
    return c.json({ message: 'Unauthenticated.' }, 401)
  }
  const { query, variables, operationName } = await c.req.json()
  const contextValue: Context = { user: { id: row.user_id }, owners: ownersLoader() }
  const document = documentOf(query)
  return c.json(
    await execute({ schema, document, contextValue, variableValues: variables, operationName }),
  )
})

serve({ fetch: app.fetch, port: Number(process.env['PORT']), hostname: '127.0.0.1' })
