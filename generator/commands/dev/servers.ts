import type { ChildProcess } from 'node:child_process'
import { ended, hasEnded, stop } from '../children.js'
import { doorName, isAsk, type Order } from './ask.js'
import type { Doors } from './doors.js'
import type { Start } from './standby.js'

/** The server that answers, and the one that takes over from it. */
export interface Servers {
  /** Starts another one. The old one answers until it listens. Resolves when it does, or when it is over with it. */
  replace(start: Start): Promise<void>
  /** Requests wait, and those before are answered: its database is about to be another one. */
  shut(): Promise<void>
  /** It answers them after all. */
  open(): void
  close(): Promise<void>
}

interface Options {
  readonly doors: Doors
  readonly say: (line: string) => void
  readonly report: (error: unknown) => void
}

interface Server {
  readonly child: ChildProcess
  /** It listens where no other can listen beside it. */
  isAlone: boolean
  /** Its requests wait. */
  isShut: boolean
  /** It was asked to end, once: a second signal cuts off what it still answers. */
  over: Promise<void> | null
}

export function openServers({ doors, say, report }: Options): Servers {
  let serving: Server | null = null
  let latest: Server | null = null
  /** Each that was started and has not ended. */
  const running = new Set<Server>()
  /** Starts come one after the other; of those that wait, only the last one is wanted. */
  let asked = 0
  let turn: Promise<void> = Promise.resolve()

  const end = (server: Server) => (server.over ??= stop(server.child))
  const giveWay = async () => {
    // One that did not get as far as listening is not worth waiting for.
    if (latest !== serving && latest !== null) void end(latest)
    if (serving?.isAlone !== true) return
    doors.hold()
    await end(serving)
    serving = null
  }
  const tell = ({ child }: Server, order: Order) => {
    if (child.connected) child.send(order, () => {})
  }
  const open = () => {
    if (serving?.isShut !== true) return
    serving.isShut = false
    tell(serving, { svc: 'open' })
  }
  const takeOver = (server: Server) => {
    if (latest !== server || serving === server) return
    if (serving !== null) void end(serving)
    serving = server
    doors.holdOthers(server.child)
  }
  const gone = (server: Server, code: number) => {
    // One that is stopped while it starts ends by the signal.
    if (!hasEnded(server.child) || server.child.killed) return
    if (server !== latest) return wait(server)
    if (serving !== null && serving !== server) {
      latest = serving
      open()
      if (code !== 0) say('The server did not start. The one before goes on until the next change.')
      return
    }
    doors.refuse()
    serving = null
    if (code !== 0) say('The server stopped. It starts again with the next change.')
  }
  /** The one before ended on its own, and the next is on its way. */
  const wait = (server: Server) => {
    if (server !== serving) return
    serving = null
    doors.hold()
  }

  /** What waits at this door for one that was shut. */
  const passOn = (server: Server, name: string, inner: number) => {
    if (latest !== server) return
    for (const other of running)
      if (other !== server && other.isShut) tell(other, { svc: 'pass', name, inner })
  }

  /** Resolves when it listens, or when it is over with it. */
  const launch = (start: Start): Promise<void> => {
    if (serving === null || hasEnded(serving.child)) doors.hold()
    const server: Server = { child: start(), isAlone: false, isShut: false, over: null }
    latest = server
    running.add(server)
    doors.serve(server.child)
    const over = ended(server.child).then((code) => {
      running.delete(server)
      gone(server, code)
    })
    // It could not be started at all.
    over.catch((error: unknown) => {
      running.delete(server)
      report(error)
    })
    return new Promise((resolve) => {
      server.child.on('message', (message) => {
        if (!isAsk(message)) return
        if (message.svc === 'alone') server.isAlone = true
        if (message.svc === 'listen' || message.svc === 'shut') return
        if (message.svc === 'ready') passOn(server, doorName(message), message.inner)
        takeOver(server)
        resolve()
      })
      over.then(resolve, resolve)
    })
  }

  return {
    replace: async (start) => {
      const mine = (asked += 1)
      const isWanted = () => mine === asked
      const started = turn.then(async () => {
        if (isWanted()) await giveWay()
        return isWanted() ? { listening: launch(start) } : null
      })
      turn = started.then(
        () => {},
        () => {},
      )
      await (
        await started
      )?.listening
    },
    open,
    shut: async () => {
      const server = serving
      if (server === null || server.isAlone || !server.child.connected) return
      server.isShut = true
      const isShut = new Promise<void>((resolve) => {
        server.child.on('message', (message) => {
          if (isAsk(message) && message.svc === 'shut') resolve()
        })
      })
      tell(server, { svc: 'shut' })
      await Promise.race([isShut, ended(server.child)])
    },
    close: async () => {
      asked = Infinity
      await turn
      await Promise.all([...running].map(end))
    },
  }
}
