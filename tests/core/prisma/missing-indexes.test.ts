/**
 * Findings of `svc doctor --production` in databases that lack nothing, and in one without indexes.
 */
import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { missingIndexes } from '../../../generator/commands/inspect/production/missing-indexes.js'
import { tableFacts } from '../../../generator/commands/inspect/production/table-facts.js'
import { tablesOf } from '../../../generator/migrations/schema/tables.js'
import { migrate } from '../../../runtime/database/migrations/migrate.js'
import { databases } from '../../support/databases.js'
import { blueprintOf, cases } from '../plan/fixture.js'
import { openDatabase } from '../runtime/databases.js'
import { goldenOf } from './goldens.js'

const told = cases.filter(({ database }) => databases.includes(database))

test.each(told)('no index of $fixture is missed on $database', async ({ fixture, database }) => {
  const blueprint = await blueprintOf(fixture, database)
  const planned = tablesOf(blueprint)
  const { database: live, folder, close } = await openDatabase(database)
  onTestFinished(close)
  const sql = goldenOf(fixture, database, 'sql')
  mkdirSync(join(folder, 'migrations/1_init'), { recursive: true })
  cpSync(sql, join(folder, 'migrations/1_init/migration.sql'))
  await migrate(live, { folder: join(folder, 'migrations') })
  const facts = await tableFacts(
    { database: live },
    planned.map(({ name }) => name),
  )
  expect(missingIndexes(blueprint, planned, facts)).toEqual([])
  const without = facts.map((each) => ({ ...each, rows: 1, indexes: [] }))
  const wanted = planned.flatMap(({ columns }) => columns.filter(({ unique }) => unique))
  const missed = missingIndexes(blueprint, planned, without)
  expect(missed.length).toBeGreaterThanOrEqual(wanted.length)
})
