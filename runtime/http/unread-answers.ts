import type { ServerResponse } from 'node:http'

/** Bytes that answers may wait with, together, for clients to read them. */
const mostBytes = 256 * 1024 * 1024

/** Milliseconds until a client that reads nothing more of its answer is cut off. */
export const stalled = { ms: 30_000 }

/** Answers whose end waits in the socket, the oldest first, with what is left of each. */
const unread = new Map<ServerResponse, number>()
let bytes = 0

/**
 * Holds an answer that its client does not read as fast as it is sent, and no longer than it reads:
 * clients that only ask would fill the memory. Where all together wait with too much, the one that
 * waited longest is cut off.
 */
export function waitForReader(response: ServerResponse): void {
  // Node ends a socket when nothing of what it has to send has gone meanwhile.
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
