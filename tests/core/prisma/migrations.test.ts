import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Blueprint, Column, Database } from '../../../generator/blueprint/types.js'
import { waysToFill } from '../../../generator/commands/database/ask-fills.js'
import { diffSql } from '../../../generator/migrations/diff/engine.js'
import { planDraftMove } from '../../../generator/migrations/draft-move.js'
import type { MigrationState } from '../../../generator/migrations/migration-state.js'
import {
  joinSchema,
  migrationName,
  planMigrations,
  planSave,
} from '../../../generator/migrations/migrations.js'
import {
  askingIn,
  findLosses,
  describeLosses,
  noLosses,
} from '../../../generator/migrations/rows/losses.js'
import { PrismaSchemaError } from '../../../generator/migrations/schema/schema-error.js'
import type { SchemaFile } from '../../../generator/migrations/schema/schema-file.js'
import { prismaSchema } from '../../../generator/migrations/schema/schema.js'
import { migrating } from '../../support/with-features.js'
import { blog, column, entity, foreign, on } from './blueprints.js'
import { databases, openLive, type Live } from './live.js'

const now = new Date('2026-02-03T04:05:06Z')

/** A project's `prisma/migrations`, and what each planned file does to it. */
class Folder {
  readonly texts = new Map<string, string>()

  constructor(readonly database: Database) {}

  get state(): MigrationState {
    const at = (name: string) => this.texts.get(`prisma/migrations/${name}`) ?? null
    const folders = [...this.texts.keys()].flatMap(
      (path) => /([^/]+)\/migration\.sql$/.exec(path)?.[1] ?? [],
    )
    return {
      saved: folders.toSorted(),
      lock: at('migration_lock.toml'),
      base: at('base.prisma'),
      draft: at('draft.sql'),
      draftSchema: at('draft.prisma'),
    }
  }

  /** A first migration that is saved. */
  async start(blueprint: Blueprint) {
    await this.plan(blueprint)
    this.save('init')
  }

  async plan(blueprint: Blueprint) {
    const plan = await planMigrations(migrating(this.database), this.state, this.schema(blueprint))
    this.write(plan.files)
    return plan
  }

  save(name: string) {
    const plan = planSave(this.state, name, now)
    this.write(plan.files)
    return plan
  }

  schema(blueprint: Blueprint): readonly SchemaFile[] {
    const content = prismaSchema(on(this.database, blueprint))
    return [
      { path: 'prisma/schema/svc.prisma', content },
      { path: 'prisma/schema/own.prisma', content: '// own\n' },
    ]
  }

  get scripts(): readonly string[] {
    return this.state.saved.map(
      (name) => this.texts.get(`prisma/migrations/${name}/migration.sql`) ?? '',
    )
  }

  private write(files: readonly { readonly path: string; readonly content: string | null }[]) {
    for (const { path, content } of files) {
      if (content === null) this.texts.delete(path)
      else this.texts.set(path, content)
    }
  }
}

/** The blog with other columns for one of its tables. */
function changed(
  key: string,
  change: (columns: readonly Column[]) => readonly Column[],
): Blueprint {
  const entities = blog.entities.map((each) =>
    each.key === key ? { ...each, columns: change(each.columns) } : each,
  )
  return { ...blog, entities }
}

const without = (name: string) => (columns: readonly Column[]) =>
  columns.filter((each) => each.name !== name)
const withColumn = (added: Column) => (columns: readonly Column[]) => [...columns, added]

/** Changes of the manifest, one after another. */
const steps: readonly (readonly [string, Blueprint])[] = [
  ['summary', changed('posts', withColumn(column('summary', 'text', { nullable: true })))],
  [
    'rating',
    changed(
      'posts',
      withColumn(column('rating', 'decimal', { precision: 5, scale: 2, default: '1.5' })),
    ),
  ],
  [
    'opened',
    changed('posts', withColumn(column('opened', 'dateTime', { default: '2026-01-01T00:00:00Z' }))),
  ],
  ['untitled', changed('posts', without('description'))],
  [
    'required',
    changed('posts', (all) =>
      all.map((each) => (each.name === 'title' ? { ...each, unique: true } : each)),
    ),
  ],
  ['reviewer', changed('posts', withColumn(foreign('reviewer_id', 'users', { nullable: true })))],
  [
    'events',
    {
      ...blog,
      entities: [...blog.entities, entity({ key: 'events', name: 'Event', id: 'uuid' })],
    },
  ],
  ['back', blog],
]

