import type { ServerResponse } from 'node:http'

/** Bytes that answers may wait with, together, for clients to read them. */
const mostBytes = 256 * 1024 * 1024

/** Milliseconds until a client that reads nothing more of its answer is cut off. */
export const stalled = { ms: 30_000 }

/** Answers whose end waits in the socket, the oldest first, with what is left of each. */
const unread = new Map<ServerResponse, number>()
let bytes = 0

/**
 * Waits for a client that reads slowly, as long as it reads at all: those that never do would fill
 * the memory. Where all such answers together are too large, the one that waited longest is cut off.
 */
export function waitForReader(response: ServerResponse): void {
  // Node ends the socket when in that time not one byte was taken.
  response.socket?.setTimeout(stalled.ms)
  forget(response) // it may be ended twice
  unread.set(response, response.writableLength)
  bytes += response.writableLength
  response.once('close', () => forget(response))
  for (const oldest of unread.keys()) {
    if (bytes <= mostBytes || oldest === response) break
    forget(oldest)
    oldest.destroy()
  }
}

function forget(response: ServerResponse): void {
  bytes -= unread.get(response) ?? 0
  unread.delete(response)
}
