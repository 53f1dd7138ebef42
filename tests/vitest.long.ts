import { defineConfig } from 'vitest/config'
import whole from './vitest.config.js'

/** Ten times as many cases of each property, or as many as SVC_TEST_RUNS says. */
const times = process.env['SVC_TEST_RUNS'] ?? '10'

export default defineConfig({
  ...whole,
  test: {
    ...whole.test,
    env: { SVC_TEST_RUNS: times },
    testTimeout: 60_000 * Number(times),
  },
})
