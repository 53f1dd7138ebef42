/** An emitted server as a process of its own, as it is deployed: what happens to it happens to nobody else. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished } from 'vitest'
import { program as programOf } from '../../support/program.js'

export interface ServerProcess {
  readonly child: ChildProcess
  readonly exited: Promise<number | null>
  readonly url: string
  /** The lines of its log. */
  log(): readonly Readonly<Record<string, unknown>>[]
  send(method: string, path: string, body?: object, token?: string): Promise<Sent>
}

interface Sent {
  readonly status: number
  readonly headers: Headers
  // Tests look into answers freely; a wrong path is a failing test.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any
}

/**
 * @param limits Of the shell's `ulimit`, such as `-f 100`.
 * @param how What Node runs, in place of the server as it stands in the folder.
 */
export async function startServer(
  folder: string,
  env: Readonly<Record<string, string>>,
  limits = '',
  how = '',
): Promise<ServerProcess> {
  const all = {
    ...process.env,
    NODE_ENV: 'test',
    LOG_LEVEL: 'info',
    MIGRATE_ON_START: 'true',
    ...env,
    PORT: '0',
  }
  const program = how === '' ? await programOf(folder, 'app/server.ts') : how
  const start = `${limits === '' ? '' : `ulimit ${limits} && `}exec "$0" ${program}`
  const child = spawn('sh', ['-c', start, process.execPath], { cwd: folder, env: all })
  onTestFinished(() => void child.kill('SIGKILL'))
  let said = ''
  child.stdout.on('data', (chunk) => (said += String(chunk)))
  child.stderr.on('data', (chunk) => (said += String(chunk)))
  const exited = once(child, 'exit').then(([code]) => code as number | null)
  const url = () => /listening on (http:\S+?)"/.exec(said)?.[1]
  await Promise.race([expect.poll(url).toBeDefined(), exited])
  const base = url()
  if (base === undefined) throw new Error(`The server did not start: ${said}`)
  const lines = () => said.split('\n').filter((line) => line.startsWith('{'))
  return {
    child,
    exited,
    url: base,
    log: () => lines().map((line) => JSON.parse(line)),
    async send(method, path, body, token) {
      const answer = await fetch(`${base}${path}`, {
        method,
        headers: {
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await answer.text()
      const { status, headers } = answer
      const isJson = /json/.test(headers.get('content-type') ?? '')
      return { status, headers, body: isJson ? JSON.parse(text) : text }
    },
  }
}
