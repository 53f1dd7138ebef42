import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Column, Database, Json } from '../../../generator/blueprint/types.js'
import { misfitsOf } from '../../../generator/commands/database/drafts/misfits.js'
import type { MigrationSession } from '../../../generator/commands/database/drafts/project.js'
import { kindOf } from '../../../generator/kinds/kinds.js'
import { buildSql } from '../../../generator/migrations/diff/engine.js'
import { planMigrations } from '../../../generator/migrations/migrations.js'
import { readFill } from '../../../generator/migrations/rows/fills.js'
import { prismaSchema } from '../../../generator/migrations/schema/schema.js'
import { storageOf } from '../../../generator/plan/views/fields/storage.js'
import { acceptingLoss } from '../../../runtime/database/migrations/accepted-loss.js'
import { readerOf } from '../../../runtime/database/postgres/values.js'
import { SqliteDriver as Sqlite } from '../../../runtime/database/sqlite/driver.js'
import { columnOf, type StorageKind } from '../../../runtime/model/columns.js'
import { runs } from '../../support/runs.js'
import { migrating } from '../../support/with-features.js'
import { blueprint, column, entity, on } from './blueprints.js'
import { outcome, type Kind } from './conversion-model.js'
import { sources, targets, type Target } from './conversion-samples.js'
import { databases } from './live.js'

/** The first ones are those that were wrong; the others take minutes. */
const tried = runs(1) > 1 ? targets : targets.slice(0, 6)

const length = Math.max(...sources.map(({ values }) => values.length))

interface Server {
  readonly session: MigrationSession
  /** Everything of a database that has a name or a form. */
  catalogue(): Promise<unknown>
  clear(): Promise<void>
  close(): Promise<void>
}

async function openServer(database: Database): Promise<Server> {
  if (database === 'sqlite') {
    const db = new Sqlite(':memory:')
    return {
      session: {
        dialect: 'sqlite',
        run: async (sql) => void db.exec(sql),
        query: async (sql) => {
          const statement = db.prepare(sql)
          if (statement.reader) return statement.raw(true).all() as unknown[][]
          statement.run()
          return []
        },
      },
      catalogue: async () => db.prepare('select name, sql from sqlite_master order by name').all(),
      clear: async () => void db.exec('DROP TABLE IF EXISTS samples'),
      close: async () => void db.close(),
    }
  }
  const { freshDatabase } = await import('../../support/postgres.js')
  const client = new pg.Client({ connectionString: await freshDatabase() })
  await client.connect()
  await client.query("SET timezone = 'UTC'")
  const types = { getTypeParser: (type: number) => readerOf(type) ?? String }
  const query = async (text: string) =>
    (await client.query<unknown[]>({ text, rowMode: 'array', types })).rows
  return {
    session: { dialect: 'postgresql', run: async (sql) => void (await client.query(sql)), query },
    catalogue: async () => [
      await query(`SELECT column_name, data_type, column_default, is_nullable, numeric_precision,
        numeric_scale, datetime_precision FROM information_schema.columns WHERE table_name = 'samples' ORDER BY 1`),
      await query(`SELECT indexdef FROM pg_indexes WHERE tablename = 'samples' ORDER BY 1`),
      await query(`SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint
        WHERE conrelid = 'samples'::regclass ORDER BY 1`),
    ],
    clear: async () => void (await client.query('DROP TABLE IF EXISTS samples')),
    close: () => client.end(),
  }
}

const quoted = (value: unknown): string =>
  value === null || value === undefined
    ? 'NULL'
    : typeof value === 'number' || typeof value === 'bigint'
      ? String(value)
      : `'${String(value).replaceAll("'", "''")}'`

/** Columns of one kind each: the same change with three ways to be empty. */
function tableOf(database: Database, columns: readonly Column[]) {
  const sample = blueprint([entity({ key: 'samples', name: 'Sample', columns })])
  const schema = { path: 'prisma/schema/svc.prisma', content: prismaSchema(on(database, sample)) }
  return { blueprint: on(database, sample), schema }
}

