import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { sharedRuntime } from './support/shared-runtime.js'

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  plugins: [sharedRuntime],
  resolve: {
    alias: {
      svckit: fileURLToPath(new URL('../generator/index.ts', import.meta.url)),
      // openapi-typescript wants a library, which TypeScript 7 is not.
      typescript: fileURLToPath(new URL('support/typescript.ts', import.meta.url)),
    },
  },
  test: {
    include: ['tests/**/*.test.ts'],
    // Its ES modules import a folder, which Node refuses and Vite can do.
    server: { deps: { inline: ['clipanion', 'openapi-typescript'] } },
    globalSetup: [fileURLToPath(new URL('support/postgres-setup.ts', import.meta.url))],
    // For two cores: a fifth of the time a file waits for a child to start, for the disk or for what has to end.
    maxWorkers: 3,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
})
