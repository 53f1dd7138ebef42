import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { migrateProject } from '../../generator/commands/migrate-project.js'
import { linkDependencies, savedProject, svc } from '../cli/project.js'
import { databases, isTold } from '../support/databases.js'
import { freshDatabase } from '../support/postgres.js'
import { fill, textsOf } from '../write/folder.js'
import { query } from './query.js'

const now = `'2026-01-01T00:00:00.000+00:00'`
const rows = `
  insert into users (name, email, password, updated_at) values ('Ada', 'ada@example.com', 'x', ${now});
  insert into posts (title, body, owner_id, updated_at) values ('First', 'a', 1, ${now}), ('Second', 'b', 1, ${now});
`

describe.each(databases)('svc migrate on %s', { timeout: 180_000 }, (database) => {
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
  const renamePostsToArticles = () => {
    change(
      'manifest/posts.ts',
      'posts = repository({',
      "articles = repository({\n  renamedFrom: 'posts',",
    )
    fill(root, {
      'manifest/index.ts': read('manifest/index.ts').replaceAll(/\bposts\b(?!\.js)/g, 'articles'),
    })
    change('manifest/users.ts', 'posts: hasMany()', 'articles: hasMany()')
  }
  const ask = (sql: string) => query(database, url, sql)
  const ok = async (...line: string[]) => {
    const quick = line[0] === 'generate' ? ['--no-compile'] : []
    const { code, out, errors } = await svc(root, ...line, ...quick)
    expect(code, out + errors).toBe(0)
    return out
  }

  test('a rename of a field, a relation and a repository, saved and deployed, keeps every row', async () => {
    await ok('migrate')
    await ask(rows)
    change('manifest/posts.ts', "title: 'title'", "title: 'headline'")
    change('manifest/posts.ts', "searchable: ['title'", "searchable: ['headline'")
    change('manifest/posts.ts', "'id', 'title'", "'id', 'headline'")
    change(
      'manifest/posts.ts',
      'title: text().max(160)',
      "headline: text().max(160).renamedFrom('title')",
    )
    change(
      'manifest/posts.ts',
      "owner: belongsTo('users', { filledBy: 'user' })",
      "writer: belongsTo('users', { filledBy: 'user' }).renamedFrom('owner')",
    )
    renamePostsToArticles()
    await ok('generate')
    expect(await ok('migrate', 'save', 'articles')).toContain('RENAME')
    await ok('migrate', 'deploy')
    expect(await ask('select id, headline, writer_id from articles order by id')).toEqual([
      { id: 1, headline: 'First', writer_id: 1 },
      { id: 2, headline: 'Second', writer_id: 1 },
    ])
    expect(await ok('generate', '--check')).toContain('unchanged')
    expect(await ok('migrate', 'status')).toMatch(
      /^applied {2}\d{14}_init\napplied {2}\d{14}_articles\n$/,
    )
  })

  if (isTold(database, 'sqlite'))
    test('a repository with a name of its own is followed, and so are its files', async () => {
      change('manifest/posts.ts', 'posts = repository({', "posts = repository({\n  name: 'Story',")
      fill(root, {
        'manifest/notes.ts': `import { belongsTo, morphTo, repository, text } from 'svckit'

export const notes = repository({ fields: { body: text() }, related: { story: belongsTo('posts') } })
export const marks = repository({ fields: { word: text() }, related: { markable: morphTo() } })
`,
        'manifest/index.ts': read('manifest/index.ts')
          .replace('{ users, posts }', '{ users, posts, notes, marks }')
          .replace(
            'import { users }',
            "import { marks, notes } from './notes.js'\nimport { users }",
          ),
      })
      change(
        'manifest/posts.ts',
        'related: {',
        "related: {\n    marks: morphMany({ name: 'markable' }),",
      )
      change('manifest/posts.ts', 'import { ', 'import { morphMany, ')
      await ok('generate')
      await ok('migrate')
      await ok('migrate', 'save', 'start')
      await ok('migrate')
      await ask(`${rows}
        insert into notes (body, story_id, updated_at) values ('n', 2, ${now});
        insert into marks (word, markable_type, markable_id, updated_at) values ('m', 'posts', 1, ${now})`)
      fill(root, {
        'app/Policies/StoryPolicy.ts': `${read('app/Policies/StoryPolicy.ts')}// mine\n`,
      })
      change(
        'manifest/posts.ts',
        "posts = repository({\n  name: 'Story',",
        "articles = repository({\n  renamedFrom: 'posts',",
      )
      fill(root, {
        'manifest/index.ts': read('manifest/index.ts').replaceAll(/\bposts\b(?!\.js)/g, 'articles'),
      })
      change('manifest/users.ts', 'posts: hasMany()', 'articles: hasMany()')
      change('manifest/notes.ts', "story: belongsTo('posts')", "article: belongsTo('articles')")
      await ok('generate')
      expect(read('app/Policies/ArticlePolicy.ts')).toMatch(
        /export const ArticlePolicy[^]*\/\/ mine/,
      )
      await ok('migrate')
      expect(await ask('select body, article_id from notes')).toEqual([
        { body: 'n', article_id: 2 },
      ])
      expect(await ask('select markable_type from marks')).toEqual([{ markable_type: 'articles' }])
      // Renamed once more before it is saved: the repository from the name between, the field from the one that is saved.
      change('manifest/posts.ts', "renamedFrom: 'posts'", "renamedFrom: 'articles'")
      change('manifest/posts.ts', 'articles = repository({', 'essays = repository({')
      fill(root, {
        'manifest/index.ts': read('manifest/index.ts').replaceAll(
          /\barticles\b(?!\.js)/g,
          'essays',
        ),
      })
      change('manifest/users.ts', 'articles: hasMany()', 'essays: hasMany()')
      change('manifest/notes.ts', "article: belongsTo('articles')", "essay: belongsTo('essays')")
      change('manifest/notes.ts', 'body: text()', "content: text().renamedFrom('body')")
      await ok('generate')
      await ok('migrate')
      change(
        'manifest/notes.ts',
        "content: text().renamedFrom('body')",
        "words: text().renamedFrom('body')",
      )
      await ok('generate')
      await ok('migrate')
      expect(await ask('select words, essay_id from notes')).toEqual([{ words: 'n', essay_id: 2 }])
      expect(await ask('select markable_type from marks')).toEqual([{ markable_type: 'essays' }])
      change('manifest/notes.ts', "words: text().renamedFrom('body')", 'body: text()')
      await ok('generate')
      await ok('migrate')
      expect(await ask('select body from notes')).toEqual([{ body: 'n' }])
      await ok('migrate', 'save', 'essays')
      await ok('migrate')
      expect(await ask('select count(*) as number from essays')).toEqual([
        { number: database === 'sqlite' ? 2 : '2' },
      ])
    })

  test('a key that changes and leaves its table takes the morph values with it', async () => {
    fill(root, {
      'manifest/index.ts': `import { defineManifest, morphMany, morphTo, repository, text } from 'svckit'

const key = { fields: { title: text() }, related: { marks: morphMany({ name: 'markable' }) } }
export default defineManifest({
  database: '${database}',
  repositories: { 'blog-posts': repository({ ...key }), marks: repository({ fields: { word: text() }, related: { markable: morphTo() } }) },
})
`,
    })
    change('config/svc.ts', "user_model: 'users'", 'user_model: null')
    rmSync(join(root, 'prisma/migrations'), { recursive: true })
    await ok('generate')
    await ok('migrate')
    await ask(`insert into blog_posts (title, updated_at) values ('a', ${now});
        insert into marks (word, markable_type, markable_id, updated_at) values ('m', 'blog-posts', 1, ${now})`)
    change(
      'manifest/index.ts',
      "'blog-posts': repository({ ...key })",
      "blog_posts: repository({ renamedFrom: 'blog-posts', ...key })",
    )
    await ok('generate')
    await ok('migrate')
    expect(await ask('select markable_type from marks')).toEqual([{ markable_type: 'blog_posts' }])
    await ok('migrate', 'save', 'key')
    await ok('migrate')
    expect(await ok('generate')).not.toContain('draft')
  })

  if (isTold(database, 'sqlite'))
    test('a change that drops data is reported with the number of rows, and saved only with --accept-data-loss', async () => {
      await ok('migrate')
      await ask(rows)
      change('manifest/posts.ts', 'body: textarea(),', '')
      change('manifest/posts.ts', "['title', 'body']", "['title']")
      await ok('generate')
      const { code, out, errors } = await svc(root, 'migrate', 'save', 'no_body')
      expect(code).toBe(1)
      expect(out).toContain("  drops the column 'body' of 'posts' with all its values\n")
      expect(out).toContain('  posts.body: 2 values\n')
      expect(errors).toContain('svc migrate save no_body --accept-data-loss')
      const draft = 'prisma/migrations/draft.sql'
      expect(read(draft)).toContain('Careful')
      // Nobody saves it unasked by taking the warning out of the file.
      fill(root, { [draft]: read(draft).replace(/^-- Careful.*\n/gm, '') })
      expect((await svc(root, 'migrate', 'save', 'no_body')).code).toBe(1)
      await ok('migrate', 'save', 'no_body', '--accept-data-loss')
      expect(Object.keys(textsOf(root))).not.toContain('prisma/migrations/draft.sql')
      expect(await ok('migrate', 'save', 'again')).toContain('Nothing to save')
    })

  const addSlug = (field: string) =>
    change('manifest/posts.ts', 'body: textarea(),', `body: textarea(),\n    slug: ${field},`)

  if (isTold(database, 'sqlite'))
    test('a required column added to a table with rows asks what they get, and fills them', async () => {
      await ok('migrate')
      await ask(rows)
      addSlug('text().max(20)')
      const said = await ok('generate')
      expect(said).toContain("makes 'slug' of 'posts' required")
      expect(said).toContain('say what they get: svc migrate --fill posts.slug=<value>\n')
      for (const line of [['migrate'], ['migrate', 'save', 'slug']]) {
        const { code, out, errors } = await svc(root, ...line)
        expect(code).toBe(1)
        expect(out + errors).toContain("could not be applied: 2 rows of 'posts' have no 'slug' (")
        expect(errors).toContain(
          "'slug' of 'posts' is required, and rows that are there have no value for it.",
        )
        expect(errors).toContain('.default(…)')
        expect(errors).toContain('.nullable()')
        expect(errors).toContain('--fill posts.slug=<value>')
      }
      const refused = async (fill: string) => (await svc(root, 'migrate', '--fill', fill)).errors
      expect(await refused('posts.slog=x')).toContain('names no column')
      expect(await refused('posts.slug=')).toBe('')
      expect(await ask('select title, slug from posts order by id')).toEqual([
        { title: 'First', slug: '' },
        { title: 'Second', slug: '' },
      ])
      expect(await refused('posts.title=x')).toContain('no migration that is being worked on')
      expect(await refused(`posts.slug=${'x'.repeat(21)}`)).toContain('.max(20) does not allow it')
      await ok('migrate', 'save', 'slug')
      await ok('migrate')
      expect(await ok('generate', '--check')).toContain('unchanged')
      expect(await ok('migrate', 'status')).toMatch(
        /^applied {2}\d{14}_init\napplied {2}\d{14}_slug\n$/,
      )
    })

  test.each(isTold(database, 'postgresql') ? [database] : [])(
    'a required and unique column is not to be filled: rows get values of their own while it may be NULL',
    async () => {
      await ok('migrate')
      await ask(rows)
      addSlug('text().max(20).unique()')
      expect(await ok('generate')).toContain('no one value would do for all of them')
      const way = "'slug' of 'posts' is unique, so --fill, which has one value for all rows"
      const says = async (...line: string[]) => {
        const { code, errors } = await svc(root, ...line)
        expect([code, errors.split(way).length]).toEqual([1, 2])
        return errors
      }
      for (const line of [['migrate'], ['migrate', 'save', 'slug']]) {
        expect(await says(...line)).not.toContain('--fill posts')
      }
      const silent = { root, say: () => {}, tell: () => {}, acceptDataLoss: false }
      const asked = { ...silent, askFills: () => Promise.reject(new Error('is asked')) }
      expect(await migrateProject(asked)).toBe(false)
      // One row would take it, and it cannot be known on which database that is so.
      await says('migrate', '--fill', 'posts.slug=a')
      expect(await says('migrate', 'save', 'slug')).not.toContain('with another value')
      const turn = async (from: string, to: string) => {
        change('manifest/posts.ts', from, to)
        await ok('generate')
      }
      await turn('.unique()', '.unique().nullable()')
      await ok('migrate')
      await turn('.unique().nullable()', '.unique()')
      await says('migrate')
      await says('migrate', '--fill', 'posts.slug=a')
      await ask(`update posts set slug = 'slug ' || id`)
      await ok('migrate')
      await turn('.unique()', '.unique().nullable()')
      await ok('migrate', 'save', 'slug')
      await turn('.unique().nullable()', '.unique()')
      await ok('migrate', 'save', 'slug_required')
      expect(await ok('migrate')).toContain('_slug_required')
      expect(await ask('select slug from posts order by id')).toEqual([
        { slug: 'slug 1' },
        { slug: 'slug 2' },
      ])
    },
  )

  test.each(isTold(database, 'sqlite') ? [database] : [])(
    'columns that are unique together say so, where rows that agree in the others are filled alike',
    async () => {
      await ok('migrate')
      await ask(rows)
      addSlug('text().max(20)')
      const posts = read('manifest/posts.ts')
      const unique = async (...columns: string[]) => {
        const list = columns.map((column) => `'${column}'`).join(', ')
        const text = posts.replace('fields: {', `unique: [[${list}]],\n  fields: {`)
        fill(root, { 'manifest/posts.ts': text })
        await ok('generate')
        return list
      }
      // In either order: a database names the columns in that of the index.
      for (const columns of [
        ['owner_id', 'slug'],
        ['slug', 'owner_id'],
      ]) {
        const list = await unique(...columns)
        const way = `
  fix    ${list} of 'posts' are unique together, and --fill gives rows with the same 'owner_id' the same 'slug':
         another value, if the row in the way had this one before;
         or rows that differ in 'owner_id';
         or .nullable() on 'slug' for now (NULLs are not equal), values that differ, and .nullable() taken away again
`
        for (const line of [
          ['migrate', '--fill', 'posts.slug=a'],
          ['migrate'],
          ['migrate', 'save', 'slug'],
        ]) {
          const { code, errors } = await svc(root, ...line)
          expect([code, errors.split(way).length]).toEqual([1, 2])
          expect(errors).not.toContain("'slug' of 'posts' is unique")
        }
      }
      // What is said helps.
      const titled = await unique('slug', 'title')
      await ask(`update posts set title = 'Same'`)
      expect((await svc(root, 'migrate')).errors).toContain(`${titled} of 'posts' are unique`)
      await ask(`update posts set title = 'Title ' || id`)
      await ok('migrate')
    },
  )

  if (isTold(database, 'postgresql'))
    test('a column that may be NULL no more says how many rows have no value, by the name of today', async () => {
      addSlug('text().max(20).nullable(),\n    code: text().nullable()')
      await ok('generate')
      await ok('migrate', 'save', 'slug')
      await ok('migrate')
      await ask(rows)
      await ask(`update posts set slug = 'a' where title = 'First'`)
      change(
        'manifest/posts.ts',
        'slug: text().max(20).nullable(),\n    code: text().nullable()',
        "tag: text().max(20).renamedFrom('slug'),\n    code: text()",
      )
      await ok('generate')
      for (const line of [['migrate'], ['migrate', 'save', 'tag']]) {
        const { code, out, errors } = await svc(root, ...line)
        expect(code).toBe(1)
        expect(out + errors).toContain("1 row of 'posts' has no 'tag'")
        expect(out + errors).toContain("2 rows of 'posts' have no 'code'")
        expect(errors).toContain('--fill posts.tag=<value> --fill posts.code=<value>')
      }
      await ok('migrate', '--fill', 'posts.tag=b', '--fill', 'posts.code=c')
      expect(await ask('select tag, code from posts order by id')).toEqual([
        { tag: 'a', code: 'c' },
        { tag: 'b', code: 'c' },
      ])
    })

  if (isTold(database, 'sqlite'))
    test('what rows get follows a column and its table through every rename in the draft, to every database', async () => {
      const other =
        database === 'sqlite' ? `file:${join(root, 'storage/other.sqlite')}` : await freshDatabase()
      for (const each of [url, other]) {
        process.env['DATABASE_URL'] = each
        await ok('migrate', 'deploy')
        await query(database, each, rows)
      }
      process.env['DATABASE_URL'] = url
      const turn = async (from: string, to: string) => {
        change('manifest/posts.ts', from, to)
        await ok('generate')
        await ok('migrate')
      }
      addSlug('text().max(20)')
      await ok('migrate', '--fill', 'posts.slug=none')
      await turn('slug: text().max(20)', "tag: text().max(20).renamedFrom('slug')")
      await ask(`update posts set tag = 'kept' where title = 'First'`)
      const kept = (column: string) => [{ [column]: 'kept' }, { [column]: 'none' }]
      await turn("tag: text().max(20).renamedFrom('slug')", 'slug: text().max(20)')
      expect(await ask('select slug from posts order by id')).toEqual(kept('slug'))
      await turn('slug: text().max(20)', "tag: text().max(20).renamedFrom('slug')")
      await turn(
        "tag: text().max(20).renamedFrom('slug')",
        "word: text().max(20).renamedFrom('slug')",
      )
      expect(await ask('select word from posts order by id')).toEqual(kept('word'))
      change(
        'manifest/posts.ts',
        "word: text().max(20).renamedFrom('slug')",
        "label: text().max(20).renamedFrom('word')",
      )
      renamePostsToArticles()
      await ok('generate')
      await ok('migrate')
      expect(await ask('select label from articles order by id')).toEqual(kept('label'))
      expect(await ok('generate', '--check')).toContain('unchanged')
      await ok('migrate', 'save', 'label')
      await ok('migrate')
      process.env['DATABASE_URL'] = other
      await ok('migrate', 'deploy')
      expect(await ask('select label from articles order by id')).toEqual(kept('label'))
      const filled = await query(database, other, 'select label from articles')
      expect(filled).toEqual([{ label: 'none' }, { label: 'none' }])
    })

  if (isTold(database, 'sqlite'))
    test('an answer on a terminal is what the rows get; a column that was nullable keeps what it holds', async () => {
      await ok('migrate')
      await ask(rows)
      addSlug(`text().nullable()`)
      await ok('generate')
      await ok('migrate')
      await ask(`update posts set slug = 'kept' where title = 'First'`)
      change('manifest/posts.ts', 'slug: text().nullable()', 'slug: text()')
      await ok('generate')
      const asked: unknown[] = []
      const isDone = await migrateProject({
        root,
        say: () => {},
        tell: () => {},
        acceptDataLoss: false,
        askFills: async (asking) => {
          asked.push(...asking)
          return ["posts.slug=it's"]
        },
      })
      expect({ isDone, asked }).toEqual({
        isDone: true,
        asked: [{ table: 'posts', column: 'slug' }],
      })
      const filled = [{ slug: 'kept' }, { slug: "it's" }]
      expect(await ask('select slug from posts order by id')).toEqual(filled)
      // What is added later starts from the draft that was filled, and fills in the same way.
      change('manifest/posts.ts', 'slug: text()', 'slug: text(),\n    note: text().nullable()')
      await ok('generate')
      await ok('migrate')
      expect(await ask('select slug from posts order by id')).toEqual(filled)
      const fresh =
        database === 'sqlite' ? `file:${join(root, 'storage/fresh.sqlite')}` : await freshDatabase()
      process.env['DATABASE_URL'] = fresh
      await ok('migrate')
      await ok('migrate', 'save', 'slug')
      await ok('migrate', 'deploy')
    })

  if (isTold(database, 'postgresql'))
    test('what is said of rows goes into the step of a database that took the draft before, whatever the draft itself asks', async () => {
      addSlug("text().nullable(),\n    mood: select(['good', 'bad']).nullable()")
      change('manifest/posts.ts', 'import { ', 'import { integer, select, ')
      await ok('generate')
      await ok('migrate')
      await ask(rows)
      await ask(`update posts set slug = '+49 1', mood = 'bad' where title = 'First'`)
      await ask(`update posts set slug = '42', mood = 'good' where title = 'Second'`)
      const states = () => ask('select slug, mood from posts order by id')
      change('manifest/posts.ts', "select(['good', 'bad'])", "select(['good'])")
      change('manifest/posts.ts', 'slug: text()', 'slug: integer()')
      await ok('generate')
      const { code, errors } = await svc(root, 'migrate', '--fill', 'posts.title=x')
      expect([code, errors]).toEqual([
        1,
        expect.stringContaining('--fill posts.title: no migration'),
      ])
      const stopped = await svc(root, 'migrate', '--fill', 'posts.slug=7')
      expect([stopped.code, stopped.errors]).toEqual([
        1,
        expect.stringContaining(`posts.mood is no select("good"): 1 row, 'bad'`),
      ])
      expect(await ok('migrate', '--fill', 'posts.slug=7', '--accept-data-loss')).toContain('Cut')
      expect(await states()).toEqual([
        { slug: 7, mood: null },
        { slug: 42, mood: 'good' },
      ])
      change('manifest/posts.ts', "select(['good']).nullable()", "select(['good'])")
      await ok('generate')
      const required = await svc(root, 'migrate')
      expect([required.code, required.errors]).toEqual([
        1,
        expect.stringContaining('svc migrate --fill posts.mood=<value>'),
      ])
      await ok('migrate', '--fill', 'posts.mood=good')
      expect(await states()).toEqual([
        { slug: 7, mood: 'good' },
        { slug: 42, mood: 'good' },
      ])
    })

  if (isTold(database, 'postgresql'))
    test('a field of another kind converts its values, and those that do not fit stop it until somebody says what they become', async () => {
      addSlug("text().nullable(),\n    mood: select(['good', 'bad']).nullable()")
      change('manifest/posts.ts', 'import { ', 'import { integer, password, select, ')
      await ok('generate')
      await ok('migrate', 'save', 'slug')
      await ok('migrate')
      await ask(rows)
      await ask(`update posts set slug = '+49 1', mood = 'good' where title = 'First'`)
      await ask(`update posts set slug = '42', mood = 'bad' where title = 'Second'`)
      const field = (from: string, to: string) => change('manifest/posts.ts', from, to)
      const stands = async (text: string, ...line: string[]) => {
        const before = await ask('select * from posts order by id')
        const { code, out, errors } = await svc(root, 'migrate', ...line)
        expect([code, out + errors]).toEqual([1, expect.stringContaining(text)])
        expect(await ask('select * from posts order by id')).toEqual(before)
        return errors
      }
      const states = () => ask('select slug, mood from posts order by id')
      field('slug: text().nullable()', 'slug: integer().nullable()')
      expect(await ok('generate')).toContain(
        "converts 'slug' of 'posts' from text max 255 to integer, each value exactly: rows with one that does not fit stop it",
      )
      const found = `Rows stand in the way:\n  posts.slug is no integer: 1 row, '+49 1'\n`
      const errors = await stands(found, 'save', 'slug')
      expect(errors).toContain('svc migrate save slug --fill posts.slug=<value>')
      expect(errors).toContain('svc migrate save slug --accept-data-loss')
      expect(errors).toContain('prisma/migrations/draft.sql')
      await stands(found)
      // Production may have rows that nobody here knows of.
      const draft = read('prisma/migrations/draft.sql')
      fill(root, { 'prisma/migrations/29990101000000_x/migration.sql': draft })
      await stands('posts.slug is no integer', 'deploy')
      rmSync(join(root, 'prisma/migrations/29990101000000_x'), { recursive: true })
      await ok('migrate', 'save', 'slug', '--fill', 'posts.slug=7')
      await ok('migrate')
      expect(await states()).toEqual([
        { slug: 7, mood: 'good' },
        { slug: 42, mood: 'bad' },
      ])
      field("select(['good', 'bad'])", "select(['good'])")
      await ok('generate')
      await stands(`posts.mood is no select("good"): 1 row, 'bad'`)
      await ok('migrate', '--accept-data-loss')
      expect(await states()).toEqual([
        { slug: 7, mood: 'good' },
        { slug: 42, mood: null },
      ])
      await stands('cut', 'save', 'mood')
      await ok('migrate', 'save', 'mood', '--accept-data-loss')
      await ok('migrate')
      // What follows has nothing to be asked, and nothing to accept.
      field('slug: integer()', 'slug: text().max(20)')
      await ok('generate')
      expect(await ok('migrate')).toContain('draft migration applied')
      expect(await ask('select slug from posts order by id')).toEqual([
        { slug: '7' },
        { slug: '42' },
      ])
      await ok('migrate', 'save', 'text')
      await ok('migrate')
      field('slug: text().max(20).nullable()', 'slug: text().max(1).nullable().unique()')
      await ok('generate')
      await ask(`update posts set slug = '7'`)
      expect(await stands(`posts.slug is not unique: 2 rows, '7'`)).not.toContain('--fill')
      await ask(`update posts set slug = id`)
      await ok('migrate')
      await ok('migrate', 'save', 'unique')
      await ok('migrate')
      field('slug: text().max(1).nullable().unique()', 'slug: password()')
      await ok('generate')
      expect(await svc(root, 'migrate', '--fill', 'posts.slug=secret')).toMatchObject({
        code: 1,
        errors: expect.stringContaining("a password is filled with '!'"),
      })
      expect(await stands('posts.slug is no password: 2 rows\n')).not.toContain("'1'")
      await ok('migrate', '--fill', 'posts.slug=!')
      expect(await ask('select slug from posts')).toEqual([{ slug: '!' }, { slug: '!' }])
      await ok('migrate', 'save', 'password')
      await ok('migrate')
      expect(await ok('generate', '--check')).toContain('unchanged')
      process.env['DATABASE_URL'] =
        database === 'sqlite' ? `file:${join(root, 'storage/fresh.sqlite')}` : await freshDatabase()
      await ok('migrate', 'deploy')
      expect(await ok('migrate')).toContain('nothing to migrate')
    })

  if (isTold(database, 'postgresql'))
    test('a relation with other records behind the same column stops at rows that have a value', async () => {
      const notes = (related: string) => ({
        'manifest/notes.ts': `import { belongsTo, repository, text } from 'svckit'

export const notes = repository({ fields: { word: text() }, related: { ${related} } })
`,
      })
      fill(root, {
        ...notes("post: belongsTo('posts').nullable()"),
        'manifest/index.ts': read('manifest/index.ts')
          .replace('{ users, posts }', '{ users, posts, notes }')
          .replace('import { posts }', "import { notes } from './notes.js'\nimport { posts }"),
      })
      await ok('generate')
      await ok('migrate', 'save', 'notes')
      await ok('migrate')
      await ask(`${rows} insert into notes (word, post_id, updated_at) values ('a', 1, ${now})`)
      fill(root, notes("writer: belongsTo('users', { foreignKey: 'post_id' }).nullable()"))
      expect(await ok('generate')).toContain(
        "points 'post_id' of 'notes' at 'users' instead of 'posts': rows with a value stop it",
      )
      const stopped = await svc(root, 'migrate')
      expect([stopped.code, stopped.errors]).toEqual([
        1,
        expect.stringContaining("  notes.post_id points at records of 'posts': 1 row, '1'\n"),
      ])
      expect(stopped.errors).toContain('another name for the relation, or no foreignKey')
      await ok('migrate', 'save', 'writers', '--accept-data-loss')
      await ok('migrate', '--accept-data-loss')
      expect(await ask('select word, post_id from notes')).toEqual([{ word: 'a', post_id: null }])
      expect(await ok('generate', '--check')).toContain('unchanged')
    })

  if (isTold(database, 'sqlite'))
    test('a fill that points at nothing, or makes rows equal, is not saved', async () => {
      fill(root, {
        'manifest/notes.ts': `import { belongsTo, repository, text } from 'svckit'

export const notes = repository({
  fields: { word: text().nullable() },
  related: { post: belongsTo('posts').nullable() },
})
`,
        'manifest/index.ts': read('manifest/index.ts')
          .replace('{ users, posts }', '{ users, posts, notes }')
          .replace('import { posts }', "import { notes } from './notes.js'\nimport { posts }"),
      })
      await ok('generate')
      await ok('migrate', 'save', 'notes')
      await ok('migrate')
      await ask(`${rows} insert into notes (updated_at) values (${now}), (${now})`)
      change('manifest/notes.ts', "belongsTo('posts').nullable()", "belongsTo('posts')")
      await ok('generate')
      const nowhere = await svc(root, 'migrate', 'save', 'x', '--fill', 'notes.post_id=99')
      expect([nowhere.code, nowhere.errors]).toEqual([1, expect.stringContaining('Not saved')])
      expect(nowhere.errors).toMatch(
        database === 'sqlite'
          ? /2 row\(s\) pointing at nothing; the first is in 'notes'/
          : /violates foreign key constraint/,
      )
      expect(nowhere.errors).toContain('or fill them with another value')
      change('manifest/notes.ts', 'text().nullable()', 'text().unique()')
      await ok('generate', '--fill', 'notes.post_id=1')
      const equal = await svc(root, 'migrate', 'save', 'x', '--fill', 'notes.word=a')
      expect([equal.code, equal.errors]).toEqual([1, expect.stringContaining('Not saved')])
      change('manifest/notes.ts', 'text().unique()', 'text()')
      await ok('generate')
      await ok('migrate', 'save', 'filled', '--fill', 'notes.word=a')
      await ok('migrate')
      expect(await ask('select word, post_id from notes')).toEqual([
        { word: 'a', post_id: 1 },
        { word: 'a', post_id: 1 },
      ])
    })

  if (isTold(database, 'postgresql'))
    test('a saved migration that fails is never recorded, whatever is accepted', async () => {
      await ok('migrate')
      await ask(rows)
      addSlug('text()')
      await ok('generate')
      const unsaved = textsOf(root)
      rmSync(join(root, 'node_modules'))
      await ok('migrate', 'save', 'slug')
      linkDependencies(root)
      for (const line of [[], ['--accept-data-loss']]) {
        expect((await svc(root, 'migrate', ...line)).code).toBe(1)
      }
      const { errors } = await svc(root, 'migrate', 'deploy')
      expect(errors).toContain(
        "It makes 'slug' of 'posts' required, and rows without a value stop it.\n",
      )
      expect(errors).toContain('npx svc generate --fill posts.slug=<value>, and save it again')
      expect(errors).toMatch(/npx prisma@7\.10\.0 migrate resolve --applied \d{14}_slug\n$/)
      expect(errors).not.toContain('correct it')
      change('manifest/posts.ts', 'body: textarea(),', '')
      change('manifest/posts.ts', "['title', 'body']", "['title']")
      await ok('generate')
      expect((await svc(root, 'migrate', '--accept-data-loss')).code).toBe(1)
      const { applied } = JSON.parse((await svc(root, 'migrate', 'status', '--json')).out)
      expect(applied).toEqual([expect.stringMatching(/_init$/)])
      expect(await ask('select body from posts order by id')).toEqual([
        { body: 'a' },
        { body: 'b' },
      ])
      // What was said is what can be done.
      rmSync(join(root, 'prisma/migrations'), { recursive: true })
      const migrations = Object.entries(unsaved).filter(([path]) =>
        /^prisma\/migrations\/(\d+_init|base|migration_lock)/.test(path),
      )
      fill(root, {
        ...Object.fromEntries(migrations),
        'manifest/posts.ts': unsaved['manifest/posts.ts'] ?? '',
      })
      await ok('generate', '--fill', 'posts.slug=none')
      await ok('migrate', 'save', 'again')
      await ok('migrate', 'deploy')
      expect(await ask('select slug from posts')).toEqual([{ slug: 'none' }, { slug: 'none' }])
    })

  if (isTold(database, 'postgresql'))
    test('what is written into the draft after a database took it is run there, once', async () => {
      await ok('migrate')
      await ask(rows)
      addSlug('text().nullable()')
      await ok('generate')
      await ok('migrate')
      const draft = 'prisma/migrations/draft.sql'
      const own = `UPDATE "posts" SET "slug" = 'by; hand' || id; -- mine`
      fill(root, { [draft]: `${read(draft)}\n-- from the titles\n${own}\n` })
      await ok('migrate')
      expect(await ask('select slug from posts order by id')).toEqual([
        { slug: 'by; hand1' },
        { slug: 'by; hand2' },
      ])
      fill(root, { [draft]: `${read(draft)}UPDATE "posts" SET "slug" = "slug" || '!';\n` })
      await ok('migrate', 'save', 'slug')
      await ok('migrate')
      await ok('migrate')
      expect(await ask('select slug from posts order by id')).toEqual([
        { slug: 'by; hand1!' },
        { slug: 'by; hand2!' },
      ])
      expect(await ok('migrate', 'status')).toMatch(
        /^applied {2}\d{14}_init\napplied {2}\d{14}_slug\n$/,
      )
    })

  if (isTold(database, 'postgresql'))
    test('what a colleague wrote into a saved migration is run beside a draft', async () => {
      await ok('migrate')
      await ask(rows)
      const mine = read('manifest/posts.ts')
      addSlug('text().nullable()')
      await ok('generate')
      rmSync(join(root, 'node_modules'))
      await ok('migrate', 'save', 'theirs')
      linkDependencies(root)
      const [theirs = ''] = Object.keys(textsOf(root)).filter((path) =>
        path.endsWith('_theirs/migration.sql'),
      )
      const saved = { [theirs]: `${read(theirs)}UPDATE posts SET slug = 'filled';\n` }
      const base = { 'prisma/migrations/base.prisma': read('prisma/migrations/base.prisma') }
      rmSync(join(root, theirs))
      fill(root, {
        'manifest/posts.ts': mine.replace(
          'body: textarea(),',
          'body: textarea(),\n    note: text().nullable(),',
        ),
      })
      fill(root, {
        'prisma/migrations/base.prisma': read('prisma/migrations/base.prisma').replace(
          /^ +slug .*\n/m,
          '',
        ),
      })
      await ok('generate')
      await ok('migrate')
      fill(root, { ...saved, ...base })
      addSlug('text().nullable()')
      await ok('generate')
      expect(await ok('migrate')).toContain("UPDATE posts SET slug = 'filled';")
      expect(await ask('select slug from posts')).toEqual([{ slug: 'filled' }, { slug: 'filled' }])
      expect(await ok('migrate', 'status')).toMatch(/applied {2}\d{14}_theirs$/m)
    })

  if (isTold(database, 'sqlite'))
    test('status names a changed, a missing and a failed migration, each with the way out', async () => {
      await ok('migrate')
      await ask(`insert into _prisma_migrations (id, checksum, finished_at, migration_name, started_at, applied_steps_count)
      values ('1', 'x', null, '0_broken', ${database === 'sqlite' ? '1' : 'now()'}, 0)`)
      await ask(`insert into _prisma_migrations (id, checksum, finished_at, migration_name, started_at, applied_steps_count)
      values ('2', 'x', ${database === 'sqlite' ? '1, ' : 'now(), '} '0_gone', ${database === 'sqlite' ? '1' : 'now()'}, 1)`)
      const [init = ''] = Object.keys(textsOf(root)).filter((path) =>
        path.endsWith('_init/migration.sql'),
      )
      fill(root, { [init]: `${read(init)}-- mine\n` })
      const { code, out } = await svc(root, 'migrate', 'status')
      expect(code).toBe(1)
      expect(out).toMatch(/^failed {3}0_broken$/m)
      expect(out).toMatch(/^missing {2}0_gone$/m)
      expect(out).toMatch(/^changed {2}\d{14}_init$/m)
      expect(out).toContain('npx prisma@7.10.0 migrate resolve --rolled-back 0_broken')
      expect(JSON.parse((await svc(root, 'migrate', 'status', '--json')).out).drift).toHaveLength(3)
    })

  test('undo refuses when the migrations of the run were applied since', async () => {
    change(
      'manifest/posts.ts',
      'body: textarea(),',
      'body: textarea(),\n    note: text().nullable(),',
    )
    await ok('migrate')
    await ok('generate')
    await ok('migrate')
    const { code, errors } = await svc(root, 'undo')
    expect(code).toBe(1)
    expect(errors).toContain('prisma/migrations/draft.sql')
    expect(read('manifest/posts.ts')).toContain('note')
    expect(read('app/Models.ts')).toContain('note')
  })
})
