/** For files that share a process and a server: what one has set or made is not there for the next. */
import { afterAll, vi } from 'vitest'
import { dropMade } from './made-databases.js'
import { endFile } from './when-over.js'

const environment = process.env
const before = { ...environment }

afterAll(async () => {
  vi.unstubAllEnvs()
  process.env = environment
  for (const name of Object.keys(environment)) if (!(name in before)) delete environment[name]
  Object.assign(environment, before)
  vi.useRealTimers()
  vi.restoreAllMocks()
  await endFile()
  await dropMade()
})
