import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { checkout, compiled } from './project.js'

export interface Killed {
  readonly isKilled: boolean
  /** How many calls changed the project; NaN when the process did not live to say it. */
  readonly calls: number
}

/** Runs `svc generate`, whose process is killed at its nth call that changes the disk; `Infinity`: never. */
export function generateKilled(root: string, n: number): Killed {
  const hook = join(checkout, 'tests/core/regenerate/kill-at.mjs')
  const env = { KILL_AT: String(n), KILL_IN: root, SVC_SKIP_PRISMA_CLIENT: '1' }
  const { signal, stderr } = spawnSync(process.execPath, ['--import', hook, compiled, 'generate'], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, ...env },
  })
  return { isKilled: signal === 'SIGKILL', calls: Number(/calls (\d+)/.exec(stderr)?.[1]) }
}
