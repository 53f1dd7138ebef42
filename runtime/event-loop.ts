/** Milliseconds of work after which a request lets others go on. */
const longestMs = 8

/** When the work of this turn of the event loop began; null: none has asked or waited yet. */
let began: number | null = null
/** Requests that wait to go on with long work. */
const waiting: (() => void)[] = []

/**
 * Whether the work of this turn of the event loop, of all requests together, has taken long. Then
 * whoever has more to do awaits `nextTurn`: `if (isTurnLong()) await nextTurn()`.
 */
export function isTurnLong(): boolean {
  if (began !== null) return performance.now() - began > longestMs
  begin()
  return false
}

/**
 * The same for work on several items, between which others go on: an item alone does not wait. Writes
 * of one turn share a commit, and if each waited, each would get a turn of its own.
 */
export const isTurnLongFor = (items: readonly unknown[]): boolean =>
  items.length > 1 && isTurnLong()

function begin(): void {
  began = performance.now()
  setImmediate(() => (began = null))
}

/**
 * Lets the event loop turn, so that other requests are served. One that waits here goes on in each
 * turn: if all did at once, thirty large requests would take thirty times as long as one.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(goOn)
  })
}

function goOn(): void {
  begin()
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(goOn)
}
