import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { generateInto } from '../../support/generate.js'
import {
  databases,
  emitFixture,
  openFolder,
  type DatabaseName,
  type Edits,
  type Project,
} from '../../support/project.js'
import { columnFor, renameColumns } from '../../support/renamed-columns.js'

/** A policy that asks of columns of the row, of the row as it would be, and of rows around it. */
const edits: Edits = {
  'app/Policies/CommentPolicy.ts': (text) =>
    text
      .replace(
        'show: (user) => user !== null',
        `show: (user) => user !== null && not({ body: 'hidden' })`,
      )
      .replace(
        'store: (user) => user !== null',
        `store: (user) => ({ user_id: user?.id, body: { not: 'refused' }, post: { is: { title: { not: 'Closed' } } } })`,
      )
      .replace(
        'update: (user) => user !== null',
        `update: (user) => ({ user: { is: { id: user?.id, name: { startsWith: 'A' } } } })`,
      )
      .replace('import type', `import { not } from '#runtime/policy/condition.js'\nimport type`),
  'manifest/comments.ts': (text) => text.replace('fields: {', 'hooks: true,\n  fields: {'),
  'manifest/posts.ts': (text) =>
    text
      .replace('comments: hasMany(),', '')
      .replace('fields: {', 'fields: {\n    comments: hasMany(),'),
  'manifest/phones.ts': (text) =>
    text
      .replace('text().max(30)', 'text().max(30).unique()')
      .replace(
        'fields: {',
        `unique: [['line', 'desk']],\n  fields: { line: text().max(9).nullable(), desk: text().max(9).nullable(),`,
      ),
}

const hooks = `import type { CommentModel, HooksFor } from '#app/Models.js'

export const CommentHooks: HooksFor<CommentModel> = {
  beforeStore: (_, values) => ({ body: String(values.body).trim() }),
  beforeUpdate: (_, row, values) => ({ body: \`\${values.body ?? 'given'} (was \${row.body})\` }),
}
`

async function open(name: DatabaseName, areRenamed: boolean): Promise<Project> {
  const folder = await emitFixture('blog', name, edits)
  await writeFile(join(folder, 'app/Hooks/CommentHooks.ts'), hooks)
  if (areRenamed) await renameColumns(folder)
  await generateInto(folder)
  return openFolder(folder, name)
}

type Ask = readonly [method: string, path: string, body?: unknown]

const graphql = (query: string): Ask => ['POST', '/graphql', { query }]

/** Every way in which a column gets into SQL. */
const asks: readonly Ask[] = [
  ['GET', '/posts'],
  ['GET', '/posts/1?include=owner,comments.user,tags,image,description'],
  ['GET', '/posts?title=Open,Closed&sort=-title,published_at'],
  ['GET', '/posts?-title=Open&sort=owner.name'],
  ['GET', '/posts?published_at=2026-01-02'],
  ['GET', '/posts?published_at=null'],
  ['GET', '/posts?owner_id=1&page=2&perPage=1'],
  ['GET', '/posts?search=words'],
  ['GET', '/posts?search=bob'],
  ['GET', '/posts/1/comments?sort=-created_at&search=one'],
  ['GET', '/posts/1/owner'],
  ['GET', '/users/1?include=posts[title|owner_id],phone,companies,roles'],
  ['GET', '/users?include=posts.comments&relatablePerPage=1'],
  ['GET', '/companies?name=cm&include=users,tags,summary'],
  ['GET', '/comments?post_id=1&include=post.owner'],
  ['GET', '/images/1?include=imageable'],
  ['POST', '/posts', { title: 'New', description: null, published_at: '2026-03-04T05:06:07.000Z' }],
  ['POST', '/posts', { title: 'n'.repeat(200) }],
  ['PATCH', '/posts/1', { title: 'Newer', description: 'More' }],
  ['PUT', '/posts/1', { title: 'Newest' }],
  ['PATCH', '/posts/2', { title: 'Of another' }],
  ['DELETE', '/posts/1'],
  ['POST', '/posts/1/comments', { body: ' below ' }],
  ['POST', '/comments', { body: 'refused', post_id: '1' }],
  ['POST', '/comments', { body: 'x', post_id: '2' }],
  ['POST', '/comments', { body: 'x', post_id: '99' }],
  ['PATCH', '/comments/1', { body: 'changed' }],
  ['PATCH', '/comments/3', { body: 'changed' }],
  ['POST', '/phones', { number: '1', user_id: '2' }],
  ['POST', '/phones', { number: '2', line: 'a', desk: 'd', user_id: '2' }],
  ['POST', '/phones', { number: '1', line: 'a', desk: 'd', user_id: '1' }],
  ['POST', '/phones', { number: '3', line: null, user_id: '77' }],
  ['PATCH', '/phones/1', { line: 'b' }],
  ['POST', '/roles', { name: 'editor' }],
  ['POST', '/companies/1/attach/users', { users: ['1'], is_admin: true }],
  ['GET', '/companies/1/users?sort=-name'],
  ['POST', '/companies/1/sync/users', { users: ['2'] }],
  ['POST', '/posts/1/attach/tags', { tags: ['1'] }],
  ['GET', '/posts/1?include=tags'],
  ['DELETE', '/companies/1'],
  graphql(
    '{ postList(sort: ["-title"], match: { title: "Open,Newest" }) { id title owner { name } comments { body user { name } } } }',
  ),
  graphql(
    '{ user(id: 1) { name is_admin phone { number line } posts(first: 1, search: "w") { title } companies { name } } }',
  ),
  graphql(
    'mutation { createPost(input: { title: "By GraphQL", published_at: "2026-05-06T00:00:00.000Z" }) { id title owner_id } }',
  ),
  graphql('mutation { updatePost(id: 1, input: { title: "By GraphQL" }) { title description } }'),
  graphql(
    'mutation { createPost(input: { title: "With", comment_ids: ["1"] }) { title comment_ids comments { body } } }',
  ),
  graphql('mutation { createRole(input: { name: "editor" }) { id } }'),
]