describe.each(databases)('on %s', (database) => {
  let folder: Folder
  beforeEach(() => void (folder = new Folder(database)))

  test('the first run writes a draft of everything, and the second nothing', async () => {
    const first = await folder.plan(blog)
    expect(first.files.map(({ path }) => path)).toEqual([
      'prisma/migrations/draft.sql',
      'prisma/migrations/draft.prisma',
      'prisma/migrations/migration_lock.toml',
    ])
    expect(first.problems).toEqual([])
    expect(await folder.plan(blog)).toEqual({ ...first, files: [] })
    folder.save('init')
    expect(folder.state).toMatchObject({ saved: ['20260203040506_init'], draft: null })
    expect(await folder.plan(blog)).toEqual({ files: [], draft: null, problems: [] })
  })

  test('what is replaced before anything is saved leaves no trace, the database included', async () => {
    const other = database === 'sqlite' ? 'postgresql' : 'sqlite'
    const { draft } = await folder.plan(changed('posts', withColumn(column('gone', 'text'))))
    expect(draft?.sql).toContain('"gone"')
    await folder.plan(blog)
    const fresh = new Folder(database)
    await fresh.plan(blog)
    expect(folder.texts).toEqual(fresh.texts)
    const moved = await planMigrations(
      migrating(other),
      folder.state,
      new Folder(other).schema(blog),
    )
    expect(moved.problems).toEqual([])
    expect(moved.files.find(({ path }) => path.endsWith('.toml'))?.content).toContain(other)
  })

  test('a change makes a draft, rewritten by the next one and gone with the last', async () => {
    await folder.start(blog)
    const added = changed('posts', withColumn(column('summary', 'text', { nullable: true })))
    const first = await folder.plan(added)
    expect(first.files.map(({ path }) => path)).toEqual([
      'prisma/migrations/draft.sql',
      'prisma/migrations/draft.prisma',
    ])
    expect(first.draft).toEqual({
      sql:
        database === 'sqlite'
          ? '-- AlterTable\nALTER TABLE "posts" ADD COLUMN "summary" TEXT;\n'
          : '-- AlterTable\nALTER TABLE "posts" ADD COLUMN     "summary" TEXT;\n',
      warnings: [],
    })
    expect((await folder.plan(added)).files).toEqual([])
    await folder.plan(changed('posts', withColumn(column('teaser', 'text', { nullable: true }))))
    expect(folder.state.draft).toContain('"teaser"')
    expect(folder.state.draft).not.toContain('"summary"')
    expect((await folder.plan(blog)).files.map(({ content }) => content)).toEqual([null, null])
    expect(folder.state.draft).toBeNull()
  })

  test('a draft says first what it asks of rows', async () => {
    await folder.start(blog)
    const columns = (all: readonly Column[]) => [
      ...all
        .filter(({ name }) => name !== 'description')
        .map((each) => (each.name === 'published_at' ? { ...each, nullable: false } : each))
        .map((each) =>
          each.name === 'title' ? { ...each, kind: 'integer' as const, unique: true } : each,
        ),
      column('slug', 'text'),
      column('nick', 'text', { nullable: true, unique: true }),
      column('votes', 'integer', { default: 0 }),
    ]
    const { draft } = await folder.plan(changed('posts', columns))
    expect(draft?.warnings).toEqual([
      `drops the column 'description' of 'posts' with all its values`,
      `converts 'title' of 'posts' from text to integer, each value exactly: rows with one that does not fit stop it, or lose it in a run that accepts data loss`,
      `makes 'published_at' of 'posts' ${asking('posts.published_at')}`,
      `makes 'slug' of 'posts' ${asking('posts.slug')}`,
      `makes 'title' of 'posts' unique: equal rows stop it`,
    ])
    expect(draft?.sql.startsWith(`-- Careful: drops the column 'description'`)).toBe(true)
  })

  test('a table that leaves the manifest is named', async () => {
    await folder.start(blog)
    const { draft } = await folder.plan({
      ...blog,
      entities: blog.entities.filter(({ key }) => key !== 'images'),
    })
    expect(draft?.warnings).toEqual([`drops the table 'images' with all its rows`])
  })

  test('saving dates the draft byte for byte and moves the base', async () => {
    await folder.start(blog)
    const blueprint = changed('posts', withColumn(column('summary', 'text', { nullable: true })))
    const { draft } = await folder.plan(blueprint)
    folder.save('Add a Summary!')
    expect(folder.state.saved).toEqual(['20260203040506_init', '20260203040507_add_a_summary'])
    expect(folder.scripts.at(-1)).toBe(draft?.sql)
    expect(folder.state.base).toBe(joinSchema(folder.schema(blueprint)))
    expect(folder.state.draft).toBeNull()
    expect(await folder.plan(blueprint)).toEqual({ files: [], draft: null, problems: [] })
    expect(folder.save('again')).toEqual({ files: [], draft: null, problems: [] })
  })

  test('a draft is made anew when a merge brings a saved migration', async () => {
    await folder.start(blog)
    const both = (all: readonly Column[]) => [
      ...all,
      column('mine', 'text', { nullable: true }),
      column('theirs', 'text', { nullable: true }),
    ]
    const schema = folder.schema(changed('posts', both))
    const before = await planMigrations(migrating(database), folder.state, schema)
    const [draft = null, draftSchema = null] = before.files.map(({ content }) => content)
    const theirs = changed('posts', withColumn(column('theirs', 'text', { nullable: true })))
    const base = joinSchema(folder.schema(theirs))
    const after = await planMigrations(
      migrating(database),
      { ...folder.state, draft, draftSchema, base },
      schema,
    )
    expect(before.draft?.sql).toContain('"theirs"')
    expect(after.draft?.sql).toContain('"mine"')
    expect(after.draft?.sql).not.toContain('"theirs"')
  })

  test('the base of two branches that both saved is what both lead to, where nothing else changed', async () => {
    await folder.start(blog)
    const schemaWith = (...names: readonly string[]) => {
      const added = names.map((name) => column(name, 'text', { nullable: true }))
      return folder.schema(changed('posts', (columns) => [...columns, ...added]))
    }
    const textWith = (...names: readonly string[]) => joinSchema(schemaWith(...names))
    const torn = (one: string, other: string) =>
      `<<<<<<< HEAD\n${one}\n=======\n${other}\n>>>>>>> theirs\n`
    const today = schemaWith('mine', 'theirs')
    const planned = (base: string) =>
      planMigrations(migrating(database), { ...folder.state, base }, today)
    expect(await planned(torn(textWith('mine'), textWith('theirs')))).toEqual({
      files: [{ path: 'prisma/migrations/base.prisma', content: joinSchema(today) }],
      draft: null,
      problems: [],
    })
    // One branch has a column that today's schema lacks, or neither has one: nobody but the developer knows.
    for (const base of [
      torn(textWith('mine', 'gone'), textWith('theirs')),
      torn(textWith('mine'), textWith()),
    ]) {
      expect((await planned(base)).problems).toMatchObject([
        { message: 'a merge left its markers here' },
      ])
    }
  })

  test('a comment changes the base and makes no draft', async () => {
    await folder.start(blog)
    const schema = folder
      .schema(blog)
      .map((file) => ({ ...file, content: `${file.content}// note\n` }))
    const { files, draft } = await planMigrations(migrating(database), folder.state, schema)
    expect(files.map(({ path }) => path)).toEqual(['prisma/migrations/base.prisma'])
    expect(draft).toBeNull()
  })

  test('says why it cannot plan a migration', async () => {
    await folder.start(blog)
    const other = database === 'sqlite' ? 'postgresql' : 'sqlite'
    const lost = await planMigrations(migrating(database), { ...folder.state, base: null }, [])
    expect(lost.problems.map(({ message }) => message)).toEqual([
      'there are saved migrations, and the schema they lead to is missing',
    ])
    const merged = await planMigrations(
      migrating(database),
      { ...folder.state, base: '<<<<<<< HEAD\n' },
      [],
    )
    expect(merged.problems.map(({ message }) => message)).toEqual(['a merge left its markers here'])
    const moved = await planMigrations(migrating(other), folder.state, [])
    expect(moved.problems.map(({ message }) => message)).toEqual([
      `the migrations are written for '${database}', and the manifest says '${other}'`,
    ])
  })

  describe('with a database', () => {
    let live: Live
    beforeEach(async () => void (live = await openLive(database)))
    afterEach(() => live.close())

    test('replaying all saved migrations gives the schema, and keeps the rows', async () => {
      await folder.start(blog)
      for (const [name, blueprint] of steps) {
        await folder.plan(blueprint)
        folder.save(name)
      }
      expect(folder.scripts).toHaveLength(steps.length + 1)
      const [init = '', ...later] = folder.scripts
      await live.run(init)
      await live.run(rows)
      for (const script of later) await live.run(script)
      expect(await live.lacks(folder.schema(blog))).toBeNull()
      expect(await live.run('select id, title, owner_id from posts')).toEqual([
        { id: 1, title: 'First', owner_id: 1 },
      ])
      expect(await live.run('select count(*) as n from comments')).toEqual([
        { n: database === 'sqlite' ? 1 : '1' },
      ])
    })

    test('a column with a default reaches rows that were there before', async () => {
      const [, rating, opened] = steps
      if (rating === undefined || opened === undefined) throw new Error('no steps')
      await folder.start(blog)
      await live.run(folder.scripts.join('\n'))
      await live.run(rows)
      const both = changed('posts', (all) => [
        ...all,
        column('rating', 'decimal', { precision: 5, scale: 2, default: '1.5' }),
        column('opened', 'dateTime', { default: '2026-01-01T00:00:00Z' }),
      ])
      const { draft } = await folder.plan(both)
      await live.run(draft?.sql ?? '')
      const [row] = await live.run('select rating, opened from posts')
      expect(row).toEqual({
        rating: database === 'sqlite' ? 1.5 : '1.50',
        opened:
          database === 'sqlite'
            ? '2026-01-01T00:00:00.000+00:00'
            : new Date('2026-01-01T00:00:00Z'),
      })
    })

    test('a development database moves from one draft to the next', async () => {
      await folder.start(blog)
      await live.run(folder.scripts.join('\n'))
      const summary = changed('posts', withColumn(column('summary', 'text', { nullable: true })))
      const teaser = changed('posts', withColumn(column('teaser', 'text', { nullable: true })))
      await folder.plan(summary)
      await live.run(folder.state.draft ?? '')
      const has = {
        checksum: 'old',
        datamodel: folder.state.draftSchema ?? '',
        sql: folder.state.draft ?? '',
      }
      await folder.plan(teaser)
      const next = await planDraftMove(
        migrating(database),
        { pending: [], draft: has },
        folder.state,
      )
      expect(next?.losses.drops).toEqual([{ table: 'posts', column: 'summary' }])
      expect(next?.move).toMatchObject({
        from: 'old',
        covers: [],
        acceptDataLoss: false,
        draft: { sql: folder.state.draft, datamodel: folder.state.draftSchema },
      })
      await live.run(next?.move.step ?? '')
      expect(await live.lacks(folder.schema(teaser))).toBeNull()
    })

    test('a development database leaves a draft that is gone', async () => {
      await folder.start(blog)
      await live.run(folder.scripts.join('\n'))
      await folder.plan(changed('posts', withColumn(column('summary', 'text', { nullable: true }))))
      await live.run(folder.state.draft ?? '')
      const has = {
        checksum: 'old',
        datamodel: folder.state.draftSchema ?? '',
        sql: folder.state.draft ?? '',
      }
      await folder.plan(blog)
      const next = await planDraftMove(
        migrating(database),
        { pending: [], draft: has },
        folder.state,
      )
      expect(next?.move.draft).toBeNull()
      await live.run(next?.move.step ?? '')
      expect(await live.lacks(folder.schema(blog))).toBeNull()
      expect(
        await planDraftMove(migrating(database), { pending: [], draft: null }, folder.state),
      ).toBeNull()
    })
  })
})

