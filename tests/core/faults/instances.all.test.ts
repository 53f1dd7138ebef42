import { test } from 'vitest'
import { databases } from '../../support/databases.js'
import { freshDatabase } from '../../support/postgres.js'
import { liveOnTwoInstances } from './instances.js'

test.runIf(databases.includes('postgresql'))('two servers on one PostgreSQL are as one', async () =>
  liveOnTwoInstances(await freshDatabase()),
)
