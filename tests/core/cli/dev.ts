import { spawn, type ChildProcess } from 'node:child_process'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { build, checkout, compiled } from './project.js'

/** `svc dev` in a project, with all it has said so far. */
export interface Dev {
  readonly child: ChildProcess
  said(): string
  /** Its exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals | null>
  end(): Promise<number | NodeJS.Signals | null>
}

/** A script that fails where a file of that name is in the project: `bug`, or `crash`. */
export const failing = join(checkout, 'tests/core/cli/failing.mjs')

/** Starts it, or another command that goes on until a signal, in a project that has its dependencies. */
export function dev(
  root: string,
  port: number,
  line: readonly string[] = ['dev'],
  preloaded: readonly string[] = [],
): Dev {
  build()
  const env = {
    ...process.env,
    PORT: String(port),
    NODE_ENV: 'development',
    DATABASE_URL: 'file:storage/dev.sqlite',
  }
  const preload = preloaded.flatMap((file) => ['--import', file])
  const child = spawn(process.execPath, [...preload, compiled, ...line], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  child.stdout.on('data', (chunk) => (said += String(chunk)))
  child.stderr.on('data', (chunk) => (said += String(chunk)))
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) =>
    child.on('exit', (status, signal) => resolve(status ?? signal)),
  )
  // Killed outright, `svc dev` would leave its server behind.
  onTestFinished(async () => {
    child.kill('SIGINT')
    await ended
  })
  return {
    child,
    said: () => said,
    ended,
    end: () => {
      child.kill('SIGINT')
      return ended
    },
  }
}

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' ? (address?.port ?? 0) : 0))
    })
  })
}

/** False while something listens there. */
export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
