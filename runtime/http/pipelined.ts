import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Requests of one connection that are begun before earlier ones are answered and read. */
const mostAhead = 4

/** Requests that wait on one connection: a client that sends more is cut off. */
const mostWaiting = 1_000

/** And on all together: some kilobytes each. */
const mostOfAll = 20_000

interface Line {
  begun: number
  readonly waiting: (readonly [ServerResponse, () => void])[]
}

const lines = new WeakMap<Socket, Line>()
let waiting = 0

/**
 * Begins a request that was sent before an earlier one of its connection was answered: now, or when
 * few of those are left. A client may send hundreds at once and read none of their answers, each of
 * which Node keeps until those before it are read.
 */
export function inLine(response: ServerResponse, begin: () => void): void {
  const { socket } = response.req
  const line = lines.get(socket) ?? openLine(socket)
  if (line.begun < mostAhead) return start(line, response, begin)
  if (line.waiting.length >= mostWaiting || waiting >= mostOfAll) return void socket.destroy()
  line.waiting.push([response, begin])
  waiting += 1
}

function openLine(socket: Socket): Line {
  const line: Line = { begun: 0, waiting: [] }
  lines.set(socket, line)
  socket.once('close', () => {
    waiting -= line.waiting.length
    line.waiting.length = 0
  })
  return line
}

function start(line: Line, response: ServerResponse, begin: () => void): void {
  line.begun += 1
  response.once('close', () => {
    line.begun -= 1
    const [next, beginNext] = line.waiting.shift() ?? []
    if (next === undefined || beginNext === undefined) return
    waiting -= 1
    start(line, next, beginNext)
  })
  begin()
}
