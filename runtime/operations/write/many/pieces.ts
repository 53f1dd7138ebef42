import { asPart } from '../../../database/part.js'
import { type Connection, ConstraintError } from '../../../database/types.js'
import { isTurnLong, nextTurn } from '../../../event-loop.js'
import { stepsOf } from '../../statement-steps.js'
import type { Pieces } from '../plan.js'
import type { Values } from '../values.js'

/** One answer names at most so many refused records: each of them takes statements to find. */
const mostRefused = 100
/** Ways through what is left: what each gives up, the next may want. */
const mostPasses = 4

/**
 * Sends what the database did not take at once in halves, and those in halves, until each part is
 * taken or one alone. What was refused is tried again, the other way round: others that were taken
 * may have given up what it wants.
 */
export async function sendInPieces<Item extends { readonly stored: Values }, Done>(
  connection: Connection,
  items: readonly Item[],
  send: (items: readonly Item[]) => Promise<ReadonlyMap<Item, Done>>,
): Promise<Pieces<Item, Done>> {
  const done = new Map<Item, Done>()
  const refused = new Map<Item, ConstraintError>()

  const attempt = async (part: readonly Item[]): Promise<void> => {
    if (refused.size >= mostRefused) return
    if (stepsOf(connection, part).length > 1) return halves(part)
    if (isTurnLong()) await nextTurn()
    try {
      const sent = await asPart(connection, 'piece', () => send(part))
      for (const [item, answer] of sent) done.set(item, answer)
    } catch (error) {
      if (!(error instanceof ConstraintError)) throw error
      const [only, ...others] = part
      if (only !== undefined && others.length === 0) refused.set(only, error)
      else await halves(part)
    }
  }
  const halves = async (part: readonly Item[]): Promise<void> => {
    const middle = Math.ceil(part.length / 2)
    await attempt(part.slice(0, middle))
    if (middle < part.length) await attempt(part.slice(middle))
  }

  let left = items
  let idle = 0
  for (let pass = 1; left.length > 0 && idle < 2 && pass <= mostPasses; pass++) {
    refused.clear()
    await halves(pass % 2 === 1 ? left : left.toReversed())
    const next = left.filter((item) => !done.has(item))
    idle = next.length === left.length ? idle + 1 : 0
    left = next
  }
  const inOrder = items.flatMap((item) => {
    const error = refused.get(item)
    return error === undefined ? [] : [[item, error] as const]
  })
  return { done, refused: inOrder }
}
