import type { DiffTarget, SchemaEngine } from '@prisma/schema-engine-wasm/schema_engine_bg'
import { withFurtherIndexes, withNullsLast } from '../keepers/further-indexes.js'
import { withoutKept, type Keeper, type MigrationContext } from '../keepers/kept.js'
import { withMorphTriggers } from '../keepers/morph-triggers.js'
import { findLosses, noLosses, type Losses } from '../rows/losses.js'
import { withBigKeys } from '../schema/big-keys.js'
import { PrismaSchemaError, problemsOf } from '../schema/schema-error.js'
import type { SchemaFile } from '../schema/schema-file.js'
import { withDecimals, withOtherDigits } from '../schema/sqlite-decimals.js'
import { buildsAnew, withoutForgetting } from '../sqlite-rebuild/built-anew.js'
import { openEngine, takePanic } from './engine-wasm.js'

export interface SchemaDiff {
  /** SQL that brings a database from one schema to the other; empty when `changed` is false. */
  readonly sql: string
  readonly changed: boolean
  /** Losses of a database with rows, and what it cannot apply. */
  readonly losses: Losses
}

type Schema = readonly SchemaFile[] | 'empty'
type Keepers = readonly Keeper[]

/** The SQL that builds a database from nothing. */
export const buildSql = async (
  { keepers }: Pick<MigrationContext, 'keepers'>,
  schema: Schema,
): Promise<string> => (await built(schema, keepers)).sql

/**
 * The SQL between two schemas, written by Prisma's own engine: offline, no database, the same text as `prisma migrate diff`.
 * The engine (5 MB of WebAssembly) is loaded at the first call, in about 30 ms. Throws `PrismaSchemaError` when a schema is wrong.
 */
export async function diffSql(
  context: MigrationContext,
  from: Schema,
  to: Schema,
): Promise<SchemaDiff> {
  const { keepers } = context
  const { sql, changed } = await diff(from, to, keepers)
  if (!changed || from === 'empty') return { sql, changed, losses: noLosses }
  const before = await built(from, keepers)
  const after = await built(to, keepers)
  return {
    sql,
    changed,
    losses: findLosses(context, { before: before.sql, after: after.sql, sql }),
  }
}

/** By schema, the latest last, as all of a process have the same keepers: a run asks for the same ones several times, and `svc dev` for the saved one at each save. */
const known = new Map<string, ReturnType<typeof diff>>()

/** At 1,000 models the engine takes half a second for each. */
function built(schema: Schema, keepers: Keepers): ReturnType<typeof diff> {
  const key = JSON.stringify(schema)
  const found = known.get(key) ?? diff('empty', schema, keepers)
  known.delete(key)
  known.set(key, found)
  found.catch(() => known.delete(key))
  for (const oldest of [...known.keys()].slice(0, -3)) known.delete(oldest)
  return found
}

async function diff(from: Schema, to: Schema, keepers: Keepers) {
  if (isEmpty(from) && isEmpty(to)) return { sql: '', changed: false }
  const { exitCode, stdout } = await withEngine((engine) =>
    engine.diff({
      from: target(isEmpty(from) ? from : withOtherDigits(ofEngine(from, keepers), filesOf(to))),
      to: target(isEmpty(to) ? to : ofEngine(to, keepers)),
      script: true,
      exitCode: true,
      filters: { externalTables: [], externalEnums: [] },
    }),
  )
  const written = exitCode === 0 ? '' : withBigKeys(`${(stdout ?? '').trim()}\n`, filesOf(to))
  const kept = buildsAnew(written)
    ? withoutForgetting(written, (await built(from, keepers)).sql)
    : written
  const complete = withDecimals(withNullsLast(kept), filesOf(to))
  const indexed = withFurtherIndexes(complete, filesOf(from), filesOf(to))
  const owned = withMorphTriggers(indexed, filesOf(from), filesOf(to))
  const sql = keepers.reduce(
    (text, { between }) => between(text, filesOf(from), filesOf(to)),
    owned,
  )
  return { sql, changed: sql !== '' }
}

const ofEngine = (schema: readonly SchemaFile[], keepers: Keepers) =>
  withoutKept(
    schema,
    keepers.flatMap(({ columnsIn }) => columnsIn(schema)),
  )

// A list without files would stop the engine.
const isEmpty = (schema: Schema): schema is 'empty' => schema === 'empty' || schema.length === 0

const filesOf = (schema: Schema) => (schema === 'empty' ? [] : schema)

const target = (schema: Schema): DiffTarget =>
  isEmpty(schema) ? { tag: 'empty' } : { tag: 'schemaDatamodel', files: [...schema] }

async function withEngine<Result>(
  work: (engine: SchemaEngine) => Promise<Result>,
): Promise<Result> {
  const engine = await openEngine()
  const stopped = takePanic()
  try {
    const result = await Promise.race([work(engine), stopped.promise])
    engine.free()
    return result
  } catch (error) {
    throw explain(error)
  } finally {
    stopped.release()
  }
}

/** A wrong schema is the developer's to mend and says where; anything else is a bug, ours or Prisma's. */
function explain(error: unknown): Error {
  const text = error instanceof Error ? error.message : String(error)
  const problems = problemsOf(text)
  if (problems.length > 0) return new PrismaSchemaError(problems)
  if (text.includes('no datasource in the schema')) return new PrismaSchemaError([noDatasource])
  return new Error(`Prisma's schema engine failed: ${text}`, { cause: error })
}

const noDatasource = {
  file: 'prisma/schema/svc.prisma',
  line: 1,
  column: 1,
  message: 'there is no datasource in prisma/schema: svc.prisma had it, and it was taken out',
  fix: 'bring the block back from version control; or `svc generate --force`, which replaces your edits of svc.prisma too',
} as const
