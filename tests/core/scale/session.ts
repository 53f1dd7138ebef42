import pg from 'pg'
import { onTestFinished } from 'vitest'
import { openProject, type Project } from '../../support/project.js'

/** Everything that node-pg sends, whoever asks: migrations, transactions and settings of connections too. */
function listen(): ReadonlySet<string> {
  const seen = new Set<string>()
  const { query } = pg.Client.prototype
  const listening = function (this: pg.Client, ...given: unknown[]): unknown {
    const [asked] = given as [string | { readonly text?: string }]
    const text = typeof asked === 'string' ? asked : asked.text
    // The database itself is made by the test.
    if (text !== undefined && !text.startsWith('CREATE DATABASE')) seen.add(text)
    return Reflect.apply(query, this, given)
  }
  pg.Client.prototype.query = listening as typeof query
  onTestFinished(() => void (pg.Client.prototype.query = query))
  return seen
}

interface Step {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  readonly path: string
  readonly body?: object
}

const step = (method: Step['method'], path: string, body: object = {}): Step => ({
  method,
  path,
  body,
})
const password = 'long enough for it'
const person = { name: 'Bo', email: 'bo@example.test', password, password_confirmation: password }

/** One of every kind of request. */
const steps: readonly Step[] = [
  step('post', '/api/register', person),
  step('post', '/api/login', person),
  step('post', '/api/svc/forgotPassword', { email: person.email }),
  step('post', '/api/svc/posts', { title: 'One', description: 'x' }),
  step('post', '/api/svc/posts', { title: 'Two' }),
  step('put', '/api/svc/posts/1', { title: 'One' }),
  step('patch', '/api/svc/posts/1', { title: 'One' }),
  step('post', '/api/svc/posts/1/comments', { body: 'yes' }),
  step('post', '/api/svc/companies', { name: 'Acme' }),
  step('post', '/api/svc/companies/1/attach/users', { users: [1], is_admin: true }),
  step('post', '/api/svc/companies/1/sync/users', { users: [1] }),
  step('post', '/api/svc/images', { url: '/a', imageable_type: 'posts', imageable_id: 1 }),
  step(
    'get',
    '/api/svc/posts?search=o&sort=-title,owner.name&title=One&include=owner,comments.user,tags,image',
  ),
  step(
    'get',
    '/api/svc/users?include=posts.comments.user,roles,companies.users.phone&search=a&sort=name',
  ),
  step('get', '/api/svc/images?include=imageable'),
  step('get', '/api/svc/posts/1/comments?search=y&sort=created_at'),
  step('post', '/graphql', {
    query: '{ userList(first: 5) { id posts(first: 2) { title comments { body } } } }',
  }),
  step('post', '/api/svc/companies/1/detach/users', { users: [1] }),
  step('delete', '/api/svc/images/1'),
  step('delete', '/api/svc/posts/2'),
  step('get', '/api/svc/profile'),
  step('get', '/api/tokens'),
  step('put', '/api/svc/profile', { name: 'Ann' }),
]

/** Returns the statements of a server from its first migration on. */
export async function statementsOfSession(): Promise<readonly string[]> {
  const seen = listen()
  const blog: Project = await openProject('blog', 'postgresql')
  onTestFinished(() => blog.close())
  const ann = await blog.user('Ann')
  for (const { method, path, body } of steps) {
    const { status, body: answer } =
      method === 'get' || method === 'delete'
        ? await blog[method](path, ann)
        : await blog[method](path, body, ann)
    if (status >= 400) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(answer)}`)
  }
  return [...seen]
}
