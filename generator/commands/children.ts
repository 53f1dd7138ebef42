import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** Runs a script of the project's package.json and answers its exit code. */
export async function runScript(root: string, name: string, env = process.env): Promise<number> {
  const parameters = ['run', '--silent', name]
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const shell = process.platform === 'win32'
  const child = spawn(npm, parameters, { cwd: root, env, shell, stdio: ['ignore', 'inherit', 'inherit'] })
  return ended(child)
}

/** The project's server, from its TypeScript, as a direct child: signals reach it. */
export function startServer(root: string, env = process.env): ChildProcess {
  const parameters = ['--import', 'tsx', 'app/server.ts']
  return spawn(process.execPath, parameters, { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] })
}

/** Milliseconds a server has to finish what it was sent. */
const patience = 5000

/** Asks the child to end, insists after a while, and waits for it. */
export async function stop(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return
  const insist = setTimeout(() => child.kill('SIGKILL'), patience)
  child.kill('SIGTERM')
  await ended(child)
  clearTimeout(insist)
}

export const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null

export async function ended(child: ChildProcess): Promise<number> {
  if (hasEnded(child)) return child.exitCode ?? 1
  const [code] = await once(child, 'exit')
  return typeof code === 'number' ? code : 1
}

/** Resolves at the first Ctrl-C or request to end. */
export function untilEnd(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve())
  })
}
