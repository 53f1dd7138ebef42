import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Blueprint, Column, Entity, Pivot } from '../../../generator/blueprint/types.js'
import { renamingOf } from '../../../generator/migrations/diff/renaming.js'
import { planDraftMove } from '../../../generator/migrations/draft-move.js'
import type { MigrationState } from '../../../generator/migrations/migration-state.js'
import {
  isEdited,
  joinSchema,
  planMigrations,
  planSave,
} from '../../../generator/migrations/migrations.js'
import type { SchemaFile } from '../../../generator/migrations/schema/schema-file.js'
import { prismaSchema } from '../../../generator/migrations/schema/schema.js'
import { migrating } from '../../support/with-features.js'
import { blog, on } from './blueprints.js'
import { databases, openLive, type Live } from './live.js'

const keys = new Map([
  ['posts', { key: 'articles', name: 'Article', table: 'articles', renamedFrom: 'posts' }],
  [
    'companies',
    {
      key: 'organisations',
      name: 'Organisation',
      table: 'organisations',
      renamedFrom: 'companies',
    },
  ],
])
const keyLater = (key: string) => keys.get(key)?.key ?? key

/** The blog after a year: posts are articles with a headline and an author, companies are organisations. */
const later: Blueprint = {
  ...blog,
  entities: blog.entities.map(entityLater),
  pivots: pivotsLater(),
}

function entityLater(entity: Entity): Entity {
  return {
    ...entity,
    ...keys.get(entity.key),
    columns: entity.columns.map(columnLater),
    relations: entity.relations.map((relation) => ({
      ...relation,
      target: keyLater(relation.target),
      foreignKey: idLater(relation.foreignKey),
      ...(relation.pivot === null
        ? {}
        : {
            pivot: {
              table:
                relation.pivot.table === 'company_user'
                  ? 'organisation_user'
                  : relation.pivot.table,
              relatedKey: idLater(relation.pivot.relatedKey),
            },
          }),
    })),
  }
}

function columnLater(column: Column): Column {
  const { references } = column
  const name = idLater(column.name)
  const to =
    references === undefined
      ? {}
      : { references: { ...references, entity: keyLater(references.entity) } }
  if (column.name === 'title') return { ...column, name: 'headline', renamedFrom: 'title' }
  if (column.name === 'owner_id') return { ...column, ...to, name, renamedFrom: 'owner' }
  return { ...column, ...to, name }
}

function pivotsLater(): readonly Pivot[] {
  return blog.pivots.map((pivot) => {
    const [one, two] = pivot.sides
    const side = (of: typeof one) => ({
      ...of,
      column: idLater(of.column),
      entity: of.entity === null ? null : keyLater(of.entity),
    })
    const name =
      pivot.table === 'company_user' ? { table: 'organisation_user', name: 'OrganisationUser' } : {}
    return { ...pivot, ...name, sides: [side(one), side(two)] }
  })
}

function idLater(column: string): string {
  const names = { owner_id: 'author_id', post_id: 'article_id', company_id: 'organisation_id' }
  return Object.entries(names).find(([from]) => from === column)?.[1] ?? column
}

const now = new Date('2026-02-03T04:05:06Z')
const at = `'2026-01-01T00:00:00.000+00:00'`
const rows = `
  insert into users (name, email, password, updated_at) values ('Ada', 'ada@example.com', 'x', ${at});
  insert into posts (title, owner_id, updated_at) values ('First', 1, ${at}), ('Second', 1, ${at});
  insert into comments (body, post_id, user_id, updated_at) values ('Hm', 2, 1, ${at});
  insert into companies (name, updated_at) values ('Acme', ${at});
  insert into company_user (company_id, user_id, is_admin) values (1, 1, true);
  insert into tags (name, updated_at) values ('sql', ${at});
  insert into taggables (taggable_type, taggable_id, tag_id) values ('posts', 2, 1), ('companies', 1, 1);
  insert into images (url, imageable_type, imageable_id, updated_at) values ('a.png', 'posts', 1, ${at});
`