/** Matches the names of `columnFor`. */
const other = /"The (\w+) \(Ä, 'b'\); c"/g

/** Replaces values that differ in each run. */
const settled = (value: unknown) =>
  JSON.stringify(value, (key, each: unknown) =>
    ['created_at', 'updated_at', 'request_id'].includes(key) ? typeof each : each,
  )

async function fill(project: Project): Promise<void> {
  const at = { created_at: '2026-01-01T00:00:00.000Z', updated_at: '2026-01-01T00:00:00.000Z' }
  await project.user('Ann', at)
  await project.user('Bob', at)
  for (const [title, owner, published] of [
    ['Open', 1, '2026-01-02T03:04:05.678Z'],
    ['Closed', 2, '2026-02-02T00:00:00.000Z'],
    ['Draft', 1, null],
    ['Of nobody else', 2, null],
  ] as const) {
    const more = { description: `Words of ${title}`, published_at: published }
    await project.insert('posts', { title, owner_id: owner, ...more, ...at })
  }
  for (const [body, post, user] of [
    ['one', 1, 1],
    ['hidden', 1, 1],
    ['two', 1, 2],
  ] as const) {
    await project.insert('comments', { body, post_id: post, user_id: user, ...at })
  }
  await project.insert('phones', { number: '1', line: 'a', desk: 'd', user_id: 1, ...at })
  await project.insert('companies', { name: 'Acme', ...at })
  await project.insert('tags', { name: 'red', ...at })
  await project.insert('roles', { name: 'editor', ...at })
  await project.link('company_user', { company_id: 1, user_id: 2, is_admin: true })
  await project.insert('images', { url: 'x.png', imageable_type: 'posts', imageable_id: 1, ...at })
}

describe.each(databases)(
  'on %s, a server answers the same whatever its columns are called',
  (name) => {
    let plain: Project
    let renamed: Project

    beforeAll(async () => {
      plain = await open(name, false)
      renamed = await open(name, true)
      await fill(plain)
      await fill(renamed)
    })
    afterAll(async () => {
      await plain.close()
      await renamed.close()
    })

    const send = (project: Project, [method, path, body]: Ask) =>
      project.request(method, path.startsWith('/graphql') ? path : `/api/svc${path}`, {
        as: 1,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        headers: { 'content-type': 'application/json' },
      })

    // In their order: what one writes, the next ones read.
    test.each(asks.map((ask) => ({ ask })))('$ask.0 $ask.1', async ({ ask }) => {
      const expected = await send(plain, ask)
      const answer = await send(renamed, ask)
      expect([answer.status, settled(answer.body)]).toEqual([
        expected.status,
        settled(expected.body),
      ])
      expect(expected.status, settled(expected.body)).toBeLessThan(500)
      // By the same statements, but for the names.
      const named = answer.statements.map(({ sql }) => sql.replaceAll(other, '"$1"'))
      expect(named).toEqual(expected.statements.map(({ sql }) => sql))
    })

    test('and the names are others', async () => {
      const { statements } = await send(renamed, ['GET', '/posts?search=w'])
      expect(statements.map(({ sql }) => sql).join()).toContain(`"${columnFor('title')}"`)
    })
  },
)