type Way = 'nullable' | 'required' | 'defaulted'
const nameOf = (way: Way, at: number) => `${way}_${at}`
const ways = ['nullable', 'required', 'defaulted'] as const

describe.each(databases)('on %s', (database) => {
  let server: Server
  beforeAll(async () => void (server = await openServer(database)))
  afterAll(() => server.close())

  const isSpaced = database === 'postgresql'
  const codec = (sample: Column) =>
    columnOf(sample.name, storageOf(sample) as StorageKind, { dialect: database })

  const before = sources.flatMap((source, at) =>
    ways.map((way) => {
      const { values, ...kind } = source
      // An old default must not be in the way of a new type.
      const isGiven = way === 'defaulted' && source.kind !== 'password'
      const given = isGiven ? { default: values[0] as Json } : {}
      return column(nameOf(way, at), source.kind, {
        ...kind,
        ...given,
        nullable: way !== 'required',
      })
    }),
  )
  const after = (target: Target, isUnset = false) => {
    const { fill: _, default: given, ...kind } = target
    const isGiven = given !== undefined && !isUnset
    return sources.flatMap((_source, at) =>
      ways.map((way) =>
        column(nameOf(way, at), target.kind, {
          ...kind,
          nullable: way === 'nullable',
          ...(way === 'defaulted' && isGiven ? { default: given } : {}),
        }),
      ),
    )
  }
  /** Required columns have a value in each row; the others a row without. */
  const valueAt = (way: Way, at: number, row: number): unknown => {
    const { values = [] } = sources[at] ?? {}
    return row < values.length ? values[row] : way === 'required' ? values[0] : null
  }

  async function build(columns: readonly Column[], isFull = true) {
    await server.clear()
    const { schema } = tableOf(database, columns)
    await server.session.run(await buildSql(migrating('sqlite'), [schema]))
    if (!isFull) return schema
    for (let row = 0; row <= length; row++) {
      const cells = columns.map((sample) => {
        const [way, at] = sample.name.split('_')
        const value = valueAt(way as Way, Number(at), row)
        return value === null ? 'NULL' : quoted(codec(sample).encode(value))
      })
      const names = [...columns.map(({ name }) => `"${name}"`), 'updated_at']
      await server.session.run(
        `INSERT INTO samples (${names.join(', ')}) VALUES (${[...cells, quoted('2026-01-01')].join(', ')})`,
      )
    }
    return schema
  }

  async function migration(
    from: readonly Column[],
    to: readonly Column[],
    answers: { fills?: readonly string[] } = {},
  ) {
    const target = tableOf(database, to)
    const base = tableOf(database, from).schema.content
    const state = { saved: ['0_init'], lock: null, base, draft: null, draftSchema: null }
    const fills = (answers.fills ?? []).map((text) => readFill(text, target.blueprint))
    const renaming = { wishes: [], morphs: [], fills } as const
    const plan = await planMigrations(migrating(database), state, [target.schema], renaming)
    return { sql: plan.draft?.sql ?? '', schema: target.schema }
  }

  async function rowsOf(columns: readonly Column[]) {
    const names = columns.map((each) => {
      return each.kind === 'bigInteger' ? `CAST("${each.name}" AS TEXT)` : `"${each.name}"`
    })
    const rows = await server.session.query(`SELECT ${names.join(', ')} FROM samples ORDER BY id`)
    return rows.map((row) =>
      row.map((stored, at) => {
        const sample = columns[at]
        if (stored === null || sample === undefined) return null
        const { decode } = codec(sample)
        return decode === null ? stored : decode(stored)
      }),
    )
  }

  async function expectFresh(schema: { path: string; content: string }) {
    const migrated = await server.catalogue()
    await server.clear()
    await server.session.run(await buildSql(migrating('sqlite'), [schema]))
    expect(migrated).toEqual(await server.catalogue())
  }

  describe.each(tried.map((target) => [nameText(target), target] as const))(
    'to %s',
    (_, target) => {
      test('rows that do not fit are counted, and nothing is changed', async () => {
        await build(before)
        const { sql } = await migration(before, after(target))
        const started = await rowsOf(before)
        await server.session.query('BEGIN')
        const found = await misfitsOf(server.session, sql)
        await server.session.query('COMMIT')
        const counted = new Map(found.map((misfit) => [misfit.column, misfit.rows]))
        for (const [at, sample] of before.entries()) {
          const source = sources[Math.floor(at / ways.length)]
          const values = started.flatMap((row) => (row[at] === null ? [] : [row[at]]))
          const misfits = values.filter(
            (value) => outcome(source ?? target, target, value, isSpaced) === null,
          )
          const what = `${nameText(source ?? target)} → ${nameText(target)}, ${sample.name}: ${JSON.stringify(misfits)}`
          expect([what, counted.get(sample.name) ?? 0]).toEqual([what, misfits.length])
        }
        expect(await rowsOf(before)).toEqual(started)
      })

      test('values that fit are converted, others are cut or filled, and the schema is a fresh one', async () => {
        await build(before)
        const to = after(target)
        const started = await rowsOf(before)
        const fills = to.flatMap(({ name }) => {
          const isAsked = name.startsWith('required') || target.default === undefined
          return isAsked && !name.startsWith('nullable') ? [`samples.${name}=${target.fill}`] : []
        })
        const { sql, schema } = await migration(before, to, { fills })
        const { session } = server
        await session.query('BEGIN')
        await acceptingLoss(session, () => session.run(sql))
        await session.query('COMMIT')
        const rows = await rowsOf(to)
        const filled = parsedFill(target)
        for (const [row, values] of rows.entries()) {
          for (const [at, actual] of values.entries()) {
            const source = sources[Math.floor(at / ways.length)] ?? target
            const way = ways[at % ways.length] ?? 'nullable'
            const value = started[row]?.[at]
            const what = `${nameText(source)} → ${nameText(target)}, ${way}: ${JSON.stringify(value)} became ${JSON.stringify(actual)}`
            const isFit = value !== null && outcome(source, target, value, isSpaced)
            if (typeof isFit === 'function') expect([what, isFit(actual)]).toEqual([what, true])
            else if (way === 'required' || (way === 'defaulted' && target.default === undefined)) {
              expect([what, actual]).toEqual([what, filled])
            } else if (value === null) {
              expect([what, actual]).toEqual([what, way === 'nullable' ? null : given(target)])
            } else if (way === 'nullable' && actual !== null) {
              // The rest is a value of the field.
              expect([what, outcome(target, target, actual) !== null]).toEqual([what, true])
            } else expect(way === 'nullable' || actual !== null, what).toBe(true)
          }
        }
        await expectFresh(schema)
      })

      test('where there are no rows, it needs no answer', async () => {
        await build(before, false)
        const { sql, schema } = await migration(before, after(target))
        await server.session.run(sql)
        await expectFresh(schema)
        await build(before, false)
        const unset = await migration(before, after(target, true))
        await server.session.run(unset.sql)
        await expectFresh(unset.schema)
      })
    },
  )

  const given = (target: Target) => valueOf(target, target.default)
  const parsedFill = (target: Target) => {
    const { storage } = kindOf(target.kind)
    const isParsed = ['integer', 'float', 'boolean', 'json'].includes(storage)
    return valueOf(target, isParsed ? JSON.parse(target.fill) : target.fill)
  }
  const valueOf = ({ kind, scale = 0 }: Target, value: unknown): unknown => {
    if (kind === 'dateTime') return new Date(String(value)).toISOString()
    if (kind !== 'decimal') return value
    const [whole = '', fraction = ''] = String(value).split('.')
    return scale === 0 ? whole : `${whole}.${fraction.padEnd(scale, '0')}`
  }
})

function nameText({ kind, precision, scale, min, max, options }: Kind): string {
  const digits = precision === undefined ? '' : `(${precision}, ${scale})`
  const words = options === undefined ? '' : `(${options.join(', ')})`
  const bounds = [min === undefined ? '' : ` from ${min}`, max === undefined ? '' : ` to ${max}`]
  return `${kind}${digits}${words}${bounds.join('')}`
}
