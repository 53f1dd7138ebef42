import net from 'node:net'
import { doorName, isLoopback, type Ask, type Reply } from './ask.js'
import { openGate, type Gate } from './gate.js'

// Loaded by `svc dev` into the project's server, before its code. Where it would listen on a port of this machine only,
// `svc dev` does, and hands on to a port that the system chose.

const listen = net.Server.prototype.listen

net.Server.prototype.listen = function (this: net.Server, ...given: unknown[]) {
  const place = placeOf(given)
  if (place === null && given[0] !== 0) send({ svc: 'alone', port: fixedPort(given) })
  if (place === null || process.send === undefined) return Reflect.apply(listen, this, given)
  const called = given.at(-1)
  if (typeof called === 'function') this.once('listening', () => called())
  void ask(place).then(({ code }) => {
    if (code !== null) return this.emit('error', Object.assign(new Error(code), { code }))
    gateOfAll().guard(this, doorName(place))
    this.prependOnceListener('listening', () => listenBehind(this, place))
    return Reflect.apply(listen, this, [0, '127.0.0.1'])
  })
  return this
}

/** To the project, it listens where it was asked to. */
function listenBehind(server: net.Server, place: Address): void {
  const address = server.address()
  const inner = typeof address === 'object' ? (address?.port ?? 0) : 0
  server.address = () => ({ address: place.host, family: 'IPv4', port: place.port })
  send({ svc: 'ready', ...place, inner })
}

interface Address {
  readonly host: string
  readonly port: number
}

/** Null: no fixed port, or one that others reach too: they are told apart by their address, which would be lost. */
function placeOf([first, second]: readonly unknown[]): Address | null {
  const options: { port?: unknown; host?: unknown } =
    typeof first === 'object' && first !== null ? first : { port: first, host: second }
  const { port, host } = options
  const isFixed = typeof port === 'number' && port > 0
  return isFixed && typeof host === 'string' && isLoopback(host) ? { port, host } : null
}

const fixedPort = ([first]: readonly unknown[]): number | undefined => {
  const port = typeof first === 'object' && first !== null && 'port' in first ? first.port : first
  return typeof port === 'number' ? port : undefined
}

/** Only who waits for an answer is kept alive by the channel: the process ends when its server does. */
function ask(place: Address): Promise<Reply> {
  return new Promise((resolve) => {
    const hear = (reply: Reply) => {
      if (reply.svc !== 'door' || reply.host !== place.host || reply.port !== place.port) return
      process.off('message', hear)
      if (gate !== null) process.channel?.unref()
      resolve(reply)
    }
    process.on('message', hear)
    if (gate !== null) process.channel?.ref()
    send({ svc: 'listen', ...place })
  })
}

let gate: Gate | null = null

/** Its ear alone keeps no process alive. */
function gateOfAll(): Gate {
  if (gate !== null) return gate
  const made = openGate(send)
  process.on('message', made.hear)
  process.channel?.unref()
  return (gate = made)
}

/** Nobody listens where svc has ended. */
const send = (message: Ask) => void process.send?.(message, undefined, undefined, () => {})
