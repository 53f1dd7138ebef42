import type { DraftMove } from '../../migrations/draft-move.js'
import type { PlanAsked } from '../inspect/production/plans.js'
import type { TableFacts } from '../inspect/production/table-facts.js'
import {
  type AskOf,
  ProcessRefusal,
  type ProcessOptions,
  runnable,
  withProcess,
} from '../project-process.js'
import { databaseScript, hasMigrations } from './database-script.js'
import type { Outcome } from './drafts/costs.js'
import type { DraftResult } from './drafts/draft.js'
import type { Loss } from './drafts/losses.js'
import type { Misfit } from './drafts/misfits.js'
import type { DatabaseStatus } from './drafts/status.js'

/** Requests to the process beside the database, and its answers. */
export interface Requests {
  readonly status: { readonly input: null; readonly answer: DatabaseStatus }
  /** Saved migrations and the draft. */
  readonly bringUp: {
    readonly input: { readonly acceptDataLoss: boolean }
    readonly answer: DraftResult
  }
  readonly move: { readonly input: DraftMove; readonly answer: DraftResult }
  readonly costs: {
    readonly input: { readonly sql: string; readonly acceptDataLoss: boolean }
    readonly answer: Outcome<'done' | 'stops'>
  }
  /** The rows of these tables. */
  readonly tables: { readonly input: readonly string[]; readonly answer: readonly TableFacts[] }
  /** Says of each statement whether it goes through its table. */
  readonly plans: { readonly input: readonly PlanAsked[]; readonly answer: readonly boolean[] }
  /** Saved migrations only. */
  readonly deploy: {
    readonly input: { readonly acceptDataLoss: boolean }
    readonly answer: DraftResult
  }
}

export type Ask = AskOf<Requests>

export { ProcessRefusal as DatabaseRefusal } from '../project-process.js'

/** svc never opens a database: the drivers and the address are the project's, so a process of its own does. */
export async function withDatabase<Result>(
  root: string,
  work: (ask: Ask) => Promise<Result>,
  options: ProcessOptions = {},
): Promise<Result> {
  const target = await runnable(root)
  if (!hasMigrations(target)) throw new ProcessRefusal(outdated)
  return withProcess<Requests, Result>(root, () => databaseScript(root), work, options)
}

const outdated = 'The project was written by another svc: run `svc generate` first.'

export const askStatus = (root: string): Promise<DatabaseStatus> =>
  withDatabase(root, (ask) => ask('status', null))

/** The cost of a migration to the database here, if there is one to ask. */
export type Counted =
  | { readonly kind: 'counted'; readonly losses: readonly Loss[] }
  | {
      readonly kind: 'stops'
      readonly misfits: readonly Misfit[]
      readonly losses: readonly Loss[]
    }
  | { readonly kind: 'fails'; readonly why: string }
  | { readonly kind: 'unknown'; readonly why: string }

export async function askCosts(
  root: string,
  sql: string,
  acceptDataLoss = false,
): Promise<Counted> {
  try {
    return await withDatabase(root, async (ask) => {
      const status = await ask('status', null)
      if (status.draft !== null) return { kind: 'unknown', why: 'it has applied a draft already.' }
      if (status.pending.length > 0) return { kind: 'unknown', why: 'it lacks saved migrations.' }
      return ask('costs', { sql, acceptDataLoss }).then(
        ({ kind, losses, misfits }) =>
          kind === 'stops' ? { kind, misfits, losses } : { kind: 'counted', losses },
        (error: unknown) => ({ kind: 'fails', why: firstLine(error) }),
      )
    })
  } catch (error) {
    return { kind: 'unknown', why: firstLine(error) }
  }
}

const firstLine = (error: unknown) =>
  String(error instanceof Error ? error.message : error).split('\n')[0] ?? ''

/** `  visits.fee is no decimal(10, 2): 3 rows, 'abc' in 2 of them, '+49 1' in 1` */
export function misfitText({ table, column, says, rows, values }: Misfit): string {
  const isOnly = values.length === 1 && values[0]?.rows === rows
  const found = values.map(
    ({ text, rows: times }) => `${quotedValue(text)}${isOnly ? '' : ` in ${times}`}`,
  )
  const more = values.reduce((rest, each) => rest - each.rows, rows)
  const list = [...found, ...(more > 0 && values.length > 0 ? [`others in ${more}`] : [])].join(
    ', ',
  )
  return `  ${table}.${column} ${says}: ${rows} ${rows === 1 ? 'row' : 'rows'}${list === '' ? '' : `, ${list}`}`
}

const quotedValue = (text: string) =>
  `'${(text.length > 40 ? `${text.slice(0, 40)}…` : text).replaceAll(/\s+/g, ' ')}'`

export const lossText = ({ table, column, rows }: Loss) =>
  column === null
    ? `  ${table}: ${rows} ${rows === 1 ? 'row' : 'rows'}`
    : `  ${table}.${column}: ${rows} ${rows === 1 ? 'value' : 'values'}`
