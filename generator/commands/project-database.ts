import type { DatabaseState } from '../plan/prisma/draft-move.js'
import { Refusal } from '../write/refusal.js'
import { ask, type Answer } from './children.js'

/** What the project's own `npm run migrate -- status --json` answers; `runtime/database/migrations/migrate-command.ts` has the same. */
export interface DatabaseStatus extends DatabaseState {
  readonly applied: readonly string[]
  readonly ahead: readonly string[]
  readonly problem: string | null
  readonly drift: readonly {
    readonly migration: string
    readonly kind: 'changed' | 'missing' | 'failed'
    readonly text: string
  }[]
}

export interface Loss {
  readonly table: string
  /** Null: whole rows. */
  readonly column: string | null
  readonly rows: number
}

/** svc never opens a database: the drivers and the address are the project's. */
export async function askStatus(root: string): Promise<DatabaseStatus> {
  const answer = await ask(root, ['migrate', 'status', '--json'])
  const line = lastLine(answer)
  if (!line.startsWith('{'))
    throw new Refusal(answer.errors.trim() || 'The database cannot be asked.')
  // Older projects do not list the drift.
  const status: DatabaseStatus = { drift: [], ...JSON.parse(line) }
  return status
}

/** What a migration would drop from the database here, if there is one to ask. */
export type Counted =
  | { readonly kind: 'counted'; readonly losses: readonly Loss[] }
  | { readonly kind: 'fails'; readonly why: string }
  | { readonly kind: 'unknown'; readonly why: string }

export async function askLosses(root: string, sql: string): Promise<Counted> {
  const status = await askStatus(root).catch((error: unknown) => String(error))
  if (typeof status === 'string') return { kind: 'unknown', why: firstLine(status) }
  if (status.draft !== null) return { kind: 'unknown', why: 'it took a draft already.' }
  if (status.pending.length > 0) return { kind: 'unknown', why: 'it lacks saved migrations.' }
  const answer = await ask(root, ['migrate', 'loss', '--json'], JSON.stringify({ step: sql }))
  if (answer.code !== 0) return { kind: 'fails', why: firstLine(answer.errors) }
  const { loses }: { readonly loses: readonly Loss[] } = JSON.parse(lastLine(answer))
  return { kind: 'counted', losses: loses }
}

export const lossText = ({ table, column, rows }: Loss) =>
  column === null
    ? `  ${table}: ${rows} ${rows === 1 ? 'row' : 'rows'}`
    : `  ${table}.${column}: ${rows} ${rows === 1 ? 'value' : 'values'}`

/** The last line is the answer; a script of the developer's may say more before. */
export const lastLine = ({ text }: Answer) => text.trim().split('\n').at(-1) ?? ''

const firstLine = (text: string) => text.trim().split('\n')[0] ?? ''
