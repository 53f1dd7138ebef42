import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { migrateProject } from '../../../generator/commands/database/migrate-project.js'
import { features } from '../../../generator/features/index.js'
import { databases, isTold } from '../../support/databases.js'
import { freshDatabase } from '../../support/postgres.js'
import { svc } from '../cli/project.js'
import { fill } from '../write/folder.js'
import { migrating, rows } from './migrating.js'
import { query } from './query.js'

describe.each(databases)('svc migrate and rows that are there on %s', (database) => {
  const project = migrating(database)
  const { read, change, ask, ok, addSlug, renamePostsToArticles } = project

  if (isTold(database, 'sqlite'))
    test('a required column added to a table with rows asks what they get, and fills them', async () => {
      await ok('migrate')
      await ask(rows)
      addSlug('text().max(20)')
      const said = await ok('generate')
      expect(said).toContain("makes 'slug' of 'posts' required")
      expect(said).toContain('say what they get: svc migrate --fill posts.slug=<value>\n')
      for (const line of [['migrate'], ['migrate', 'save', 'slug']]) {
        const { code, out, errors } = await svc(project.root, ...line)
        expect(code).toBe(1)
        expect(out + errors).toContain("could not be applied: 2 rows of 'posts' have no 'slug' (")
        expect(errors).toContain(
          "'slug' of 'posts' is required, and existing rows have no value for it.",
        )
        expect(errors).toContain('.default(…)')
        expect(errors).toContain('.nullable()')
        expect(errors).toContain('--fill posts.slug=<value>')
      }
      const refused = async (fill: string) =>
        (await svc(project.root, 'migrate', '--fill', fill)).errors
      expect(await refused('posts.slog=x')).toContain('names no column')
      expect(await refused('posts.slug=')).toContain('must not be blank')
      expect(await refused('posts.slug=x')).toBe('')
      expect(await ask('select title, slug from posts order by id')).toEqual([
        { title: 'First', slug: 'x' },
        { title: 'Second', slug: 'x' },
      ])
      expect(await refused('posts.title=x')).toContain('no unsaved migration')
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
        const { code, errors } = await svc(project.root, ...line)
        expect([code, errors.split(way).length]).toEqual([1, 2])
        return errors
      }
      for (const line of [['migrate'], ['migrate', 'save', 'slug']]) {
        expect(await says(...line)).not.toContain('--fill posts')
      }
      const silent = {
        root: project.root,
        features,
        say: () => {},
        tell: () => {},
        acceptDataLoss: false,
      }
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
        fill(project.root, { 'manifest/posts.ts': text })
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
          const { code, errors } = await svc(project.root, ...line)
          expect([code, errors.split(way).length]).toEqual([1, 2])
          expect(errors).not.toContain("'slug' of 'posts' is unique")
        }
      }
      // The advice helps.
      const titled = await unique('slug', 'title')
      await ask(`update posts set title = 'Same'`)
      expect((await svc(project.root, 'migrate')).errors).toContain(
        `${titled} of 'posts' are unique`,
      )
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
        const { code, out, errors } = await svc(project.root, ...line)
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
        database === 'sqlite'
          ? `file:${join(project.root, 'storage/other.sqlite')}`
          : await freshDatabase()
      for (const each of [project.url, other]) {
        process.env['DATABASE_URL'] = each
        await ok('migrate', 'deploy')
        await query(database, each, rows)
      }
      process.env['DATABASE_URL'] = project.url
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
        root: project.root,
        features,
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
      // A later field starts from the draft that was filled, and fills in the same way.
      change('manifest/posts.ts', 'slug: text()', 'slug: text(),\n    note: text().nullable()')
      await ok('generate')
      await ok('migrate')
      expect(await ask('select slug from posts order by id')).toEqual(filled)
      const fresh =
        database === 'sqlite'
          ? `file:${join(project.root, 'storage/fresh.sqlite')}`
          : await freshDatabase()
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
      const { code, errors } = await svc(project.root, 'migrate', '--fill', 'posts.title=x')
      expect([code, errors]).toEqual([
        1,
        expect.stringContaining('--fill posts.title: no unsaved migration'),
      ])
      const stopped = await svc(project.root, 'migrate', '--fill', 'posts.slug=7')
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
      const required = await svc(project.root, 'migrate')
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
})
