import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** A run like ours of one test that fails. */
export default defineConfig({
  root: fileURLToPath(new URL('../../..', import.meta.url)),
  test: {
    include: ['tests/core/exit-code/failing.ts'],
    globalSetup: ['tests/support/postgres-setup.ts'],
  },
})
