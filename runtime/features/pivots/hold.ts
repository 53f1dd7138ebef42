import type { Connection, Database } from '../../database/types.js'
import { look, type PivotChange, type Seen } from './pivot-change.js'

/** Milliseconds that policies may keep others waiting: on SQLite, all who write. */
const longestMs = { sqlite: 1_000, postgresql: 5_000 } as const

/** Inside a transaction: holds the rows that policies were asked about; null: one has changed. */
export async function hold(
  change: PivotChange,
  connection: Connection,
  seen: Seen,
): Promise<Seen | null> {
  const held = await look(change, connection, 'hold')
  return isSame(seen, held) ? held : null
}

/**
 * Inside a transaction: locks the rows, so that nobody can change them, and asks then. Null: that
 * took too long. A policy that writes on SQLite, or these very rows, waits for what is locked here.
 */
export async function lockAndAsk(
  change: PivotChange,
  connection: Connection,
  ask: (seen: Seen) => Promise<void>,
): Promise<Seen | null> {
  const locked = await look(change, connection, 'lock')
  const isAnswered = await inTime(ask(locked), longestMs[connection.dialect])
  // Rows that came from the other side of the relation are locked by nothing.
  return isAnswered ? hold(change, connection, locked) : null
}

async function inTime(work: Promise<void>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, ms, false)
  })
  return Promise.race([work.then(() => true), late]).finally(() => clearTimeout(timer))
}

const last = new WeakMap<Database, Promise<unknown>>()

/**
 * One after the other: each holds a connection while its policies may want another, and on SQLite
 * keeps writers waiting, who go first between two.
 */
export async function oneAtATime<Result>(
  database: Database,
  work: () => Promise<Result>,
): Promise<Result> {
  const result = Promise.resolve(last.get(database)).then(work)
  last.set(
    database,
    result.catch(() => {}),
  )
  return result
}

/** Returns true if nothing the policies were asked about has changed since. */
export function isSame(one: Seen, two: Seen): boolean {
  const text = ({ row, related, present, removed }: Seen) =>
    JSON.stringify([row, [...related.values()].toSorted(byId), present, removed])
  return text(one) === text(two)
}

const byId = (one: Seen['row'], two: Seen['row']) =>
  String(one['id']) < String(two['id']) ? -1 : 1
