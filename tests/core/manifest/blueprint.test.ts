import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { Blueprint, Entity } from '../../../generator/blueprint/types.js'
import * as svckit from '../../../generator/index.js'
import type { Manifest } from '../../../generator/manifest/manifest.js'
import { buildBlueprint, loadManifest } from '../../support/with-features.js'

const {
  belongsTo,
  belongsToMany,
  defineManifest,
  email,
  hasMany,
  hasOne,
  morphMany,
  morphTo,
  morphToMany,
} = svckit
const { password, repository, text, textarea } = svckit

const nowhere = { file: 'manifest.ts', line: 1, column: 1 }
const sources = { repositories: new Map(), locate: () => nowhere }

function build(manifest: Manifest, userModel?: string | null): Blueprint {
  const configured =
    userModel === undefined ? null : { name: userModel, isNamed: true, position: nowhere }
  const built = buildBlueprint(manifest, { sources, userModel: configured })
  if ('problems' in built) throw new Error(JSON.stringify(built.problems))
  return built.blueprint
}

function entity(blueprint: Blueprint, key: string): Entity {
  const found = blueprint.entities.find((each) => each.key === key)
  if (found === undefined) throw new Error(`no ${key}`)
  return found
}

const columnNames = (blueprint: Blueprint, key: string) =>
  entity(blueprint, key).columns.map(({ name }) => name)

const named = { fields: { name: text() } }

describe.each(['blog', 'every-kind', 'awkward-names', 'minimal'])('the blueprint of %s', (name) => {
  const root = fileURLToPath(new URL(`../../../fixtures/${name}`, import.meta.url))

  test('is JSON, and the same each time', async () => {
    const [one, other] = await Promise.all([read(root), read(root)])
    expect(JSON.parse(JSON.stringify(one))).toEqual(one)
    expect(JSON.stringify(one)).toBe(JSON.stringify(other))
  })

  test('refers only to what is in it', async () => {
    const { entities, pivots } = await read(root)
    const keys = entities.map(({ key }) => key)
    for (const { relations, columns } of entities) {
      for (const { target, pivot } of relations) {
        expect(keys).toContain(target)
        if (pivot !== null) expect(pivots.map(({ table }) => table)).toContain(pivot.table)
      }
      for (const { references } of columns)
        if (references) expect(keys).toContain(references.entity)
    }
  })
})

async function read(root: string): Promise<Blueprint> {
  const loaded = await loadManifest(root)
  if ('problems' in loaded) throw new Error(root)
  const built = buildBlueprint(loaded.manifest, loaded)
  if ('problems' in built) throw new Error(root)
  return built.blueprint
}

describe('foreign keys', () => {
  test('are made by the side that declares belongsTo, after the fields', () => {
    const blueprint = build(
      defineManifest({
        database: 'sqlite',
        repositories: {
          users: repository({ ...named, related: { posts: hasMany() } }),
          posts: repository({ ...named, related: { owner: belongsTo('users') } }),
        },
      }),
    )
    expect(columnNames(blueprint, 'posts')).toEqual([
      'id',
      'name',
      'owner_id',
      'created_at',
      'updated_at',
    ])
    expect(entity(blueprint, 'users').relations[0]?.foreignKey).toBe('owner_id')
  })

  test('are made in the other table, and may be empty, when nothing points back and they are named', () => {
    const blueprint = build(
      defineManifest({
        database: 'sqlite',
        repositories: {
          users: repository({
            id: 'uuid',
            ...named,
            related: { posts: hasMany({ foreignKey: 'user_id' }) },
          }),
          posts: repository(named),
        },
      }),
    )
    expect(entity(blueprint, 'posts').columns[2]).toMatchObject({
      name: 'user_id',
      kind: 'uuid',
      nullable: true,
      readonly: false,
      references: { entity: 'users', onDelete: 'setNull' },
    })
  })

  test('are unique when only hasOne reads them', () => {
    const one = repository({ ...named, related: { post: hasOne() } })
    const both = repository({ ...named, related: { post: hasOne(), posts: hasMany() } })
    const posts = repository({ ...named, related: { user: belongsTo('users') } })
    const uniqueIn = (users: typeof one) => {
      const manifest = defineManifest({ database: 'sqlite', repositories: { users, posts } })
      return entity(build(manifest), 'posts').columns[2]?.unique
    }
    expect([uniqueIn(one), uniqueIn(both)]).toEqual([true, false])
  })
})

