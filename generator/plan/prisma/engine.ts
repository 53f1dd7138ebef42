import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { DiffTarget, SchemaEngine as Engine } from '@prisma/schema-engine-wasm/schema_engine_bg'
import type { Database } from '../../blueprint/types.js'
import { lossesBetween, type Losses } from './losses.js'
import { offlineAdapter } from './offline-adapter.js'
import { PrismaSchemaError, problemsOf } from './schema-error.js'

/** A file of the Prisma schema: its path is what problems are reported under. */
export interface SchemaFile {
  readonly path: string
  readonly content: string
}

export interface SchemaDiff {
  /** What brings a database from one schema to the other; empty when `changed` is false. */
  readonly sql: string
  readonly changed: boolean
  /** What a database with rows would lose, or cannot bear. */
  readonly losses: Losses
}

/**
 * The SQL between two schemas, written by Prisma's own engine: offline, no database, the same text as `prisma migrate diff`.
 * The engine (5 MB of WebAssembly) is loaded at the first call, in about 30 ms. Throws `PrismaSchemaError` when a schema is wrong.
 */
export async function diffSql(
  database: Database,
  from: readonly SchemaFile[] | 'empty',
  to: readonly SchemaFile[],
): Promise<SchemaDiff> {
  const { sql, changed } = await diff(from, to)
  if (!changed) return { sql: '', changed, losses: { drops: [], changed: [], required: [], unique: [] } }
  if (from === 'empty') return { sql, changed, losses: lossesBetween(database, '', sql) }
  const [before, after] = await Promise.all([diff('empty', from), diff('empty', to)])
  return { sql, changed, losses: lossesBetween(database, before.sql, after.sql) }
}

async function diff(from: readonly SchemaFile[] | 'empty', to: readonly SchemaFile[]) {
  return withEngine(async (engine) => {
    const result = await engine.diff({
      from: target(from),
      to: target(to),
      script: true,
      shadowDatabaseUrl: null,
      exitCode: true,
      filters: { externalTables: [], externalEnums: [] },
    })
    const changed = result.exitCode !== 0
    return { sql: changed ? `${(result.stdout ?? '').trim()}\n` : '', changed }
  })
}

function target(files: readonly SchemaFile[] | 'empty'): DiffTarget {
  return files === 'empty' ? { tag: 'empty' } : { tag: 'schemaDatamodel', files: [...files] }
}

type EngineClass = Pick<typeof Engine, 'new'>

let loaded: Promise<EngineClass> | undefined
let panic = ''

async function withEngine<Result>(work: (engine: Engine) => Promise<Result>): Promise<Result> {
  loaded ??= load()
  const engine = await (await loaded).new({ datamodels: undefined }, () => {}, offlineAdapter())
  try {
    return await work(engine)
  } catch (error) {
    throw explain(error)
  } finally {
    // A panicked instance refuses even to be freed, and the next run has a new one.
    if (loaded !== undefined) engine.free()
  }
}

async function load(): Promise<EngineClass> {
  const path = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg')
  const glue = await import('@prisma/schema-engine-wasm/schema_engine_bg')
  const wasm = await readFile(path.replace(/\.js$/, '.wasm'))
  const registry = { set_message: (message: string) => void (panic = message) }
  Object.assign(globalThis, { PRISMA_WASM_PANIC_REGISTRY: registry })
  const { instance } = await WebAssembly.instantiate(wasm, { './schema_engine_bg.js': { ...glue } })
  glue.__wbg_set_wasm(instance.exports)
  const start = instance.exports['__wbindgen_start']
  if (typeof start !== 'function') throw new Error('Prisma’s schema engine has no start')
  start()
  return glue.SchemaEngine
}

/** A wrong schema is the developer's to mend and says where; anything else is a bug, ours or Prisma's. */
function explain(error: unknown): Error {
  if (panic !== '') {
    const message = `Prisma's schema engine stopped: ${panic}`
    panic = ''
    loaded = undefined
    return new Error(message, { cause: error })
  }
  const text = error instanceof Error ? error.message : String(error)
  const problems = problemsOf(text)
  if (problems.length > 0) return new PrismaSchemaError(problems)
  return new Error(`Prisma's schema engine refused: ${text}`, { cause: error })
}
