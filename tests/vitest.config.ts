import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig, type TestUserConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
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
  },
}

export const inMemory = path('support/memory-setup.ts')
export const withPostgres = path('support/postgres-setup.ts')

/**
 * All other files run one after another in three processes: loading the generator and the runtime anew for each of them, and
 * running code that V8 has not compiled yet, was a quarter of their CPU time. `restore-process.ts` restores what a file sets.
 */
const ownProcess = [
  // It mocks a module, which stays mocked.
  'tests/auth/protection.test.ts',
]

/** Their processes are not those of the other folders: none grows with all of the tests. */
const ofRuntime = ['auth', 'graphql', 'kernel', 'runtime', 'server'].map(
  (folder) => `tests/${folder}/**/*.test.ts`,
)

/** Files that start many processes; what begins last should not be what takes longest. */
const longest = [
  'regenerate/migrate',
  'compile/emitted-tests',
  'cli/dev',
  'compile/clone',
  'regenerate/upgrade',
  'cli/migrate',
  'pages/pages',
]

/** Where no run before says how long files take, Vitest begins with the largest of a project, in the order of their names. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // A list of files, sorted by Vitest.
    // oxlint-disable-next-line unicorn/no-array-sort
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) =>
      longest.some((name) => moduleId.endsWith(`tests/${name}.test.ts`))
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

const project = (name: string, test: NonNullable<TestUserConfig>) => ({
  ...shared,
  test: { ...shared.test, name, ...test },
})

export default defineConfig({
  root: shared.root,
  test: {
    // The server writes into the folder that is made before it starts.
    globalSetup: [inMemory, withPostgres],
    sequence: { sequencer: LongestFirst },
    // For two cores: a fifth of the time a file waits for a child to start, for the disk or for what has to end.
    maxWorkers: 3,
    projects: [
      project('alone', { include: ownProcess }),
      project('the generator', {
        include: ['tests/**/*.test.ts'],
        exclude: [...configDefaults.exclude, ...ofRuntime],
        isolate: false,
      }),
      project('the runtime', { include: ofRuntime, exclude: ownProcess, isolate: false }),
    ],
  },
})