describe('tables between', () => {
  test('are found from either side, with what one side says', () => {
    const { pivots, entities } = build(
      defineManifest({
        database: 'sqlite',
        repositories: {
          users: repository({ ...named, related: { firms: belongsToMany('companies') } }),
          companies: repository({
            ...named,
            related: { people: belongsToMany('users', { table: 'staff', foreignKey: 'firm_id' }) },
          }),
        },
      }),
    )
    expect(pivots.map(({ table, sides }) => [table, ...sides.map(({ column }) => column)])).toEqual(
      [['staff', 'firm_id', 'user_id']],
    )
    expect(entities[0]?.relations[0]).toMatchObject({
      foreignKey: 'user_id',
      pivot: { table: 'staff', relatedKey: 'firm_id' },
    })
  })

  test('of a morph hold text when some keys are integers and some uuids', () => {
    const tagged = { ...named, related: { tags: morphToMany({ name: 'taggable' }) } }
    const { pivots } = build(
      defineManifest({
        database: 'sqlite',
        repositories: {
          posts: repository(tagged),
          users: repository({ id: 'uuid', ...tagged }),
          tags: repository(named),
        },
      }),
    )
    expect(pivots[0]?.sides[0]).toEqual({
      column: 'taggable_id',
      kind: 'text',
      entity: null,
      morphType: 'taggable_type',
    })
  })
})

test('a morph is called after what it points at, unless it says', () => {
  const blueprint = build(
    defineManifest({
      database: 'sqlite',
      repositories: {
        posts: repository({ ...named, related: { notes: morphMany() } }),
        notes: repository({ ...named, related: { noteable: morphTo() } }),
      },
    }),
  )
  expect(columnNames(blueprint, 'notes')).toEqual([
    'id',
    'name',
    'noteable_type',
    'noteable_id',
    'created_at',
    'updated_at',
  ])
})

describe('the auth repository is', () => {
  const person = repository({ fields: { email: email().unique(), password: password() } })
  const manifest = (key: string) =>
    defineManifest({ database: 'sqlite', repositories: { [key]: person } })

  test.each([
    ['users, with email and password', manifest('users'), undefined, 'users'],
    ['the repository that the config names', manifest('members'), 'members', 'members'],
    ['none, without users', manifest('members'), undefined, null],
    ['none, when the config says null', manifest('users'), null, null],
    [
      'none, when users have no password and no config names them',
      defineManifest({ database: 'sqlite', repositories: { users: repository(named) } }),
      undefined,
      null,
    ],
  ])('%s', (_, given, userModel, expected) => {
    expect(build(given, userModel).auth).toBe(expected)
  })
})

test('an index is wanted where lists are sorted or matched, unless it could not help', () => {
  const blueprint = build(
    defineManifest({
      database: 'sqlite',
      repositories: {
        posts: repository({
          sort: ['title', 'body', 'slug', 'id'],
          match: { name: 'partial', code: 'text' },
          fields: {
            title: text(),
            body: textarea(),
            slug: text().unique(),
            name: text(),
            code: text(),
          },
        }),
      },
    }),
  )
  const indexed = entity(blueprint, 'posts').columns.filter((column) => column.indexed)
  expect(indexed.map(({ name }) => name)).toEqual(['title', 'code'])
})

test('a password is hidden and may be written; what is hidden may not', () => {
  const fields = { password: password(), secret: text().hidden().nullable() }
  const blueprint = build(
    defineManifest({ database: 'sqlite', repositories: { users: repository({ fields }) } }),
  )
  const [, secretly, secret] = entity(blueprint, 'users').columns
  expect([secretly?.hidden, secretly?.readonly]).toEqual([true, false])
  expect([secret?.hidden, secret?.readonly]).toEqual([true, true])
})
