import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'
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
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // What a test waits for may take long on a busy machine: not the second that is the default.
    expect: { poll: { timeout: 20_000 } },
  },
}

export const globalSetup = [path('support/postgres-setup.ts')]

/**
 * Folders whose files run one after another in the same process: loading the generator and the runtime anew for each file was a
 * quarter of their CPU time. `restore-process.ts` restores what they set; what they remove or mock as a module stays so,
 * which is why `tests/auth` is not among them.
 */
const oneProcess = ['broken', 'graphql', 'kernel', 'manifest', 'plan', 'server', 'types'].map(
  (folder) => `tests/${folder}/**/*.test.ts`,
)

export default defineConfig({
  root: shared.root,
  test: {
    globalSetup,
    // For two cores: a fifth of the time a file waits for a child to start, for the disk or for what has to end.
    maxWorkers: 3,
    // They run in the order of their names: first the one with the files that take longest.
    projects: [
      {
        ...shared,
        test: {
          ...shared.test,
          name: 'a process for many files',
          include: oneProcess,
          isolate: false,
          setupFiles: [path('support/restore-process.ts')],
        },
      },
      {
        ...shared,
        test: {
          ...shared.test,
          name: 'a process for each file',
          include: ['tests/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...oneProcess],
        },
      },
    ],
  },
})
