import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Blueprint, Database } from '../../../generator/blueprint/types.js'
import { diffSql } from '../../../generator/migrations/diff/engine.js'
import type { SchemaFile } from '../../../generator/migrations/schema/schema-file.js'
import { prismaSchema } from '../../../generator/migrations/schema/schema.js'
import { migrating } from '../../support/with-features.js'
import { blueprintOf, fixtures } from '../plan/fixture.js'
import { on } from './blueprints.js'
import { databases, openLive, type Live } from './live.js'
import { clashes, kinds } from './samples.js'

const schemaOf = (database: Database, blueprint: Blueprint): readonly SchemaFile[] => [
  { path: 'prisma/schema/svc.prisma', content: prismaSchema(on(database, blueprint)) },
]

const own = new Map([
  ['kinds', kinds],
  ['clashes', clashes],
])

const note = { path: 'prisma/schema/own.prisma', content: 'model Unheard {\n  id Int @id\n}\n' }

// On SQLite the engine reads the default of a JSON column as JSON, quotes and all, and finds no schema equal to it.
const withoutJsonDefaults = (of: Blueprint): Blueprint => ({
  ...of,
  entities: of.entities.map((entity) => ({
    ...entity,
    columns: entity.columns.filter(
      ({ kind, default: given }) =>
        given === undefined || (kind !== 'json' && kind !== 'multiSelect'),
    ),
  })),
})

describe.each(databases)('on %s', (database) => {
  let live: Live
  beforeEach(async () => void (live = await openLive(database)))
  afterEach(() => live.close())

  const load = (name: string) =>
    own.get(name) ?? blueprintOf(fixtures.find((each) => each === name) ?? 'blog', database)

  // Prisma's engine takes an `INTEGER PRIMARY KEY` for 32 bits, whatever the schema says.
  const told = fixtures.filter((name) => database === 'postgresql' || name !== 'wide-ids')
  test.each([...told, ...own.keys()])('%s: the database is what the schema says', async (name) => {
    const schema = schemaOf(database, withoutJsonDefaults(await load(name)))
    await live.run((await diffSql(migrating(database), 'empty', schema)).sql)
    expect(await live.lacks(schema)).toBeNull()
    expect(await live.lacks([...schema, note])).toContain('CREATE TABLE "Unheard"')
  })

  test('what the database keeps of words is in the schema, where Prisma has a word for it', async () => {
    const schema = schemaOf(database, await blueprintOf('features/full-text', database))
    await live.run((await diffSql(migrating(database), 'empty', schema)).sql)
    const lacks = await live.lacks(schema)
    // Virtual tables of SQLite, and what belongs to them, are no part of any schema.
    if (database === 'postgresql') expect(lacks).toBeNull()
    else
      expect(lacks).toMatch(
        /^(-- DropTable\n(?:PRAGMA .*;\n)?DROP TABLE "\w+_search\w*";\n(?:PRAGMA .*;\n)?\n*)+$/,
      )
  })

  test('a default of the database is the text the server would write', async () => {
    await live.run((await diffSql(migrating(database), 'empty', schemaOf(database, kinds))).sql)
    const columns = kinds.entities[0]?.columns ?? []
    const required = columns.filter(
      ({ role, name, nullable, default: given }) =>
        name === 'updated_at' || (role !== 'timestamp' && !nullable && given === undefined),
    )
    const values = required.map(({ kind }) => samples[kind] ?? `'x'`)
    const names = required.map(({ name }) => `"${name}"`)
    await live.run(`insert into samples (${names.join(', ')}) values (${values.join(', ')})`)
    const [row] = await live.run(`select ${read[database].join(', ')} from samples`)
    expect(row).toEqual(stored[database])
  })
})

const samples: Readonly<Record<string, string>> = {
  number: '1',
  integer: '1',
  bigInteger: '9223372036854775807',
  float: '1',
  decimal: `'1.000'`,
  boolean: 'true',
  toggle: 'true',
  date: `'2026-01-01'`,
  dateTime: `'2026-01-01'`,
  json: `'{}'`,
  multiSelect: `'[]'`,
  uuid: `'0190c2f4-0000-7000-8000-000000000000'`,
}

const names = [
  'date',
  'dateTime',
  'json',
  'multiSelect',
  'decimal',
  'boolean',
  'field',
  'float',
  'bigInteger',
]
const read = {
  sqlite: names.map((name) =>
    name === 'bigInteger'
      ? `cast("a_default_${name}" as text) a_default_${name}`
      : `"a_default_${name}"`,
  ),
  postgresql: names.map((name) => `"a_default_${name}"::text`),
}
const text = `it's a "quote", a \\ and\na line`
const stored = {
  sqlite: {
    a_default_date: '2026-02-03T00:00:00.000+00:00',
    a_default_dateTime: '2026-02-03T04:05:06.789+00:00',
    a_default_json: `{"list":[1,"it's"],"nothing":null}`,
    a_default_multiSelect: '["a","b"]',
    a_default_decimal: 123456789012.5,
    a_default_boolean: 1,
    a_default_field: text,
    a_default_float: 1.5,
    a_default_bigInteger: '-9223372036854775808',
  },
  postgresql: {
    a_default_date: '2026-02-03',
    a_default_dateTime: expect.stringMatching(/^2026-02-0\d/),
    a_default_json: `{"list": [1, "it's"], "nothing": null}`,
    a_default_multiSelect: '["a", "b"]',
    a_default_decimal: '123456789012.500',
    a_default_boolean: 'true',
    a_default_field: text,
    a_default_float: '1.5',
    a_default_bigInteger: '-9223372036854775808',
  },
}
