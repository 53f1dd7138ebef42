import type { ServerResponse } from 'node:http'
import type { Holding } from '../database/memory.js'

/** Milliseconds until a client that reads nothing more of its answer is cut off. */
export const stalled = { ms: 30_000 }

/**
 * Waits for a client that reads slowly, as long as it reads at all: those that never do would fill
 * the memory. What waits counts as held by whom it is for.
 */
export function waitForReader(response: ServerResponse, holding: Holding): void {
  const { socket } = response.req
  // Node ends the socket when in that time not one byte was taken.
  socket.setTimeout(stalled.ms)
  const over = () => {
    socket.off('close', over)
    holding.settle(0)
  }
  response.once('close', over)
  // One whose turn on its connection has not come is not told when that is closed.
  socket.once('close', over)
  holding.settle(response.writableLength)
}
