import { alone } from '../write/run-lock.js'
import type { Taken } from '../write/take-back.js'
import { targetAt } from '../write/target.js'
import { undo } from '../write/undo.js'
import { refreshClient } from './prisma-client.js'

export function undoLastRun(root: string): Promise<Taken> {
  const target = targetAt(root)
  return alone(target, async () => {
    const taken = undo(target)
    await refreshClient(target)
    return taken
  })
}
