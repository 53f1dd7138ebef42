import fc from 'fast-check'
import { describe, test } from 'vitest'
import { databases } from '../../support/databases.js'
import { runs } from '../../support/runs.js'
import { History, type Step } from './histories/history.js'
import { HistoryProject } from './histories/project.js'

const seed = fc.noShrink(fc.noBias(fc.nat()))
const step: fc.Arbitrary<Step> = fc.record({
  seed,
  changes: fc.integer({ min: 1, max: 2 }),
  rows: fc.integer({ min: 0, max: 4 }),
  way: fc.constantFrom('draft', 'draft', 'save', 'draft, then save'),
})

/** A history takes half a second on SQLite, and two on PostgreSQL. */
const many = runs(1) > 1 ? { sqlite: runs(20), postgresql: runs(10) } : { sqlite: 6, postgresql: 3 }

/** Describes a history that went wrong. */
function failure(says: readonly string[], error: unknown): Error {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return new Error(`${says.join('\n')}\n${text}`, { cause: error })
}

describe.each(databases)('random histories on %s', (database) => {
  test('leave the rows that a model in memory has, and the schema of today', async () => {
    const steps = fc.array(step, { minLength: 4, maxLength: 10 })
    const property = fc.asyncProperty(seed, fc.integer({ min: 1, max: 3 }), steps, tell)
    // Before the test's own time is up: fast-check says of which seed it was.
    await fc.assert(property, { numRuns: many[database], timeout: 240_000 })
    async function tell(first: number, tables: number, later: readonly Step[]) {
      const project = await HistoryProject.open(database)
      const history = new History(project, database)
      try {
        await history.begin(first, tables)
        for (const [at, each] of later.entries()) {
          history.says.push(`step ${at + 1} (${each.way})`)
          await history.take(each)
        }
        await history.end()
      } catch (error) {
        throw failure(history.says, error)
      } finally {
        await project.close()
      }
    }
  })
})
