import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  sql,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { Connection, Dialect, Parameter, RawRow, Statement } from '../database/types.js'
import type { Encode } from '../model/columns.js'

/** Something a request varies: its structure is part of the statement, its values fill slots. */
export interface Part {
  readonly key: string
  readonly values: readonly unknown[]
}

/** A compiled statement and where its parameters come from. */
export interface Prepared {
  readonly statement: Statement
  readonly slots: readonly Slot[]
}

/** The place of one value: which part of the request, and which of its values. */
interface Slot {
  readonly part: number
  readonly index: number
  readonly encode: Encode | null
}

const marker = Symbol('slot')

interface Marker extends Slot {
  readonly [marker]: true
}

/** A parameter, filled at each run with `parts[part].values[index]`. */
export function slot(
  part: number,
  index: number,
  encode: Encode | null = null,
): RawBuilder<unknown> {
  const value: Marker = { [marker]: true, part, index, encode }
  return sql`${value}`
}

function isMarker(value: unknown): value is Marker {
  return typeof value === 'object' && value !== null && marker in value
}

const compilers: Record<Dialect, Kysely<unknown>> = {
  sqlite: new Kysely({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  }),
  postgresql: new Kysely({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  }),
}

/**
 * Compiles a statement once. A value that is no slot would be served to the next user: that is a
 * bug, and thrown.
 */
export function prepare(
  dialect: Dialect,
  access: Statement['access'],
  query: RawBuilder<unknown>,
): Prepared {
  const compiled = query.compile(compilers[dialect])
  const slots = compiled.parameters.map((parameter): Slot => {
    if (!isMarker(parameter)) throw new TypeError(`a value is baked into: ${compiled.sql}`)
    return parameter
  })
  return { statement: { sql: compiled.sql, access }, slots }
}

/** Sends a prepared statement with the values of this request. */
export function run(
  connection: Connection,
  { statement, slots }: Prepared,
  parts: readonly Part[],
): Promise<RawRow[]> {
  const parameters: Parameter[] = []
  for (const { part, index, encode } of slots) {
    const value = parts[part]?.values[index] ?? null
    parameters.push(value === null || encode === null ? plain(value) : encode(value))
  }
  return connection.query(statement, parameters)
}

/** Slots without an encoding hold limits, offsets and NULL. */
function plain(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}

/** What was compiled, by structure. */
export interface PlanCache {
  /** The plan for a key, made at first use. */
  get<Plan>(key: string, make: () => Plan): Plan
}

/**
 * Bounded, because callers choose shapes: two generations of `limit` plans; what is used survives,
 * what is not is forgotten when the younger generation is full.
 */
export function createPlanCache(limit = 200): PlanCache {
  let young = new Map<string, unknown>()
  let old = new Map<string, unknown>()
  return {
    get<Plan>(key: string, make: () => Plan): Plan {
      const recent = young.get(key)
      if (recent !== undefined) return recent as Plan // keys begin with what the plan is for
      const plan = old.get(key) ?? make()
      if (young.size >= limit) {
        old = young
        young = new Map()
      }
      young.set(key, plan)
      return plan as Plan // as above
    },
  }
}
