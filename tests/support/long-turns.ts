import { vi } from 'vitest'

/** No clock goes back: of two works, the later one begins later. */
let now = 0

/**
 * Runs work as on a machine where each look at the clock takes ten milliseconds: all that may give
 * others their turn does. Answers in how many turns of the event loop it was done.
 */
export async function inLongTurns<Done>(work: (turn: () => number) => Promise<Done>) {
  now = Math.max(now, performance.now())
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 10))
  try {
    return await countTurns(work)
  } finally {
    clock.mockRestore()
  }
}

/** Counts the turns of the event loop until the work is done; `turn` is the one that it is now. */
export async function countTurns<Done>(work: (turn: () => number) => Promise<Done>) {
  let turns = 0
  let isOver = false
  const count = () => {
    turns += 1
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  const done = await work(() => turns)
  isOver = true
  return { done, turns }
}
