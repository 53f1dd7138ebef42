/** One PostgreSQL for the whole test run. */
import type { TestProject } from 'vitest/node'
import { PostgresDidNotStart, startPostgres } from './postgres-server.js'

declare module 'vitest' {
  export interface ProvidedContext {
    /** `postgresql://…@127.0.0.1:port/`, to which the name of a database is added. */
    postgres: string
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres().catch(giveUp)
  project.provide('postgres', server.url)
  return () => server.stop()
}

/** Vitest would say first that there are no test files, which sends one looking in the wrong place. */
function giveUp(error: unknown): never {
  if (!(error instanceof PostgresDidNotStart)) throw error
  console.error(error.message)
  process.exit(1)
}
