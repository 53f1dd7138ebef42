import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { databases, isTold } from '../../support/databases.js'
import { freshDatabase } from '../../support/postgres.js'
import { svc } from '../cli/project.js'
import { fill } from '../write/folder.js'
import { migrating, now, rows } from './migrating.js'

describe.each(databases)('svc migrate and values of another kind on %s', (database) => {
  const project = migrating(database)
  const { read, change, ask, ok, addSlug } = project

  const field = (from: string, to: string) => change('manifest/posts.ts', from, to)
  const states = () => ask('select slug, mood from posts order by id')
  /** What it says of rows that prevent it, which stay as they are. */
  const stands = async (text: string, ...line: string[]) => {
    const before = await ask('select * from posts order by id')
    const { code, out, errors } = await svc(project.root, 'migrate', ...line)
    expect([code, out + errors]).toEqual([1, expect.stringContaining(text)])
    expect(await ask('select * from posts order by id')).toEqual(before)
    return errors
  }
  const becomesInteger = async () => {
    addSlug("text().nullable(),\n    mood: select(['good', 'bad']).nullable()")
    change('manifest/posts.ts', 'import { ', 'import { integer, password, select, ')
    await ok('generate')
    await ok('migrate', 'save', 'slug')
    await ok('migrate')
    await ask(rows)
    await ask(`update posts set slug = '+49 1', mood = 'good' where title = 'First'`)
    await ask(`update posts set slug = '42', mood = 'bad' where title = 'Second'`)
    field('slug: text().nullable()', 'slug: integer().nullable()')
    expect(await ok('generate')).toContain(
      "converts 'slug' of 'posts' from text max 255 to integer, each value exactly: rows with one that does not fit stop it",
    )
    const found = `Rows prevent it:\n  posts.slug is no integer: 1 row, '+49 1'\n`
    const errors = await stands(found, 'save', 'slug')
    expect(errors).toContain('svc migrate save slug --fill posts.slug=<value>')
    expect(errors).toContain('svc migrate save slug --accept-data-loss')
    expect(errors).toContain('prisma/migrations/draft.sql')
    await stands(found)
    // Production may have rows that nobody here knows of.
    const draft = read('prisma/migrations/draft.sql')
    fill(project.root, { 'prisma/migrations/29990101000000_x/migration.sql': draft })
    await stands('posts.slug is no integer', 'deploy')
    rmSync(join(project.root, 'prisma/migrations/29990101000000_x'), { recursive: true })
    await ok('migrate', 'save', 'slug', '--fill', 'posts.slug=7')
    await ok('migrate')
    expect(await states()).toEqual([
      { slug: 7, mood: 'good' },
      { slug: 42, mood: 'bad' },
    ])
  }
  const losesAChoice = async () => {
    field("select(['good', 'bad'])", "select(['good'])")
    await ok('generate')
    await stands(`posts.mood is no select("good"): 1 row, 'bad'`)
    await ok('migrate', '--accept-data-loss')
    expect(await states()).toEqual([
      { slug: 7, mood: 'good' },
      { slug: 42, mood: null },
    ])
    // Elsewhere it asks again; here nothing is left to be asked.
    expect(await ok('migrate', 'save', 'mood')).toContain('until that run accepts the loss')
    await ok('migrate')
  }
  /** It has nothing to be asked, and nothing to accept. */
  const becomesText = async () => {
    field('slug: integer()', 'slug: text().max(20)')
    await ok('generate')
    expect(await ok('migrate')).toContain('draft migration applied')
    expect(await ask('select slug from posts order by id')).toEqual([{ slug: '7' }, { slug: '42' }])
    await ok('migrate', 'save', 'text')
    await ok('migrate')
  }
  const becomesUnique = async () => {
    field('slug: text().max(20).nullable()', 'slug: text().max(1).nullable().unique()')
    await ok('generate')
    await ask(`update posts set slug = '7'`)
    expect(await stands(`posts.slug is not unique: 2 rows, '7'`)).not.toContain('--fill')
    await ask(`update posts set slug = id`)
    await ok('migrate')
    await ok('migrate', 'save', 'unique')
    await ok('migrate')
  }
  const becomesAPassword = async () => {
    field('slug: text().max(1).nullable().unique()', 'slug: password()')
    await ok('generate')
    expect(await svc(project.root, 'migrate', '--fill', 'posts.slug=secret')).toMatchObject({
      code: 1,
      errors: expect.stringContaining("a password is filled with '!'"),
    })
    expect(await stands('posts.slug is no password: 2 rows\n')).not.toContain("'1'")
    await ok('migrate', '--fill', 'posts.slug=!')
    expect(await ask('select slug from posts')).toEqual([{ slug: '!' }, { slug: '!' }])
    await ok('migrate', 'save', 'password')
    await ok('migrate')
  }

  if (isTold(database, 'postgresql'))
    test('a field of another kind converts its values, and those that do not fit stop it until somebody says what they become', async () => {
      await becomesInteger()
      await losesAChoice()
      await becomesText()
      await becomesUnique()
      await becomesAPassword()
      expect(await ok('generate', '--check')).toContain('unchanged')
      process.env['DATABASE_URL'] =
        database === 'sqlite'
          ? `file:${join(project.root, 'storage/fresh.sqlite')}`
          : await freshDatabase()
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
      fill(project.root, {
        ...notes("post: belongsTo('posts').nullable()"),
        'manifest/index.ts': read('manifest/index.ts')
          .replace('{ users, posts }', '{ users, posts, notes }')
          .replace('import { posts }', "import { notes } from './notes.js'\nimport { posts }"),
      })
      await ok('generate')
      await ok('migrate', 'save', 'notes')
      await ok('migrate')
      await ask(`${rows} insert into notes (word, post_id, updated_at) values ('a', 1, ${now})`)
      fill(project.root, notes("writer: belongsTo('users', { foreignKey: 'post_id' }).nullable()"))
      expect(await ok('generate')).toContain(
        "points 'post_id' of 'notes' at 'users' instead of 'posts': rows with a value stop it",
      )
      const stopped = await svc(project.root, 'migrate')
      expect([stopped.code, stopped.errors]).toEqual([
        1,
        expect.stringContaining("  notes.post_id points at records of 'posts': 1 row, '1'\n"),
      ])
      expect(stopped.errors).toContain(
        'give the relation another name, or leave out its foreignKey',
      )
      await ok('migrate', 'save', 'writers', '--accept-data-loss')
      await ok('migrate', '--accept-data-loss')
      expect(await ask('select word, post_id from notes')).toEqual([{ word: 'a', post_id: null }])
      expect(await ok('generate', '--check')).toContain('unchanged')
    })

  if (isTold(database, 'sqlite'))
    test('a fill that points at nothing, or makes rows equal, is not saved', async () => {
      fill(project.root, {
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
      const nowhere = await svc(project.root, 'migrate', 'save', 'x', '--fill', 'notes.post_id=99')
      expect([nowhere.code, nowhere.errors]).toEqual([1, expect.stringContaining('Not saved')])
      expect(nowhere.errors).toMatch(
        database === 'sqlite'
          ? /2 row\(s\) pointing at nothing; the first is in 'notes'/
          : /violates foreign key constraint/,
      )
      expect(nowhere.errors).toContain('or fill them with another value')
      change('manifest/notes.ts', 'text().nullable()', 'text().unique()')
      await ok('generate', '--fill', 'notes.post_id=1')
      const equal = await svc(project.root, 'migrate', 'save', 'x', '--fill', 'notes.word=a')
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
})
