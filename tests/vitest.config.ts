import { configDefaults, defineConfig, type TestUserConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { writeIntoMemory } from './support/memory.js'
import { globalSetup, shared } from './vitest.shared.js'

writeIntoMemory()

/**
 * All other files run one after another in three processes: loading the generator and the runtime anew for each of them, and
 * running code that V8 has not compiled yet, was a quarter of their CPU time. `restore-process.ts` restores what a file sets.
 */
const ownProcess = [
  // They mock a module, which is not loaded before, and stays mocked.
  'tests/features/sign-in/protection.test.ts',
  'tests/core/prisma/draft-work.test.ts',
]

/** Files that start many processes; what begins last should not be what takes longest. */
const longest = [
  'cli/policies-since',
  'pages/pages',
  'cli/dev',
  'compile/clone',
  'regenerate/migrate-fills',
  'cli/column-names',
  'regenerate/morph-triggers',
  'cli/why',
  'compile/emitted-tests',
  'cli/migrate',
  'cli/doctor-production',
  'compile/trash-client',
  'regenerate/two-branches',
  'regenerate/own-code',
  'regenerate/migrate',
  'regenerate/migrate-values',
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
  // Of six thousand tests, which start servers and databases on a machine that others use, one that fails and then passes is
  // named in the output (`retry x1`), to be mended, and stops nobody else's work. At a desk it fails.
  test: { ...shared.test, name, retry: process.env['CI'] === undefined ? 0 : 1, ...test },
})

export default defineConfig({
  root: shared.root,
  test: {
    globalSetup,
    sequence: { sequencer: LongestFirst },
    // For two cores: a fifth of the time a file waits for a child to start, for the disk or for what has to end.
    maxWorkers: 3,
    projects: [
      project('alone', { include: ownProcess }),
      // Their processes are not those of the others: none grows with all of the tests.
      project('features', {
        include: ['tests/features/**/*.test.ts'],
        exclude: ownProcess,
        isolate: false,
      }),
      project('core', {
        include: ['tests/**/*.test.ts'],
        exclude: [...configDefaults.exclude, 'tests/features/**', ...ownProcess],
        isolate: false,
      }),
    ],
  },
})
