import { request, Server as HttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Server } from 'node:net'
import { isOrder, type Ask } from './ask.js'

/**
 * What a server does while its database changes under it: it answers what it was asked before, and lets the rest wait. Then
 * the server that takes over answers that, or it does itself, if there is none.
 */
export interface Gate {
  /** Its requests pass here. `name` is the door they come in by. */
  guard(server: Server, name: string): void
  hear(message: unknown): void
}

/** A request that takes longer, a stream of events, say, does not keep a developer's change waiting. */
const patienceMs = 2000

/** The port of the server that answers; null: this one does. */
type Answers = number | null

interface Way {
  readonly answers: Promise<Answers>
  readonly open: (answers: Answers) => void
}

export function openGate(send: (message: Ask) => void): Gate {
  let isShut = false
  const ways = new Map<string, Way>()
  const running = new Set<ServerResponse>()

  const wayOf = (name: string): Way => {
    const made = ways.get(name) ?? newWay()
    ways.set(name, made)
    return made
  }
  const shut = async () => {
    // A second time, others wait already.
    if (!isShut) ways.clear()
    isShut = true
    const all = Promise.all([...running].map((response) => closed(response)))
    await Promise.race([all, later(patienceMs)])
    send({ svc: 'shut' })
  }
  return {
    guard: (server, name) => {
      if (!(server instanceof HttpServer)) return
      const emit = server.emit.bind(server)
      const answer = (asked: IncomingMessage, response: ServerResponse) => {
        running.add(response)
        response.once('close', () => running.delete(response))
        return emit('request', asked, response)
      }
      server.emit = (event: string, ...given: unknown[]) => {
        if (event !== 'request') return emit(event, ...given)
        const [asked, response] = given as [IncomingMessage, ServerResponse]
        if (!isShut) return answer(asked, response)
        void wayOf(name).answers.then((port) => {
          if (port === null) answer(asked, response)
          else pass(asked, response, port)
        })
        return true
      }
    },
    hear: (message) => {
      if (!isOrder(message)) return
      if (message.svc === 'shut') return void shut()
      if (message.svc === 'pass') return wayOf(message.name).open(message.inner)
      isShut = false
      for (const { open } of ways.values()) open(null)
    },
  }
}

function newWay(): Way {
  let open: Way['open'] = () => {}
  const answers = new Promise<Answers>((resolve) => (open = resolve))
  return { answers, open }
}

const closed = (response: ServerResponse) =>
  new Promise<void>((resolve) => response.once('close', () => resolve()))

const later = (ms: number) =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, ms).unref()
  })

/** The connection ends with the answer: the next request goes through the door. */
function pass(asked: IncomingMessage, response: ServerResponse, port: number): void {
  const { method, url, headers } = asked
  const way = request({ host: '127.0.0.1', port, method, path: url, headers, agent: false })
  way.once('response', (answer) => {
    const { connection: _, 'keep-alive': _timeout, ...rest } = answer.headers
    response.writeHead(answer.statusCode ?? 502, { ...rest, connection: 'close' })
    answer.pipe(response)
  })
  way.once('error', () => response.destroy())
  asked.pipe(way)
}
