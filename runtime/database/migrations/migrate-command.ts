import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { applyDraft, lossOf, type DraftRequest } from './draft.js'
import { DraftMoved, migrate, MigrationError } from './migrate.js'
import { compare, driftOf, readHistory, type Drift, type TakenDraft } from './history.js'
import type { Migratable } from './session.js'
import { readMigrations } from './folder.js'

export interface MigrationStatus {
  readonly applied: readonly string[]
  readonly pending: readonly string[]
  readonly ahead: readonly string[]
  /** Why nothing can be applied, or null. */
  readonly problem: string | null
  /** The migrations behind the problem, each with the way out. */
  readonly drift: readonly Drift[]
  /** The draft this database has. */
  readonly draft: TakenDraft | null
}

export interface MigrateCommandOptions {
  readonly folder: string
  /** Also take the draft. */
  readonly development: boolean
  /**
   * Words after the command: none, `deploy` (never takes the draft), `status`, or `draft` and
   * `loss` with a request on stdin; `--json`.
   */
  readonly argv: readonly string[]
}

type Closable = Migratable & { close(): Promise<void> }

/** Exit codes of `npm run migrate`. */
const exit = { done: 0, failed: 1, wouldLose: 3, draftMoved: 4 } as const

/**
 * `npm run migrate`: applies what is pending. Prints lines, or one line of JSON; closes the
 * database.
 */
export async function runMigrateCommand(
  database: Closable,
  options: MigrateCommandOptions,
): Promise<number> {
  try {
    return await commandOf(options.argv)(database, options)
  } catch (error) {
    if (!(error instanceof MigrationError)) throw error
    process.stderr.write(`${error.message}\n`)
    return error instanceof DraftMoved ? exit.draftMoved : exit.failed
  } finally {
    await database.close()
  }
}

type Command = (database: Migratable, options: MigrateCommandOptions) => Promise<number>

function commandOf(argv: readonly string[]): Command {
  const [name = 'migrate'] = argv.filter((word) => !word.startsWith('--'))
  const command = commands.get(name)
  if (command !== undefined) return command
  throw new MigrationError(
    `There is no '${name}'.\n  known  ${[...commands.keys()].join(', ')} (or nothing)`,
  )
}

const bringUp: Command = async (database, { folder, development }) => {
  const { applied, adopted, draft } = await migrate(database, {
    folder,
    draft: development,
    log: print,
  })
  if (applied.length + adopted.length === 0 && !draft) print('nothing to migrate')
  return exit.done
}

const deploy: Command = (database, options) => bringUp(database, { ...options, development: false })

const status: Command = async (database, { folder, argv }) => {
  const state = await migrationStatus(database, folder)
  print(argv.includes('--json') ? JSON.stringify(state) : statusText(state))
  return state.problem === null ? exit.done : exit.failed
}

const draft: Command = async (database, { folder }) => {
  const result = await applyDraft(database, folder, await readRequest())
  print(JSON.stringify(result))
  return result.applied ? exit.done : exit.wouldLose
}

const loss: Command = async (database) => {
  const { step } = await readRequest()
  print(JSON.stringify({ loses: await lossOf(database, step) }))
  return exit.done
}

const commands = new Map<string, Command>(
  Object.entries({ migrate: bringUp, deploy, status, draft, loss }),
)

/** What is applied and what is not; changes nothing. */
export async function migrationStatus(
  database: Migratable,
  folder: string,
): Promise<MigrationStatus> {
  return database.migrating(async (session) => {
    const history = await readHistory(session, database.dialect)
    const saved = readMigrations(folder)
    const drift = driftOf(saved, history)
    const { draft: taken } = history
    if (drift.length > 0) {
      const applied = history.applied.map(({ name }) => name)
      const names = new Set(applied)
      const pending = saved.flatMap(({ name }) => (names.has(name) ? [] : [name]))
      const problem = drift.map(({ text }) => text).join('\n')
      return { applied, pending, ahead: [], problem, drift, draft: taken }
    }
    const { applied, pending, ahead } = compare(saved, history)
    const names = pending.map(({ name }) => name)
    return { applied, pending: names, ahead, problem: null, drift, draft: taken }
  })
}

const request = z.object({
  step: z.string(),
  draft: z.object({ sql: z.string(), datamodel: z.string() }).nullable().default(null),
  from: z.string().nullable().default(null),
  covers: z.array(z.string()).default([]),
  acceptDataLoss: z.boolean().default(false),
})

/** svc writes the request as JSON on stdin. */
async function readRequest(): Promise<DraftRequest> {
  return request.parse(JSON.parse(await text(process.stdin)))
}

function statusText({ applied, pending, ahead, problem, draft: taken }: MigrationStatus): string {
  const lines = [
    ...applied.map(
      (name) => `applied  ${name}${ahead.includes(name) ? ' (not in this version)' : ''}`,
    ),
    ...pending.map((name) => `pending  ${name}`),
    ...(taken === null ? [] : ['applied  draft.sql (this database only)']),
    ...(problem === null ? [] : [problem]),
  ]
  return lines.length === 0 ? 'no migrations' : lines.join('\n')
}

const print = (line: string) => void process.stdout.write(`${line}\n`)
