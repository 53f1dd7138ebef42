import { AsyncLocalStorage } from 'node:async_hooks'
import type { Connection } from '../../database/types.js'
import { Turns } from './turns.js'

/** Functions that run after a transaction. */
export interface Ends {
  /** When all is committed. */
  readonly later: (() => Promise<void>)[]
  /** When it is rolled back: what shall be written all the same. */
  readonly undone: (() => Promise<unknown>)[]
}

/** The transaction in which code runs. */
export interface Current extends Ends {
  /** For messages: `insideStore of posts`. */
  readonly name: string
  readonly connection: Connection
  /**
   * True if a repository may use it: by way of a hook's context, or where mutations are together.
   */
  readonly isOpen: boolean
  /** Parts that are undone alone when they fail, one after the other. */
  readonly turns: Turns
}

export const current = new AsyncLocalStorage<Current>()

/** Runs `work` in a transaction that is open, as what `name` is. */
export const runIn = <Done>(
  { connection, later, undone }: Ends & Pick<Current, 'connection'>,
  { name, isOpen }: Pick<Current, 'name' | 'isOpen'>,
  work: () => Done,
): Done => current.run({ name, connection, isOpen, later, undone, turns: new Turns() }, work)

/** Runs work in the transaction, with repositories and `database` on its connection. */
export const opened = <Done>(inside: Current, work: () => Done): Done =>
  runIn(inside, { name: inside.name, isOpen: true }, work)

/** Makes the error for code in a hook that would leave its transaction, or wait for it. */
export const outside = ({ name }: Current, what: string): Error =>
  new Error(
    `${name} runs inside a transaction, and ${what} is not part of it: ` +
      'use the `db` that it is given, or context.repositories and context.db of a hook',
  )

export const newEnds = (): Ends => ({ later: [], undone: [] })

/** PostgreSQL begins a transaction anew after a deadlock. */
export function beginAnew({ later, undone }: Ends): void {
  later.length = 0
  undone.length = 0
}

/** Wait for it where the transaction has ended: on SQLite these wait for its turn. */
export async function rolledBack({ undone }: Ends): Promise<void> {
  await Promise.all(undone.map((work) => current.exit(() => work().catch(() => {}))))
}
