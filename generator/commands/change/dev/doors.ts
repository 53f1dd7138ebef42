import type { ChildProcess } from 'node:child_process'
import { doorName, isAsk, type Ask } from './ask.js'
import { openDoor, type Door } from './door.js'

/** The ports of `svc dev`, each opened when the server first asks for it. */
export interface Doors {
  /** Answers what this server asks from now on. */
  serve(server: ChildProcess): void
  /** The server is being stopped, and another one comes. */
  hold(): void
  /** Holds the ports that this server does not listen on yet. */
  holdOthers(server: ChildProcess): void
  /** The server is gone, and none is on its way. */
  refuse(): void
  close(): void
}

type ReadyMessage = Extract<Ask, { svc: 'ready' }>
type Listen = Extract<Ask, { svc: 'listen' }>

export function openDoors(): Doors {
  const doors = new Map<string, Door>()
  const leaders = new Map<Door, ChildProcess>()
  const each = (act: (door: Door) => void) => doors.forEach(act)

  /** Null: it is open; else why it is not. */
  async function open({ host, port }: Listen): Promise<string | null> {
    const name = doorName({ host, port })
    if (doors.has(name)) return null
    try {
      doors.set(name, await openDoor(host, port))
      return null
    } catch (error) {
      return (error as NodeJS.ErrnoException).code ?? String(error)
    }
  }

  function lead(server: ChildProcess, { inner, ...place }: ReadyMessage): void {
    const door = doors.get(doorName(place))
    // One that was asked to end may say so late.
    if (door === undefined || server.killed) return
    leaders.set(door, server)
    door.lead(inner)
  }

  async function answer(server: ChildProcess, ask: Ask): Promise<void> {
    if (ask.svc === 'alone' || ask.svc === 'shut') return
    const { host, port } = ask
    if (ask.svc === 'ready') return lead(server, ask)
    const code = await open(ask)
    // One that ends meanwhile needs no answer: without a callback, that ended svc dev.
    if (server.connected) server.send({ svc: 'door', host, port, code }, () => {})
  }

  return {
    serve: (server) => {
      server.on('message', (message) => {
        if (isAsk(message)) void answer(server, message)
      })
    },
    hold: () => each((door) => door.hold()),
    holdOthers: (server) => each((door) => leaders.get(door) !== server && door.hold()),
    refuse: () => each((door) => door.refuse()),
    close: () => each((door) => door.close()),
  }
}
