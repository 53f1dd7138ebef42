import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { freePort } from '../../support/postgres-server.js'

export interface Server {
  readonly port: number
  readonly process: ChildProcess
  /** Until it answered. */
  readonly startMs: number
  stop(): Promise<void>
}

/** The first core is the server's; the load generator and PostgreSQL share the others. */
export const leaveFirstCore = (): void => runOn(cpus().length > 1 ? `1-${cpus().length - 1}` : '0')

export const takeAllCores = (): void => runOn(`0-${cpus().length - 1}`)

/** This process, and those that it starts from now on. */
function runOn(cores: string): void {
  if (process.platform !== 'linux') throw new Error('it reads /proc and pins with taskset: Linux')
  const { status } = spawnSync('taskset', ['-acp', cores, String(process.pid)])
  if (status !== 0) throw new Error('taskset (package util-linux) does not pin this process')
}

/** A server as a process of its own on the first core; resolves when it answers anything. */
export async function startServer(
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<Server> {
  const port = await freePort()
  const started = performance.now()
  const child = spawn('taskset', ['-c', '0', process.execPath, ...args], {
    cwd,
    env: { ...env, PORT: String(port), HOST: '127.0.0.1', NODE_ENV: 'production', TZ: 'UTC' },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let said = ''
  child.stderr?.on('data', (chunk) => (said = `${said}${String(chunk)}`.slice(-4_000)))
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  while (performance.now() - started < 120_000) {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}: ${reason(said)}`)
    const answer = await fetch(`http://127.0.0.1:${port}/`).catch(() => null)
    await answer?.arrayBuffer()
    if (answer !== null) return { port, process: child, startMs: performance.now() - started, stop }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  await stop()
  throw new Error(`it does not answer within two minutes: ${reason(said)}`)
}

const reason = (said: string) =>
  said.split('\n').find((line) => /error/i.test(line)) ?? said.trim().slice(0, 200)

/** User and system time so far. utime and stime are fields 14 and 15 of the stat line, in ticks of 10 ms. */
export function cpuMicroseconds({ process: { pid } }: Server): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10_000
}

/** Waits until it has nothing left to do: requests may be on their way when the load generator ends. */
export async function becomeIdle(server: Server): Promise<void> {
  for (let before = -1; before !== cpuMicroseconds(server);) {
    before = cpuMicroseconds(server)
    await new Promise((resolve) => setTimeout(resolve, 60))
  }
}

export function memoryMb({ process: { pid } }: Server, field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1024)
}
