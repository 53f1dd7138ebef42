import { spawn, type ChildProcess } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { packageProblem } from '../load/package-json.js'
import type { DraftMove } from '../plan/prisma/draft-move.js'
import { Refusal } from '../plan/refusal.js'
import { isInstalled } from '../write/installed.js'
import { at, targetAt } from '../write/target.js'
import { ended, hasEnded } from './children.js'
import { databaseScript, hasMigrations, WrongCode } from './database-script.js'
import type { Costs, DraftResult } from './drafts/draft.js'
import type { Loss } from './drafts/losses.js'
import type { Misfit } from './drafts/misfits.js'
import type { DatabaseStatus } from './drafts/status.js'
import type { TableFacts } from './production/table-facts.js'

/** What the process beside the database is asked, and what it answers. */
export interface Requests {
  readonly status: { readonly input: null; readonly answer: DatabaseStatus }
  /** Saved migrations and the draft. */
  readonly bringUp: {
    readonly input: { readonly acceptDataLoss: boolean }
    readonly answer: DraftResult
  }
  readonly move: { readonly input: DraftMove; readonly answer: DraftResult }
  readonly costs: { readonly input: string; readonly answer: Costs }
  /** What it has of these tables. */
  readonly tables: { readonly input: readonly string[]; readonly answer: readonly TableFacts[] }
  /** Saved migrations only. */
  readonly deploy: { readonly input: null; readonly answer: void }
}

export type Message =
  | { readonly kind: 'line'; readonly line: string }
  | { readonly kind: 'answer'; readonly value: unknown }
  | { readonly kind: 'refused'; readonly text: string }

export type Ask = <Name extends keyof Requests>(
  name: Name,
  input: Requests[Name]['input'],
) => Promise<Requests[Name]['answer']>

/** Why the database of the project cannot be asked or changed, in its own words. */
export class DatabaseRefusal extends Refusal {}

interface AskOptions {
  readonly say?: (line: string) => void
  /** Variables of the process that are others than svc was started with. */
  readonly environment?: Readonly<Record<string, string>>
}

/** svc never opens a database: the drivers and the address are the project's, so a process of its own does. */
export async function withDatabase<Result>(
  root: string,
  work: (ask: Ask) => Promise<Result>,
  { say = () => {}, environment = {} }: AskOptions = {},
): Promise<Result> {
  const target = targetAt(root)
  const problem = await packageProblem(target.files.read(at(target, 'package.json')) ?? '{}')
  if (problem !== null) throw new DatabaseRefusal(problem)
  if (!isInstalled(target, 'tsx')) throw new DatabaseRefusal('Run `npm install` first.')
  if (!hasMigrations(target)) throw new DatabaseRefusal(outdated)
  const child = start(root, await scriptOf(root), environment)
  const errors = child.stderr === null ? Promise.resolve('') : text(child.stderr)
  const over = ended(child)
  try {
    return await work((name, input) => ask(child, { name, input }, errors, say))
  } finally {
    if (child.connected) child.disconnect()
    await over
  }
}

/** As its standard input: the packages it imports are looked for from the folder it runs in. */
function start(
  root: string,
  script: string,
  environment: Readonly<Record<string, string>>,
): ChildProcess {
  // What the project itself prints is not svc's answer.
  const stdio = ['pipe', 2, 'pipe', 'ipc'] as const
  const parameters = ['--enable-source-maps', '--input-type=module', '-']
  const env = { ...process.env, ...environment }
  const child = spawn(process.execPath, parameters, { cwd: root, stdio: [...stdio], env })
  child.stdin?.on('error', () => {}).end(script)
  return child
}

async function scriptOf(root: string): Promise<string> {
  try {
    return await databaseScript(root)
  } catch (error) {
    if (error instanceof WrongCode) throw new DatabaseRefusal(error.message)
    throw error
  }
}

const outdated = 'The project was written by another svc: run `svc generate` first.'

function ask<Name extends keyof Requests>(
  child: ChildProcess,
  request: { readonly name: Name; readonly input: Requests[Name]['input'] },
  errors: Promise<string>,
  say: (line: string) => void,
): Promise<Requests[Name]['answer']> {
  return new Promise((resolve, reject) => {
    const onMessage = (message: Message) => {
      if (message.kind === 'line') return say(message.line)
      settle()
      if (message.kind === 'refused') reject(new DatabaseRefusal(message.text))
      // The process answers a request by its type.
      else resolve(message.value as Requests[Name]['answer'])
    }
    const onExit = () => {
      settle()
      void errors.then((said) => {
        reject(new DatabaseRefusal(said.trim() || 'The database cannot be asked.'))
      })
    }
    const settle = () => child.off('message', onMessage).off('exit', onExit)
    if (hasEnded(child)) return onExit()
    child.on('message', onMessage).on('exit', onExit)
    child.send(request, () => {})
  })
}

export const askStatus = (root: string): Promise<DatabaseStatus> =>
  withDatabase(root, (ask) => ask('status', null))

/** What a migration would cost the database here, if there is one to ask. */
export type Counted =
  | { readonly kind: 'counted'; readonly losses: readonly Loss[] }
  | { readonly kind: 'stops'; readonly misfits: readonly Misfit[] }
  | { readonly kind: 'fails'; readonly why: string }
  | { readonly kind: 'unknown'; readonly why: string }

export async function askCosts(root: string, sql: string): Promise<Counted> {
  try {
    return await withDatabase(root, async (ask) => {
      const status = await ask('status', null)
      if (status.draft !== null) return { kind: 'unknown', why: 'it took a draft already.' }
      if (status.pending.length > 0) return { kind: 'unknown', why: 'it lacks saved migrations.' }
      return ask('costs', sql).then(
        ({ losses, misfits = [] }) =>
          misfits.length > 0 ? { kind: 'stops', misfits } : { kind: 'counted', losses },
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
