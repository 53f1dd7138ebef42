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
}

export function openServers({ doors, say, report }: Options): Servers {
  let serving: Server | null = null
  let latest: Server | null = null
  const stopping = new Set<Promise<void>>()

  const end = ({ child }: Server) => {
    const over = stop(child)
    stopping.add(over)
    void over.finally(() => stopping.delete(over))
    return over
  }
  /** One that did not get as far as listening is not worth waiting for. */
  const giveWay = async () => {
    if (latest !== serving && latest !== null) await end(latest)
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

  return {
    replace: async (start) => {
      await giveWay()
      if (serving === null || hasEnded(serving.child)) doors.hold()
      const server: Server = { child: start(), isAlone: false }
      latest = server
      doors.serve(server.child)
      const over = ended(server.child).then((code) => gone(server, code))
      // It could not be started at all.
      over.catch(report)
      await new Promise<void>((resolve) => {
        server.child.on('message', (message) => {
          if (!isAsk(message)) return
          if (message.svc === 'alone') server.isAlone = true
          if (message.svc === 'listen') return
          takeOver(server)
          resolve()
        })
        over.then(resolve, resolve)
      })
    },
    close: async () => {
      for (const each of [serving, latest]) if (each !== null) void end(each)
      await Promise.all(stopping)
    },
  }
}
