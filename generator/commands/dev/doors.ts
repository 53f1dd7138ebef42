import type { ChildProcess } from 'node:child_process'
import { isAsk, type Ask } from './ask.js'
import { openDoor, type Door } from './door.js'

/** The ports of `svc dev`, each opened when the server first asks for it. */
export interface Doors {
  /** Answers what this server asks from now on. */
  serve(server: ChildProcess): void
  /** The server is being stopped, and another one comes. */
  hold(): void
  /** The server is gone, and none is on its way. */
  refuse(): void
  close(): void
}

export function openDoors(): Doors {
  const doors = new Map<string, Door>()
  const each = (act: (door: Door) => void) => doors.forEach(act)

  /** Null: it is open; else why it is not. */
  async function open({ host, port }: Ask): Promise<string | null> {
    const name = `${host} ${port}`
    if (doors.has(name)) return null
    try {
      doors.set(name, await openDoor(host, port))
      return null
    } catch (error) {
      return (error as NodeJS.ErrnoException).code ?? String(error)
    }
  }

  async function answer(server: ChildProcess, ask: Ask): Promise<void> {
    const { host, port } = ask
    if (ask.svc === 'ready') return doors.get(`${host} ${port}`)?.lead(ask.inner)
    const code = await open(ask)
    if (server.connected) server.send({ svc: 'door', host, port, code })
  }

  return {
    serve: (server) => {
      server.on('message', (message) => {
        if (isAsk(message)) void answer(server, message)
      })
    },
    hold: () => each((door) => door.hold()),
    refuse: () => each((door) => door.refuse()),
    close: () => each((door) => door.close()),
  }
}
