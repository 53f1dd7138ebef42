import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'
import { text } from 'node:stream/consumers'

// execa ends no detached child when svc itself ends, and the server has to be one (see `startServer`); what else it would do
// here is two calls of `spawn`.

/** Runs a command of npm's, or of another package manager, and answers its exit code. */
export function npm(root: string, words: readonly string[], manager = 'npm'): Promise<number> {
  const isWindows = process.platform === 'win32'
  const program = isWindows ? `${manager}.cmd` : manager
  return ended(
    spawn(program, words, { cwd: root, shell: isWindows, stdio: ['ignore', 'inherit', 'inherit'] }),
  )
}

export interface Answer {
  readonly code: number
  readonly text: string
  readonly errors: string
}

/** Runs a script of the project's package.json, and answers what it printed. */
export async function runScript(root: string, name: string): Promise<Answer> {
  const isWindows = process.platform === 'win32'
  const program = isWindows ? 'npm.cmd' : 'npm'
  const child = spawn(program, ['run', '--silent', name], { cwd: root, shell: isWindows })
  child.stdin.end()
  const [code, out, errors] = await Promise.all([
    ended(child),
    text(child.stdout),
    text(child.stderr),
  ])
  return { code, text: out, errors }
}

/**
 * The project's server, from its TypeScript, as a direct child: signals reach it. A second signal would end it at once, so
 * it is kept out of the terminal's group, and Ctrl-C reaches it through `stop` only.
 */
export function startServer(root: string, env = process.env): ChildProcess {
  return notOutliving(spawn(process.execPath, serverLine, serverOptions(root, env, [])))
}

/** Starts the server behind a door of `svc dev`: it asks for its ports (`dev/listen.ts`). */
export function startBehind(root: string, line: readonly string[] = serverLine): ChildProcess {
  // A process runs JavaScript, so svc from its sources, as in its tests, preloads the built one.
  const isBuilt = import.meta.url.endsWith('.js')
  const path = isBuilt ? './listen.js' : '../../dist/svc/listen.js'
  const whole = ['--import', new URL(path, import.meta.url).href, ...line]
  return notOutliving(spawn(process.execPath, whole, serverOptions(root, process.env, ['ipc'])))
}

const serverLine = ['--import', 'tsx', 'app/server.ts']

function serverOptions(
  cwd: string,
  given: NodeJS.ProcessEnv,
  more: readonly 'ipc'[],
): SpawnOptions {
  const detached = process.platform !== 'win32'
  const env = { NODE_ENV: 'development', ...given }
  return { cwd, env, detached, stdio: ['ignore', 'inherit', 'inherit', ...more] }
}

/** Whatever ends this process, ends the child; where there is time for it, `stop` came first. */
export function notOutliving(child: ChildProcess): ChildProcess {
  const kill = () => void child.kill('SIGKILL')
  process.once('exit', kill)
  child.once('exit', () => process.off('exit', kill))
  return child
}

/** The time that a server has to finish its requests. */
const shutdownTimeoutMs = 5000

/** Asks the child to end, insists after a while, and waits for it. */
export async function stop(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return
  const insist = setTimeout(() => child.kill('SIGKILL'), shutdownTimeoutMs)
  child.kill('SIGTERM')
  await ended(child)
  clearTimeout(insist)
}

export const hasEnded = (child: ChildProcess) =>
  child.exitCode !== null || child.signalCode !== null

export async function ended(child: ChildProcess): Promise<number> {
  if (!hasEnded(child)) await once(child, 'exit')
  return child.exitCode ?? 1
}

const endings = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const

/** Package managers pass on a Ctrl-C that the terminal has sent as well: within this time it is one. */
const echoMs = 500

/** Resolves at the first Ctrl-C or request to end. Who asks once more does not wait: a signal's own end would leave children. */
export function untilEnd(): Promise<void> {
  return new Promise((resolve) => {
    let askedAt: number | null = null
    const end = (signal: NodeJS.Signals) => {
      if (askedAt === null) {
        askedAt = performance.now()
        resolve()
      } else if (performance.now() - askedAt > echoMs) process.exit(128 + constants.signals[signal])
    }
    for (const signal of endings) process.on(signal, end)
  })
}
