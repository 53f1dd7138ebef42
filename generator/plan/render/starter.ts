import type { Database, FirstPolicy } from '../../blueprint/types.js'

/** Texts by path. */
export type Texts = ReadonlyMap<string, string>

/** Projects that show something, in `fixtures/`. */
export type Example = 'blog' | 'shop' | 'team'

/** The access that policies give at first; null: none. */
export type Opened = FirstPolicy['opens'] | null

const index = (database: Database, newPolicies: Opened) => `import { defineManifest } from 'svckit'
import { posts } from './posts.js'
import { users } from './users.js'

export default defineManifest({
  database: '${database}',${newPolicies === null ? '' : `\n  newPolicies: '${newPolicies}',`}
  repositories: { users, posts },
})
`

const users = `import { email, hasMany, password, repository, text } from 'svckit'

/** The people who sign in. \`GET /api/svc/users\` lists them. */
export const users = repository({
  title: 'name',
  searchable: ['name', 'email'],
  sort: ['id', 'name'],
  fields: {
    name: text().max(120).nullable(),
    email: email().unique(),
    password: password(),
  },
  related: {
    posts: hasMany(),
  },
})
`

const posts = `import { belongsTo, dateTime, repository, text, textarea } from 'svckit'

/** Change the fields, run \`npx --no svc generate\`, and see what it does; or copy this file for a repository of your own. */
export const posts = repository({
  title: 'title',
  searchable: ['title', 'body'],
  match: { published_at: 'datetime' },
  sort: ['id', 'title', 'published_at'],
  fields: {
    title: text().max(160),
    body: textarea(),
    published_at: dateTime().nullable(),
  },
  related: {
    owner: belongsTo('users', { filledBy: 'user' }),
  },
})
`

/** Read without a token, where everyone reads. */
const openPosts = posts.replace('repository({\n', 'repository({\n  public: true,\n')

/** The manifest of `svc new`: an auth repository, and one that its users write. */
export const starterManifest = (database: Database, newPolicies: Opened = null): Texts =>
  new Map([
    ['manifest/index.ts', index(database, newPolicies)],
    ['manifest/users.ts', users],
    ['manifest/posts.ts', newPolicies === 'public-read' ? openPosts : posts],
  ])

/** Returns the texts for another database. */
export function onDatabase(texts: Texts, database: Database): Texts {
  return new Map(
    [...texts].map(([path, text]) => [
      path,
      path === 'manifest/index.ts'
        ? text.replace(/database: '\w+'/, `database: '${database}'`)
        : text,
    ]),
  )
}
