import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
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
  'tests/features/sign-in/protection.all.test.ts',
  'tests/core/prisma/draft-work.all.test.ts',
]

const read = (name: string) => JSON.parse(readFileSync(join(import.meta.dirname, name), 'utf8'))

/** Seconds of CPU that a file took when `tests/support/costs.ts` recorded them. */
const costs: Readonly<Record<string, number>> = read('costs.json')

const pathOf = ({ moduleId }: TestSpecification) => relative(shared.root, moduleId)

/**
 * What begins last should not be what takes longest; a file without a record is new, and few are. Project by project: a process
 * runs files of one of them, so that a file of the other ends it, and all is loaded once more.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const cost = (file: TestSpecification) => costs[pathOf(file)] ?? 0
    return files.toSorted(
      (one, other) => one.project.name.localeCompare(other.project.name) || cost(other) - cost(one),
    )
  }
}

const onBoth = new Set<string>(read('on-postgres.json'))
for (const path of onBoth) {
  if (!existsSync(join(shared.root, path))) {
    throw new Error(`tests/on-postgres.json names ${path}, which is not there.`)
  }
}

/**
 * Returns true if a test of the file runs once for each database: it imports what they are called.
 */
const asksDatabases = (path: string) =>
  /import \{[^}]*\b(databases|dialects|names)\b[^}]*\} from '[^']+\/(databases|project|live)\.js'/.test(
    readFileSync(join(shared.root, path), 'utf8'),
  )

/** What `npm test` leaves out: whole files, and on PostgreSQL what it runs on SQLite alone. */
const rest = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  .map((path) => `tests/${path.replaceAll('\\', '/')}`)
  .filter((path) => path.endsWith('.test.ts'))
  .filter((path) => path.endsWith('.all.test.ts') || (!onBoth.has(path) && asksDatabases(path)))

/** `--mode fast` is `npm test`, `--mode rest` is what that leaves out; without, what is named runs whole. */
export default defineConfig(({ mode }) => {
  const isFast = mode === 'fast'
  const isRest = mode === 'rest'
  const left = [...configDefaults.exclude, ...(isFast ? ['tests/**/*.all.test.ts'] : [])]
  const project = (name: string, include: string[], test: NonNullable<TestUserConfig>) => ({
    ...shared,
    test: {
      ...shared.test,
      name,
      include: isRest
        ? rest.filter((path) => include.some((each) => isBelow(path, each)))
        : include,
      // Of six thousand tests, which start servers and databases on a machine that others use, one that fails and then passes
      // is named in the output (`retry x1`), to be mended, and stops nobody else's work. At a desk it fails.
      retry: process.env['CI'] === undefined ? 0 : 1,
      env: isFast || isRest ? { SVC_TEST_SET: mode } : {},
      ...test,
    },
  })
  return {
    root: shared.root,
    test: {
      globalSetup,
      sequence: { sequencer: LongestFirst },
      // For two cores: a fifth of the time a file waits for a child to start, for the disk or for what has to end.
      maxWorkers: 3,
      projects: [
        project('alone', ownProcess, { exclude: left }),
        // Their processes are not those of the others: none grows with all of the tests.
        project('features', ['tests/features/**/*.test.ts'], {
          exclude: [...left, ...ownProcess],
          isolate: false,
        }),
        project('core', ['tests/**/*.test.ts'], {
          exclude: [...left, 'tests/features/**', ...ownProcess],
          isolate: false,
        }),
      ],
    },
  }
})

/** Whether a path is one that a pattern like `tests/features/**` names. */
const isBelow = (path: string, pattern: string) => path.startsWith(pattern.replace(/\*.*/, ''))
