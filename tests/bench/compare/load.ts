import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Server } from './server.js'
import { headers, type HttpRequest } from './work.js'

export interface Load {
  readonly port: number
  readonly seconds: number
  readonly connections: number
  readonly headers: Readonly<Record<string, string>>
  readonly requests: readonly HttpRequest[]
}

export interface Loaded {
  readonly answered: number
  /** With those that were on their way at the end; the server works on them all the same. */
  readonly sent: number
  readonly seconds: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  /** Answers that are no success, and connections that broke. */
  readonly failed: number
}

export interface LoadGenerator {
  run(server: Server, work: Pick<Load, 'connections' | 'requests' | 'seconds'>): Promise<Loaded>
  stop(): void
}

/** autocannon in a process of its own, which runs where this one does. */
export function startLoadGenerator(): LoadGenerator {
  const worker = fileURLToPath(new URL('load-worker.ts', import.meta.url))
  const child = spawn(process.execPath, ['--import', 'tsx', worker], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit').then(([code]): never => {
    throw new Error(`the load generator ended with ${code}`)
  })
  // It ends one day, and that is no failure any more.
  ended.catch(() => {})
  return {
    async run({ port }, work) {
      child.send({ ...work, port, headers } satisfies Load)
      const [answer] = await Promise.race([once(child, 'message'), ended])
      return answer as Loaded
    },
    stop: () => child.kill(),
  }
}
