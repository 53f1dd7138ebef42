import type { ChildProcess } from 'node:child_process'
import { ended, hasEnded, stop } from '../children.js'
import { isAsk } from './ask.js'
import type { Doors } from './doors.js'
import type { Start } from './standby.js'

/** The server that answers, and the one that takes over from it. */
export interface Servers {
  /** Starts another one. The old one answers until it listens. Resolves when it does, or when it is over with it. */
  replace(start: Start): Promise<void>
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

  /** Resolves when it listens, or when it is over with it. */
  const launch = (start: Start): Promise<void> => {
    if (serving === null || hasEnded(serving.child)) doors.hold()
    const server: Server = { child: start(), isAlone: false, over: null }
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
        if (message.svc === 'listen') return
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
    close: async () => {
      asked = Infinity
      await turn
      await Promise.all([...running].map(end))
    },
  }
}
