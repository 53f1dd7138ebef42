/** Until the first migration is saved, everything the manifest was before is forgotten, and what a database holds is not. */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { toldOn } from '../../support/databases.js'
import { freshDatabase } from '../../support/postgres.js'
import { scriptsShareAProcess } from '../../support/resident.js'
import { linkDependencies, newProject, svc } from '../cli/project.js'
import { openLive, type Live } from '../prisma/live.js'
import { fill, textsOf } from '../write/folder.js'
import { query } from './query.js'

scriptsShareAProcess()

const now = `'2026-01-01T00:00:00.000+00:00'`
const rows = `
  insert into users (name, email, password, updated_at) values ('Ada', 'ada@example.com', 'x', ${now});
  insert into posts (title, body, owner_id, updated_at) values ('First', '7', 1, ${now}), ('Second', 'b', 1, ${now});
`

describe.each(toldOn('postgresql'))('before a migration is saved, on %s', (database) => {
  let [root, url] = ['', '']
  const before = { ...process.env }

  beforeEach(async () => {
    root = await newProject('--database', database)
    linkDependencies(root)
    url = await emptyDatabase('test')
    process.env['NODE_ENV'] = 'development'
    process.env['SVC_SKIP_PRISMA_CLIENT'] = '1'
  })
  afterEach(() => void (process.env = before))

  async function emptyDatabase(name: string): Promise<string> {
    const made =
      database === 'sqlite' ? `file:${join(root, `storage/${name}.sqlite`)}` : await freshDatabase()
    process.env['DATABASE_URL'] = made
    return made
  }
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  const change = (path: string, from: string, to: string) =>
    fill(root, { [path]: read(path).replace(from, to) })
  const ask = (sql: string) => query(database, url, sql)
  const ok = async (...line: string[]) => {
    const quick = line[0] === 'generate' ? ['--no-compile'] : []
    const { code, out, errors } = await svc(root, ...line, ...quick)
    expect(code, out + errors).toBe(0)
    return out
  }
  const replacePosts = () => {
    rmSync(join(root, 'manifest/posts.ts'))
    fill(root, {
      'manifest/visits.ts': `import { belongsTo, decimal, repository, text } from 'svckit'

export const visits = repository({
  fields: { animal: text().max(40), fee: decimal(10, 2).default('0') },
  related: { owner: belongsTo('users', { filledBy: 'user' }) },
})
`,
      'manifest/index.ts': read('manifest/index.ts').replaceAll('posts', 'visits'),
    })
    change('manifest/users.ts', 'posts: hasMany()', 'visits: hasMany()')
  }
  const migrations = () =>
    Object.entries(textsOf(root)).filter(([path]) => path.startsWith('prisma/migrations/'))
  const texts = () =>
    migrations()
      .map(([, text]) => text)
      .join('\n')
  const schema = () => {
    const files = Object.entries(textsOf(root)).map(([path, content]) => ({ path, content }))
    return files.filter(({ path }) => /^prisma\/schema\/.*\.prisma$/.test(path))
  }

  test('the posts of the starter are replaced without a trace, and one saved migration builds it all', async () => {
    replacePosts()
    await ok('generate')
    expect(await ok('migrate')).toBe('draft migration applied\n')
    expect(texts()).not.toMatch(/posts|DROP/)
    await ok('migrate', 'save', 'init')
    expect(texts()).not.toMatch(/posts|DROP/)
    const saved = migrations().filter(([path]) => path.endsWith('.sql'))
    expect(saved.map(([path]) => path)).toEqual([
      expect.stringMatching(/^prisma\/migrations\/\d{14}_init\/migration\.sql$/),
    ])
    // Where the draft was taken, it is recorded; elsewhere it is run.
    await ok('migrate', 'deploy')
    expect(await ok('migrate', 'status')).toMatch(/^applied {2}\d{14}_init\n$/)
    await emptyDatabase('production')
    expect(await ok('migrate', 'deploy')).toMatch(/^migration \d{14}_init applied\n$/)
    expect(await ok('generate', '--check')).toContain('unchanged')
    const live: Live = await openLive(database)
    await live.run(saved[0]?.[1] ?? '')
    expect(await live.lacks(schema())).toBeNull()
    await live.close()
  })

  test('a database that took the posts lets go of them, asking first where there are some', async () => {
    await ok('migrate')
    await ask(rows)
    replacePosts()
    await ok('generate')
    const refused = await svc(root, 'migrate')
    expect(refused).toMatchObject({ code: 1, errors: '' })
    expect(refused.out).toContain('posts: 2 rows')
    expect(refused.out).toContain('svc migrate --accept-data-loss')
    await ok('migrate', '--accept-data-loss')
    expect(texts()).not.toMatch(/posts|DROP/)
    await ok('migrate', 'save', 'init')
    await ok('migrate', 'deploy')
    expect(await ask('select count(*) as n from users where id = 1')).toEqual([
      { n: database === 'sqlite' ? 1 : '1' },
    ])
    const moved = url
    url = await emptyDatabase('fresh')
    await ok('migrate')
    expect(await columns(url)).toEqual(await columns(moved))
  })

  test('renames, required columns and other kinds keep the rows of a database that took an earlier draft', async () => {
    await ok('migrate')
    await ask(rows)
    change(
      'manifest/posts.ts',
      'title: text().max(160)',
      "heading: text().max(160).renamedFrom('title')",
    )
    change('manifest/posts.ts', "title: 'title'", "title: 'heading'")
    change('manifest/posts.ts', "searchable: ['title'", "searchable: ['heading'")
    change('manifest/posts.ts', "'id', 'title'", "'id', 'heading'")
    await ok('generate')
    await ok('migrate')
    expect(await ask('select heading from posts order by id')).toEqual([
      { heading: 'First' },
      { heading: 'Second' },
    ])
    change('manifest/posts.ts', 'body: textarea(),', 'body: textarea(),\n    slug: text().max(20),')
    await ok('generate')
    const asked = await svc(root, 'migrate')
    expect(asked.code).toBe(1)
    expect(asked.errors).toContain("'slug' of 'posts' is required")
    expect(asked.errors).toContain('or svc migrate --fill posts.slug=<value>')
    expect((await svc(root, 'migrate', '--fill', 'posts.slog=x')).errors).toContain(
      'names no column',
    )
    await ok('migrate', '--fill', 'posts.slug=none')
    expect(await ask('select slug from posts')).toEqual([{ slug: 'none' }, { slug: 'none' }])
    change('manifest/posts.ts', 'body: textarea()', 'body: integer().nullable()')
    change('manifest/posts.ts', "['heading', 'body']", "['heading']")
    change('manifest/posts.ts', 'textarea', 'integer')
    await ok('generate')
    const stopped = await svc(root, 'migrate')
    expect(stopped.code).toBe(1)
    expect(stopped.errors).toContain("posts.body is no integer: 1 row, 'b'")
    expect(stopped.errors).toContain('svc migrate --fill posts.body=<value>')
    await ok('migrate', '--accept-data-loss')
    expect(await ask('select body from posts order by id')).toEqual([{ body: 7 }, { body: null }])
    // None of it is anybody else's history.
    expect(texts()).not.toMatch(/RENAME|none|title/)
    await ok('migrate', 'save', 'init')
    await ok('migrate')
    expect(await ok('generate', '--check')).toContain('unchanged')
    const moved = url
    url = await emptyDatabase('fresh')
    await ok('migrate', 'deploy')
    expect(await columns(url)).toEqual(await columns(moved))
  })

  test('what needs a saved migration says how to save the first one', async () => {
    const { code, errors } = await svc(root, 'migrate', 'deploy')
    expect(code).toBe(1)
    expect(errors).toContain('No migration is saved yet')
    expect(errors).toContain('npx --no svc migrate save init')
    await ok('migrate', 'save', 'init')
    expect(await ok('migrate', 'deploy')).toMatch(/^migration \d{14}_init applied\n$/)
  })

  test('a draft that was edited by hand is not written anew for an answer', async () => {
    await ok('migrate', 'save', 'init')
    await ok('migrate')
    await ask(rows)
    change('manifest/posts.ts', 'body: textarea(),', 'body: textarea(),\n    slug: text().max(20),')
    await ok('generate')
    const draft = 'prisma/migrations/draft.sql'
    const written = read(draft)
    fill(root, { [draft]: `UPDATE posts SET title = 'Mine' WHERE id = 1;\n${written}` })
    const before = texts()
    const answer = ['migrate', '--fill', 'posts.slug=none']
    const { code, errors } = await svc(root, ...answer)
    expect(code).toBe(1)
    expect(errors).toContain('was edited by hand')
    expect(texts()).toBe(before)
    rmSync(join(root, draft))
    await ok('generate')
    expect(read(draft)).toBe(written)
    await ok(...answer)
  })

  const columns = (at: string) =>
    query(
      database,
      at,
      database === 'sqlite'
        ? `select m.name as t, c.name as c, c.type, c."notnull", c.dflt_value from sqlite_master m, pragma_table_info(m.name) c
           where m.type = 'table' and m.name not like '\\_%' escape '\\' order by 1, 2`
        : `select table_name, column_name, data_type, is_nullable, column_default from information_schema.columns
           where table_schema = current_schema() and table_name not like '\\_%' order by 1, 2`,
    )
})
