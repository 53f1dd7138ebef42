import { fileURLToPath } from 'node:url'
import { sharedRuntime } from './support/shared-runtime.js'

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

/** How each file runs, whichever command runs it. */
export const shared = {
  root: path('..'),
  plugins: [sharedRuntime],
  resolve: {
    alias: {
      svckit: path('../generator/index.ts'),
      // openapi-typescript wants a library, which TypeScript 7 is not.
      typescript: path('support/typescript.ts'),
    },
  },
  test: {
    // Its ES modules import a folder, which Node refuses and Vite can do.
    server: { deps: { inline: ['clipanion', 'openapi-typescript'] } },
    setupFiles: [path('support/restore-process.ts')],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // What a test waits for may take long on a busy machine: not the second that is the default.
    expect: { poll: { timeout: 20_000 } },
  },
}

export const globalSetup = [path('support/postgres-setup.ts')]
