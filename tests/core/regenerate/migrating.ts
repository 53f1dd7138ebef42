import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect } from 'vitest'
import type { databases } from '../../support/databases.js'
import { freshDatabase } from '../../support/postgres.js'
import { scriptsShareAProcess } from '../../support/resident.js'
import { linkDependencies, savedProject, svc } from '../cli/project.js'
import { fill } from '../write/folder.js'
import { query } from './query.js'

export const now = `'2026-01-01T00:00:00.000+00:00'`

/** A user and two posts. */
export const rows = `
  insert into users (name, email, password, updated_at) values ('Ada', 'ada@example.com', 'x', ${now});
  insert into posts (title, body, owner_id, updated_at) values ('First', 'a', 1, ${now}), ('Second', 'b', 1, ${now});
`

/** A saved project of its own for each test, with an empty database. */
export function migrating(database: (typeof databases)[number]) {
  scriptsShareAProcess()
  let root = ''
  let url = ''
  const before = { ...process.env }

  beforeEach(async () => {
    root = await savedProject('--database', database)
    linkDependencies(root)
    url =
      database === 'sqlite' ? `file:${join(root, 'storage/test.sqlite')}` : await freshDatabase()
    process.env['DATABASE_URL'] = url
    process.env['NODE_ENV'] = 'development'
    process.env['SVC_SKIP_PRISMA_CLIENT'] = '1'
  })
  afterEach(() => void (process.env = before))

  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  const change = (path: string, from: string, to: string) =>
    fill(root, { [path]: read(path).replace(from, to) })
  return {
    get root() {
      return root
    },
    get url() {
      return url
    },
    read,
    change,
    ask: (sql: string) => query(database, url, sql),
    ok: async (...line: string[]) => {
      const quick = line[0] === 'generate' ? ['--no-compile'] : []
      const { code, out, errors } = await svc(root, ...line, ...quick)
      expect(code, out + errors).toBe(0)
      return out
    },
    addSlug: (field: string) =>
      change('manifest/posts.ts', 'body: textarea(),', `body: textarea(),\n    slug: ${field},`),
    renamePostsToArticles: () => {
      change(
        'manifest/posts.ts',
        'posts = repository({',
        "articles = repository({\n  renamedFrom: 'posts',",
      )
      fill(root, {
        'manifest/index.ts': read('manifest/index.ts').replaceAll(/\bposts\b(?!\.js)/g, 'articles'),
      })
      change('manifest/users.ts', 'posts: hasMany()', 'articles: hasMany()')
    },
  }
}
