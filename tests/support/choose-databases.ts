/** For files that share a process: each has its own databases, before it is loaded. */
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, type RunnerTask } from 'vitest'
import { chooseDatabases, databases } from './databases.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

const { hasRun } = chooseDatabases(
  relative(root, expect.getState().testPath ?? '').replaceAll('\\', '/'),
)

// `npm test` has run the file on the other database: what names none has been seen there.
if (hasRun) {
  // Vitest takes no other first parameter.
  // oxlint-disable-next-line eslint/no-empty-pattern
  beforeAll(({}, file) => {
    if (file.tasks.some(names)) file.tasks.forEach(leaveOut)
  })
}

const isDatabase = (text: string) => databases.some((name) => text.toLowerCase().includes(name))

/** Returns true if it is about a database, or something in it is. */
const names = (task: RunnerTask): boolean =>
  isDatabase(task.name) || (task.type === 'suite' && task.tasks.some(names))

/** All that names no database, where what it is in does not either. */
function leaveOut(task: RunnerTask): void {
  if (isDatabase(task.name)) return
  if (!names(task)) task.mode = 'skip'
  if (task.type === 'suite') task.tasks.forEach(leaveOut)
}