const at = `'2026-01-01T00:00:00.000+00:00'`
const rows = `
  insert into users (name, email, password, updated_at) values ('Ada', 'ada@example.com', 'x', ${at});
  insert into posts (title, owner_id, updated_at) values ('First', 1, ${at});
  insert into comments (body, post_id, user_id, updated_at) values ('Hm', 1, 1, ${at});
`

test('a key of another kind asks for no value: none would do for all rows', () => {
  const required = [{ table: 'genres', column: 'id', hasDefault: false }]
  const said = describeLosses({ ...noLosses, required })
  expect(said).toEqual([
    expect.stringContaining("recreates 'id' of 'genres': existing rows stop it"),
  ])
  expect(askingIn(said)).toEqual([])
})

test('a relation that became required asks for a record, and is offered no default', () => {
  const users = 'CREATE TABLE "users" ("id" INTEGER NOT NULL);'
  const before = `${users} CREATE TABLE "posts" ("id" INTEGER NOT NULL);`
  const column = '"owner_id" INTEGER NOT NULL'
  const key = 'CONSTRAINT "posts_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "users" ("id")'
  const later = {
    sqlite: `${users} CREATE TABLE "posts" ("id" INTEGER NOT NULL, ${column}, ${key});`,
    postgresql: `${users} CREATE TABLE "posts" ("id" INTEGER NOT NULL, ${column}); ALTER TABLE "posts" ADD ${key};`,
  }
  for (const database of ['sqlite', 'postgresql'] as const) {
    const said = describeLosses(
      findLosses(migrating(database), { before, after: later[database], sql: '' }),
    )
    expect(said).toEqual([
      "makes 'owner_id' of 'posts' required: rows without a value stop it, so let it be .nullable(), " +
        'or say which existing record they belong to: svc migrate --fill posts.owner_id=<id>',
    ])
    const asked = askingIn(said)
    expect(asked).toEqual([{ table: 'posts', column: 'owner_id', isRelation: true }])
    expect(waysToFill(asked, 'svc migrate')).toContain(
      '  fix    .nullable();\n         or svc migrate --fill posts.owner_id=<id>, for',
    )
  }
})

test('a migration is named after what is saved, whatever the clock says', () => {
  expect(migrationName([], 'Add  tags', now)).toBe('20260203040506_add_tags')
  expect(migrationName(['0_init', '20270101000000_later'], 'x', now)).toBe('20270101000001_x')
  expect(migrationName([], '../..', now)).toBe('20260203040506_migration')
})

test('a mistake in own.prisma is a problem with its line', async () => {
  const schema = [
    { path: 'prisma/schema/svc.prisma', content: prismaSchema(blog) },
    {
      path: 'prisma/schema/own.prisma',
      content: 'model Note {\n  id   Int @id\n  text Strin\n}\n',
    },
  ]
  const error = await diffSql(migrating('sqlite'), 'empty', schema).catch(
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(PrismaSchemaError)
  expect(error).toMatchObject({
    problems: [
      {
        file: 'prisma/schema/own.prisma',
        line: 3,
        column: 1,
        message: expect.stringContaining('Type "Strin" is neither a built-in type'),
      },
    ],
  })
})

const asking = (name: string) =>
  `required: rows without a value stop it, so give it a .default(…), let it be .nullable(), or say what they get: svc migrate --fill ${name}=<value>`
