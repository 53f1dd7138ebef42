/** For files that share a process: what one has set is not there for the next. */
import { afterAll, vi } from 'vitest'

const before = { ...process.env }

afterAll(() => {
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name]
  Object.assign(process.env, before)
  vi.useRealTimers()
  vi.restoreAllMocks()
})
