import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { openTalk } from './talk.js'

/**
 * A port that stays open while the server behind it is started again. Connections wait until it listens; what they carry is
 * passed on byte for byte, so it may be HTTP, a stream of events or a WebSocket.
 */
export interface Door {
  /** Sends connections there from now on; those that waited go first. */
  lead(inner: number): void
  /** They wait: a server is on its way. */
  hold(): void
  /** They are answered with 503: there is none, and none on its way. */
  refuse(): void
  close(): void
}

type State = { readonly to: number } | 'waiting' | 'none'

/** Throws what the system says when it cannot listen there. */
export async function openDoor(host: string, port: number): Promise<Door> {
  const outside = new Set<Socket>()
  const held = new Set<Socket>()
  let state: State = 'waiting'
  const pass = (client: Socket) => {
    if (state === 'waiting') held.add(client)
    else if (state === 'none') client.resume().end(stopped)
    else lead(client, state.to)
  }
  const lead = (client: Socket, inner: number) =>
    join(client, inner, () => {
      // The one that serves has its reasons.
      if (state === 'none' || (state !== 'waiting' && state.to === inner)) return false
      pass(client)
      return true
    })
  const move = (next: State) => {
    state = next
    const waited = [...held]
    held.clear()
    waited.forEach(pass)
  }
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    outside.add(client)
    client.once('close', () => void (outside.delete(client), held.delete(client)))
    client.on('error', () => client.destroy())
    pass(client)
  })
  await listening(server, host, port)
  return {
    lead: (inner) => move({ to: inner }),
    hold: () => move('waiting'),
    refuse: () => move('none'),
    close: () => {
      server.close()
      for (const client of outside) client.destroy()
    },
  }
}

async function listening(server: Server, host: string, port: number): Promise<void> {
  server.listen(port, host)
  await once(server, 'listening')
}

/**
 * `again` is asked to take a client over that waits for nothing of the server that closed its connection, or for what this
 * one did not read: it would be reset, if it asks at that moment.
 */
function join(client: Socket, inner: number, again: () => boolean): void {
  const upstream = connect({ port: inner, host: '127.0.0.1', allowHalfOpen: true, noDelay: true })
  const talk = openTalk()
  let isElsewhere = false
  const leave = () => upstream.destroy()
  const end = (close: () => void) => {
    if (isElsewhere) return
    const rest = client.destroyed || client.readableEnded ? null : talk.rest()
    if (rest === null) return close()
    isElsewhere = true
    client.off('data', talk.ask).off('close', leave).unpipe(upstream).pause()
    if (rest.length > 0) client.unshift(rest)
    if (!again()) client.destroySoon()
  }
  client.on('data', talk.ask).once('close', leave).pipe(upstream)
  upstream.on('data', talk.answer).pipe(client, { end: false })
  upstream.once('end', () => end(() => client.end()))
  upstream.on('error', () => end(() => client.destroy()))
  // The rest of its output is sent first.
  upstream.once('close', () => end(() => client.destroySoon()))
}

const text =
  'The server stopped: the terminal of `svc dev` says why. It starts again after the next change.\n'

const stopped = [
  'HTTP/1.1 503 Service Unavailable',
  'Content-Type: text/plain; charset=utf-8',
  `Content-Length: ${text.length}`,
  'Connection: close',
  '',
  text,
].join('\r\n')
