import { defineConfig } from 'vitest/config'
import { writeIntoMemory } from './support/memory.js'
import { shared } from './vitest.shared.js'

writeIntoMemory()

/**
 * What fails first when one changes the generator or the queries: under a minute, without a build, a server or PostgreSQL.
 * Where tests run on both databases, these run on SQLite.
 */
const folders = ['manifest', 'broken', 'plan', 'types', 'kernel', 'testing']

export default defineConfig({
  ...shared,
  test: {
    ...shared.test,
    maxWorkers: 3,
    include: [
      ...folders.map((folder) => `tests/core/${folder}/**/*.test.ts`),
      'tests/{format,layers,contributing}.test.ts',
      'tests/core/write/{status,bad-states}.test.ts',
    ],
    env: { SVC_TEST_DATABASES: 'sqlite' },
  },
})
