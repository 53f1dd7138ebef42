/** Ids of the requests that came last, for what can be laid to no request alone. */
const ids: string[] = []
const most = 16
let next = 0

export function noteRequest(id: string): void {
  ids[next] = id
  next = (next + 1) % most
}

/** The newest first. */
export const latestRequests = (): readonly string[] => [
  ...ids.slice(0, next).toReversed(),
  ...ids.slice(next).toReversed(),
]
