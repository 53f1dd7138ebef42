import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
/** Real databases, and what Prisma's engine reads in them. */
import { PrismaPg } from '@prisma/adapter-pg'
import {
  bindMigrationAwareSqlAdapterFactory,
  ColumnTypeEnum,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils'
import { SchemaEngine } from '@prisma/schema-engine-wasm/schema_engine_bg'
import pg from 'pg'
import type { Database } from '../../../generator/blueprint/types.js'
import { openEngine, takePanic } from '../../../generator/migrations/diff/engine-wasm.js'
import type { SchemaFile } from '../../../generator/migrations/schema/schema-file.js'
import {
  requireWithDriver,
  SqliteDriver as Sqlite,
} from '../../../runtime/database/sqlite/driver.js'
import { freshDatabase } from '../../support/postgres.js'

const { PrismaBetterSqlite3 } = requireWithDriver('@prisma/adapter-better-sqlite3') as Adapter
type Adapter = typeof import('@prisma/adapter-better-sqlite3')

export interface Live {
  run(sql: string): Promise<Record<string, unknown>[]>
  /** SQL that would bring this database to the schema; null when it is there. */
  lacks(schema: readonly SchemaFile[]): Promise<string | null>
  close(): Promise<void>
}

export { databases } from '../../support/databases.js'

export const openLive = (database: Database): Promise<Live> =>
  database === 'sqlite' ? openSqliteFile() : openPostgres()

async function openSqliteFile(): Promise<Live> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-prisma-'))
  const file = join(folder, 'test.sqlite')
  const db = new Sqlite(file)
  db.pragma('foreign_keys = OFF')
  return {
    run: async (sql) => {
      if (/^select/i.test(sql)) return db.prepare<[], Record<string, unknown>>(sql).all()
      db.exec(sql)
      return []
    },
    lacks: (schema) => difference(new PrismaBetterSqlite3({ url: file }), schema),
    close: async () => {
      db.close()
      await rm(folder, { recursive: true })
    },
  }
}

async function openPostgres(): Promise<Live> {
  const pool = new pg.Pool({ connectionString: await freshDatabase() })
  const factory = readingChars(pool)
  return {
    run: async (sql) => (await pool.query(sql)).rows ?? [],
    lacks: (schema) => difference(factory, schema),
    close: () => pool.end(),
  }
}

async function difference(
  factory: SqlMigrationAwareDriverAdapterFactory,
  schema: readonly SchemaFile[],
): Promise<string | null> {
  await openEngine()
  const files = [...schema]
  const adapter = bindMigrationAwareSqlAdapterFactory(factory)
  const engine = await SchemaEngine.new({ datamodels: undefined }, () => {}, adapter)
  const panic = takePanic()
  const work = engine.diff({
    from: { tag: 'schemaDatasource', files, configDir: '.' },
    to: { tag: 'schemaDatamodel', files },
    script: true,
    exitCode: true,
    filters: { externalTables: [], externalEnums: [] },
  })
  const result = await Promise.race([work, panic.promise]).finally(panic.release)
  engine.free()
  return result.exitCode === 0 ? null : result.stdout
}

/**
 * PostgreSQL's catalogue has columns of type `"char"` (18), which Prisma's adapter does not know: they are passed off as text,
 * and named as characters where the engine asks for them.
 */
function readingChars(pool: pg.Pool): SqlMigrationAwareDriverAdapterFactory {
  const characters = new Set<string>()
  pool.query = new Proxy(pool.query, {
    apply: async (query, self, parameters) => {
      const result: pg.QueryResult = await Reflect.apply(query, self, parameters)
      for (const field of (result.fields ?? []).filter(({ dataTypeID }) => dataTypeID === 18)) {
        characters.add(field.name)
        field.dataTypeID = 25
      }
      return result
    },
  })
  const factory = new PrismaPg(pool)
  const connect = async () => {
    const adapter = await factory.connect()
    const queryRaw = adapter.queryRaw.bind(adapter)
    return Object.assign(adapter, {
      queryRaw: async (query: Parameters<typeof queryRaw>[0]) => {
        const rows = await queryRaw(query)
        const named = rows.columnTypes.map((type, at) =>
          characters.has(rows.columnNames[at] ?? '') ? ColumnTypeEnum.Character : type,
        )
        return { ...rows, columnTypes: named }
      },
    })
  }
  const { provider, adapterName } = factory
  return { provider, adapterName, connect, connectToShadowDb: connect }
}
