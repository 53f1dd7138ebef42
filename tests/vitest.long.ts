import { defineConfig } from 'vitest/config'
import { globalSetup, shared } from './vitest.shared.js'

/**
 * Ten times as many cases of each property, or as many as SVC_TEST_RUNS says; what takes its full size to show; and what
 * needs a browser or another package of Debian. On the disk: so many databases would fill a memory.
 */
const times = process.env['SVC_TEST_RUNS'] ?? '10'

export default defineConfig({
  ...shared,
  test: {
    ...shared.test,
    globalSetup,
    maxWorkers: 3,
    include: ['test', 'long', 'browser', 'debian'].map((kind) => `tests/**/*.${kind}.ts`),
    env: { SVC_TEST_RUNS: times },
    testTimeout: 600_000 * Number(times),
  },
})