describe.each(databases)('on %s', (database) => {
  let live: Live
  beforeEach(async () => void (live = await openLive(database)))
  afterEach(() => live.close())

  const schemaOf = (blueprint: Blueprint): readonly SchemaFile[] => [
    { path: 'prisma/schema/svc.prisma', content: prismaSchema(on(database, blueprint)) },
  ]
  const empty: MigrationState = {
    saved: [],
    lock: null,
    base: null,
    draft: null,
    draftSchema: null,
  }

  async function began(): Promise<MigrationState> {
    const { files } = await planMigrations(migrating(database), empty, schemaOf(blog))
    await live.run(files[0]?.content ?? '')
    await live.run(rows)
    return { ...empty, saved: ['0_init'], base: joinSchema(schemaOf(blog)) }
  }

  const drafted = async (state: MigrationState, blueprint: Blueprint) => {
    const plan = await planMigrations(
      migrating(database),
      state,
      schemaOf(blueprint),
      renamingOf(blueprint, state),
    )
    const at = (name: string) => plan.files.find(({ path }) => path.endsWith(name))?.content ?? null
    return { ...plan, state: { ...state, draft: at('draft.sql'), draftSchema: at('draft.prisma') } }
  }

  const everything = async () => ({
    articles: await live.run('select id, headline, author_id from articles order by id'),
    comments: await live.run('select body, article_id from comments'),
    members: await live.run('select organisation_id, user_id from organisation_user'),
    tagged: await live.run(
      'select taggable_type, taggable_id from taggables order by taggable_type',
    ),
    images: await live.run('select url, imageable_type, imageable_id from images'),
  })

  const kept = {
    articles: [
      { id: 1, headline: 'First', author_id: 1 },
      { id: 2, headline: 'Second', author_id: 1 },
    ],
    comments: [{ body: 'Hm', article_id: 2 }],
    members: [{ organisation_id: 1, user_id: 1 }],
    tagged: [
      { taggable_type: 'articles', taggable_id: 2 },
      { taggable_type: 'organisations', taggable_id: 1 },
    ],
    images: [{ url: 'a.png', imageable_type: 'articles', imageable_id: 1 }],
  }

  test('repositories, fields, foreign keys, pivot tables and morph types keep every row', async () => {
    const { draft } = await drafted(await began(), later)
    expect(draft?.warnings).toEqual([])
    expect(draft?.sql).not.toMatch(/DROP (TABLE "(posts|companies|company_user)|COLUMN)/)
    await live.run(draft?.sql ?? '')
    expect(await everything()).toEqual(kept)
    expect(await live.lacks(schemaOf(later))).toBeNull()
    // Rows may still be added: keys and sequences moved with the tables.
    await live.run(
      `insert into articles (headline, author_id, updated_at) values ('Third', 1, ${at})`,
    )
    expect(await live.run('select id from articles order by id desc limit 1')).toEqual([{ id: 3 }])
  })

  test('the names in the catalogue are those of a fresh database', async () => {
    const { draft } = await drafted(await began(), later)
    await live.run(draft?.sql ?? '')
    const fresh = await openLive(database)
    const { files } = await planMigrations(migrating(database), empty, schemaOf(later))
    await fresh.run(files[0]?.content ?? '')
    expect(await live.run(catalogue[database])).toEqual(await fresh.run(catalogue[database]))
    await fresh.close()
  })

  test('a name is changed once: what is saved is not renamed again', async () => {
    const { state } = await drafted(await began(), later)
    const { files } = planSave(state, 'articles', now)
    const base = files.find(({ path }) => path.endsWith('base.prisma'))?.content ?? null
    const saved = {
      ...state,
      saved: ['0_init', '2026_articles'],
      draft: null,
      draftSchema: null,
      base,
    }
    expect(await drafted(saved, later)).toMatchObject({ files: [], draft: null })
    const dropped = { ...later, entities: later.entities.filter(({ key }) => key !== 'images') }
    expect((await drafted(saved, dropped)).draft?.sql).not.toContain('RENAME')
  })

  test('saying that it was a rename makes the draft anew', async () => {
    const state = await began()
    const title = (renamedFrom: object) => ({
      ...blog,
      entities: blog.entities.map((entity) => ({
        ...entity,
        columns: entity.columns.map((column) =>
          column.name === 'title' ? { ...column, name: 'headline', ...renamedFrom } : column,
        ),
      })),
    })
    const first = await drafted(state, title({}))
    expect(first.draft?.warnings).toContain(
      `drops the column 'title' of 'posts' with all its values`,
    )
    const second = await drafted(first.state, title({ renamedFrom: 'title' }))
    expect(second.draft?.warnings).toEqual([])
    expect(second.draft?.sql).toContain('RENAME COLUMN "title" TO "headline"')
  })

  test('renamed once more before it is saved, from the name in between: one rename', async () => {
    const called = (name: string, renamedFrom: string) => ({
      ...blog,
      entities: blog.entities.map((entity) => ({
        ...entity,
        columns: entity.columns.map((column) =>
          column.name === 'title' ? { ...column, name, renamedFrom } : column,
        ),
      })),
    })
    const first = await drafted(await began(), called('heading', 'title'))
    const second = await drafted(first.state, called('headline', 'heading'))
    expect(second.draft?.warnings).toEqual([])
    expect(second.draft?.sql).toContain('RENAME COLUMN "title" TO "headline"')
    expect(await drafted(second.state, called('headline', 'heading'))).toMatchObject({ files: [] })
  })

  test('a development database that has the old name in its draft keeps the values, too', async () => {
    const state = await began()
    const withColumn = (column: object) => ({
      ...blog,
      entities: blog.entities.map((entity) => {
        const [id, ...columns] = entity.columns
        if (entity.key !== 'tags' || id === undefined) return entity
        return {
          ...entity,
          columns: [
            id,
            { ...id, role: 'field' as const, kind: 'text' as const, nullable: true, ...column },
            ...columns,
          ],
        }
      }),
    })
    const first = await drafted(state, withColumn({ name: 'colour' }))
    await live.run(first.draft?.sql ?? '')
    await live.run(`update tags set colour = 'red'`)
    const renamed = withColumn({ name: 'color', renamedFrom: 'colour' })
    const second = await drafted(first.state, renamed)
    const has = {
      checksum: 'old',
      datamodel: first.state.draftSchema ?? '',
      sql: first.state.draft ?? '',
    }
    const move = await planDraftMove(
      migrating(database),
      { pending: [], draft: has },
      second.state,
      {
        renaming: renamingOf(renamed),
      },
    )
    await live.run(move?.move.step ?? '')
    expect(await live.run('select color from tags')).toEqual([{ color: 'red' }])
    expect(await live.lacks(schemaOf(renamed))).toBeNull()
  })

  test('a draft edited by hand is set aside when the schema changes, and nothing else is', async () => {
    const { state } = await drafted(await began(), later)
    const edited = { ...state, draft: `${state.draft}UPDATE users SET name = upper(name);\n` }
    expect(
      await planMigrations(migrating(database), edited, schemaOf(later), renamingOf(later)),
    ).toMatchObject({ files: [] })
    const { files } = await planMigrations(migrating(database), edited, schemaOf(blog))
    expect(files.map(({ path, content }) => [path, content])).toEqual([
      ['prisma/migrations/draft.sql', null],
      ['prisma/migrations/draft.prisma', null],
      ['prisma/migrations/draft.edited.sql', edited.draft],
    ])
    const torn = (mine: string | null) =>
      `<<<<<<< HEAD\n${mine}=======\n${state.draft}>>>>>>> theirs\n`
    const draftSchema = `<<<<<<< HEAD\n${state.draftSchema}=======\n${state.draftSchema}>>>>>>> theirs\n`
    expect(isEdited({ ...state, draft: torn(state.draft), draftSchema })).toBe(false)
    expect(isEdited({ ...state, draft: torn(edited.draft), draftSchema })).toBe(true)
    const untouched = await planMigrations(migrating(database), state, schemaOf(blog))
    expect(untouched.files.map(({ path }) => path)).not.toContain(
      'prisma/migrations/draft.edited.sql',
    )
  })
})

const catalogue = {
  sqlite: `select name from sqlite_master where type = 'index' and sql is not null order by name`,
  postgresql: `
    select conname as name from pg_constraint join pg_namespace n on n.oid = connamespace
    where nspname = 'public' and contype in ('p', 'f', 'u')
    union select relname from pg_class join pg_namespace n on n.oid = relnamespace
    where nspname = 'public' and relkind in ('i', 'S') order by name`,
} as const
