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
    // One project of tests and the next run find what Vite makes of a module, which takes seconds for all of them.
    experimental: { fsModuleCache: true },
    // Its ES modules import a folder, which Node refuses and Vite can do.
    server: { deps: { inline: ['clipanion', 'openapi-typescript'] } },
    setupFiles: ['choose-databases', 'costs', 'restore-process'].map((name) =>
      path(`support/${name}.ts`),
    ),
    // These end a test that hangs, and nothing else: on a busy machine a test takes many times as long as on a quiet one.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 60_000 } },
  },
}

export const globalSetup = [path('support/postgres-setup.ts')]
