import { defineConfig } from 'vitest/config'
import { shared } from './vitest.shared.js'

/** Other people's generators, which are installed first: by hand, before a release. */
export default defineConfig({
  ...shared,
  test: {
    ...shared.test,
    include: ['tests/interop/*.interop.ts'],
  },
})
