import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { alone } from '../../../write/run/run-lock.js'
import { targetAt } from '../../../write/target.js'
import { notOutliving } from '../../children.js'

/**
 * Makes Prisma's client anew, in a process of its own: it takes seconds where there are many models, in which the doors
 * would stand still. Null: done, or given up with the signal; otherwise why not.
 */
export function makeClient(root: string, signal: AbortSignal): Promise<string | null> {
  return alone(targetAt(root), async () => {
    // A process runs JavaScript, so svc from its sources, as in its tests, starts the built one.
    const isBuilt = import.meta.url.endsWith('.js')
    const script = isBuilt ? './client-process.js' : '../../../../dist/svc/client-process.js'
    const child = notOutliving(fork(new URL(script, import.meta.url), { cwd: root, execArgv: [] }))
    yieldTo(child.pid)
    const kill = () => void child.kill('SIGKILL')
    signal.addEventListener('abort', kill, { once: true })
    let failure: string | null = null
    child.on('message', (message) => (failure = String(message) || null))
    const [code] = await once(child, 'exit')
    signal.removeEventListener('abort', kill)
    if (code === 0 || signal.aborted) return failure
    return "Prisma's client was not generated: its process ended. `svc generate --client` generates it."
  })
}

function yieldTo(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, 10)
  } catch {
    // It is as important as the others, then.
  }
}
