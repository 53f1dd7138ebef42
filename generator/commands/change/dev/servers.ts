import type { ChildProcess } from 'node:child_process'
import { ended, hasEnded, stop } from '../../children.js'
import { doorName, isAsk, type Ask, type Order } from './ask.js'
import type { Doors } from './doors.js'
import type { Start } from './standby.js'

interface Options {
  readonly doors: Doors
  readonly say: (line: string) => void
  readonly report: (error: unknown) => void
  /** Called when a server answers, with where. */
  readonly onServing: (origin: string) => void
}

interface Server {
  readonly child: ChildProcess
  /** It listens where no other can listen beside it. */
  isAlone: boolean
  /** Its requests wait. */
  isShut: boolean
  /** Resolves when it has ended. It is stopped once: a second signal cuts off what it still answers. */
  stopped: Promise<void> | null
}

/** The server that answers, and the one that takes over from it. */
export class Servers {
  readonly #options: Options
  #serving: Server | null = null
  #latest: Server | null = null
  /** Each that was started and has not ended. */
  readonly #running = new Set<Server>()
  /** Starts come one after the other; of those that wait, only the last one is wanted. */
  #lastStart = 0
  #queue: Promise<void> = Promise.resolve()

  constructor(options: Options) {
    this.#options = options
  }

  /** Starts another one. The old one answers until it listens. Resolves when it does, or when it has ended. */
  async replace(start: Start): Promise<void> {
    const number = (this.#lastStart += 1)
    const isWanted = () => number === this.#lastStart
    const started = this.#queue.then(async () => {
      if (isWanted()) await this.#makeRoom()
      return isWanted() ? { listening: this.#launch(start) } : null
    })
    this.#queue = started.then(
      () => {},
      () => {},
    )
    await (
      await started
    )?.listening
  }

  /** Requests wait, and those before are answered: its database is about to be another one. */
  async shut(): Promise<void> {
    const server = this.#serving
    if (server === null || server.isAlone || !server.child.connected) return
    server.isShut = true
    const isShut = new Promise<void>((resolve) => {
      server.child.on('message', (message) => {
        if (isAsk(message) && message.svc === 'shut') resolve()
      })
    })
    send(server, { svc: 'shut' })
    await Promise.race([isShut, ended(server.child)])
  }

  /** It answers them after all. */
  open(): void {
    if (this.#serving?.isShut !== true) return
    this.#serving.isShut = false
    send(this.#serving, { svc: 'open' })
  }

  async close(): Promise<void> {
    this.#lastStart = Infinity
    await this.#queue
    await Promise.all([...this.#running].map(stopOnce))
  }

  async #makeRoom(): Promise<void> {
    // One that did not get as far as listening is not worth waiting for.
    if (this.#latest !== this.#serving && this.#latest !== null) void stopOnce(this.#latest)
    if (this.#serving?.isAlone !== true) return
    this.#options.doors.hold()
    await stopOnce(this.#serving)
    this.#serving = null
  }

  /** Resolves when it listens, or when it has ended. */
  #launch(start: Start): Promise<void> {
    const { doors, report, onServing } = this.#options
    if (this.#serving === null || hasEnded(this.#serving.child)) doors.hold()
    const server: Server = { child: start(), isAlone: false, isShut: false, stopped: null }
    this.#latest = server
    this.#running.add(server)
    doors.serve(server.child)
    const over = ended(server.child).then((code) => {
      this.#running.delete(server)
      this.#afterEnd(server, code)
    })
    // It could not be started at all.
    over.catch((error: unknown) => {
      this.#running.delete(server)
      report(error)
    })
    return new Promise((resolve) => {
      server.child.on('message', (message) => {
        if (!isAsk(message)) return
        if (message.svc === 'alone') server.isAlone = true
        if (message.svc === 'listen' || message.svc === 'shut') return
        if (message.svc === 'ready') this.#passOn(server, doorName(message), message.inner)
        this.#takeOver(server)
        const origin = originOf(message)
        if (origin !== null && this.#serving === server) onServing(origin)
        resolve()
      })
      over.then(resolve, resolve)
    })
  }

  #takeOver(server: Server): void {
    if (this.#latest !== server || this.#serving === server) return
    if (this.#serving !== null) void stopOnce(this.#serving)
    this.#serving = server
    this.#options.doors.holdOthers(server.child)
  }

  /** Passes the connections that wait at this door for a server that was shut. */
  #passOn(server: Server, name: string, inner: number): void {
    if (this.#latest !== server) return
    for (const other of this.#running)
      if (other !== server && other.isShut) send(other, { svc: 'pass', name, inner })
  }

  #afterEnd(server: Server, code: number): void {
    const { doors, say } = this.#options
    // One that is stopped while it starts ends by the signal.
    if (!hasEnded(server.child) || server.child.killed) return
    if (server !== this.#latest) return this.#awaitLatest(server)
    if (this.#serving !== null && this.#serving !== server) {
      this.#latest = this.#serving
      this.open()
      if (code !== 0)
        say('The server did not start. The old one keeps running until the next change.')
      return
    }
    doors.refuse()
    this.#serving = null
    if (code !== 0) say('The server stopped. It starts again after the next change.')
  }

  /** The one before ended on its own, and the next is on its way. */
  #awaitLatest(server: Server): void {
    if (server !== this.#serving) return
    this.#serving = null
    this.#options.doors.hold()
  }
}

/** Returns the address for a browser on this machine. */
function originOf(ask: Ask): string | null {
  if (ask.svc === 'ready') {
    return `http://${ask.host.includes(':') ? `[${ask.host}]` : ask.host}:${ask.port}`
  }
  return ask.svc === 'alone' && ask.port !== undefined ? `http://127.0.0.1:${ask.port}` : null
}

function send({ child }: Server, order: Order): void {
  if (child.connected) child.send(order, () => {})
}

const stopOnce = (server: Server): Promise<void> => (server.stopped ??= stop(server.child))
