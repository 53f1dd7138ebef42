import { spawn, type ChildProcess } from 'node:child_process'
import { createServer } from 'node:net'
import { onTestFinished } from 'vitest'
import { build, compiled } from './project.js'

/** `svc dev` in a project, with all it has said so far. */
export interface Dev {
  readonly child: ChildProcess
  said(): string
  end(): Promise<number>
}

/** Starts it, or another command that goes on until a signal, in a project that has its dependencies. */
export function dev(root: string, port: number, line: readonly string[] = ['dev']): Dev {
  build()
  const env = {
    ...process.env,
    PORT: String(port),
    NODE_ENV: 'development',
    DATABASE_URL: 'file:storage/dev.sqlite',
  }
  const child = spawn(process.execPath, [compiled, ...line], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  child.stdout.on('data', (chunk) => (said += String(chunk)))
  child.stderr.on('data', (chunk) => (said += String(chunk)))
  const code = new Promise<number>((resolve) => child.on('exit', (status) => resolve(status ?? -1)))
  // Killed outright, `svc dev` would leave its server behind.
  onTestFinished(async () => {
    child.kill('SIGINT')
    await code
  })
  return {
    child,
    said: () => said,
    end: () => {
      child.kill('SIGINT')
      return code
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
