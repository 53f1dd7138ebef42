import { type Connection, ConstraintError } from '../../database/types.js'
import { toHttpError } from '../../http/answers.js'
import type { Extension, Row, ValuedRecord, Within, WriteOptions } from '../../model/entity.js'
import type { Operation } from '../../model/operations.js'
import type { AnyHooks } from '../../model/policy-and-hooks.js'
import { contextOf } from '../../operations/afterwards.js'
import type { AnyRepository } from '../../operations/repository.js'
import { beginAnew, current, newEnds, opened, rolledBack, runIn } from './current.js'
import { boundTo } from './guarded.js'
import { requestNow } from './request.js'

/** Hooks that run inside the transaction of a write, as the kernel calls them. */
interface InsideHooks extends AnyHooks {
  readonly insideStore?: (context: object, row: Row) => unknown
  readonly insideUpdate?: (context: object, row: Row, before: Row) => unknown
  readonly insideDelete?: (context: object, row: Row) => unknown
  readonly insideRestore?: (context: object, row: Row) => unknown
  readonly insideForceDelete?: (context: object, row: Row) => unknown
}

interface Project<Repositories, Db extends object> {
  readonly db: Db
  /** Called late: repositories name this extension. */
  readonly repositories: () => Promise<Repositories>
}

/** Members of the context there, all of them on the transaction's connection. */
export interface InsideOf<Repositories, Db> {
  readonly db: Db
  readonly repositories: Repositories
}

/** For repositories that say `hooks: 'inside'`. */
export function insideHooks<
  Repositories extends Readonly<Record<string, AnyRepository>>,
  Db extends object,
>(project: Project<Repositories, Db>): Extension {
  return {
    context: requestNow,
    write: () => ({ within: (record) => joined(project, record) }),
  }
}

/**
 * For one write of code: runs `work` in the transaction of the write, after it, with its row. What it
 * throws rolls both back. `db` is that of app/database.ts, in a project that has `hooks: 'inside'` or
 * `mutations: 'together'`.
 * @example OrderRepository.store(user, input, inside(db, (own, order) => own.insertInto('events')…))
 */
export function inside<Db extends object>(
  db: Db,
  work: (db: Db, row: Row) => Promise<unknown>,
): WriteOptions {
  const within = () =>
    partOfWrite((run, { connection, row }) =>
      run('work of inside(db, work)', () => work(boundTo(db, connection), row)),
    )
  return { extensions: [{ write: () => ({ within }) }] }
}

interface Written {
  readonly connection: Connection
  readonly row: Row
  readonly before: Row | null
}

/** Runs code in the transaction. `db` and repositories that would leave it are refused there. */
type RunInside = (name: string, work: () => unknown) => Promise<void>

/** Makes a part of a write that runs code of the project. */
function partOfWrite(write: (run: RunInside, written: Written) => Promise<void>): Within {
  const ends = newEnds()
  return {
    needsRow: true,
    begin: async () => beginAnew(ends),
    write: async (connection, row, before) => {
      const on = Object.assign({ connection }, ends, current.getStore(), { connection })
      const run: RunInside = (name, work) =>
        runIn(on, { name, isOpen: false }, async () => void (await work())).catch(
          (error: unknown) => {
            void rolledBack(ends)
            throw asAnswer(error)
          },
        )
      await write(run, { connection, row, before })
    },
    after: async () => {
      for (const work of ends.later) await work()
    },
  }
}

type HookName = Exclude<keyof InsideHooks, keyof AnyHooks>

/** Lists the hooks of each operation in the order in which they run. */
const hookNames: Readonly<
  Partial<Record<Operation | 'restore' | 'forceDelete', readonly HookName[]>>
> = {
  store: ['insideStore'],
  update: ['insideUpdate'],
  delete: ['insideDelete'],
  restore: ['insideRestore'],
  // A record of the trash was deleted before: `insideDelete` ran then.
  forceDelete: ['insideDelete', 'insideForceDelete'],
}

function joined<Repositories extends Readonly<Record<string, AnyRepository>>, Db extends object>(
  project: Project<Repositories, Db>,
  { access, write: { operation } }: ValuedRecord,
): Within | null {
  const { entity } = access
  const hooks: InsideHooks = entity.hooks ?? {}
  const names = (hookNames[operation] ?? []).filter((name) => hooks[name] !== undefined)
  if (names.length === 0) return null
  const operations = entity.extensions.flatMap((each) => each.operations ?? [])
  const own = operations.find((each) => each.name === operation)
  const part = partOfWrite(async (run, { connection, row, before }) => {
    for (const name of names) {
      if (name === 'insideDelete' && own?.wasGone?.(row) === true) continue
      await run(`${name} of ${entity.key}`, async () => {
        const context = Object.assign(contextOf(access), {
          db: boundTo(project.db, connection),
          repositories: joinedRepositories(await project.repositories()),
        })
        if (name === 'insideUpdate') await hooks.insideUpdate?.(context, row, before ?? {})
        else await hooks[name]?.(context, row)
      })
    }
  })
  return Object.assign({}, part, { needsBefore: true })
}

/** Answers errors about rows that the hook wrote: the write's own errors name its fields. */
const asAnswer = (error: unknown): unknown =>
  error instanceof ConstraintError ? (toHttpError(error) ?? error) : error

/** The repositories, each call of which is part of the transaction around it. */
function joinedRepositories<Repositories extends Readonly<Record<string, AnyRepository>>>(
  repositories: Repositories,
): Repositories {
  const inside = current.getStore()
  if (inside === undefined) throw new TypeError('there is no transaction')
  const joinedOne = (repository: AnyRepository) => {
    const calls = Object.entries(repository).map(([name, value]: [string, unknown]) => {
      if (typeof value !== 'function') return [name, value] as const
      const call = (...given: unknown[]): unknown =>
        opened(inside, () => (value as (...all: unknown[]) => unknown)(...given))
      return [name, call] as const
    })
    return Object.fromEntries(calls)
  }
  const all = Object.entries(repositories).map(([key, each]) => [key, joinedOne(each)] as const)
  // The members and their types stay the same.
  return Object.fromEntries(all) as unknown as Repositories
}
