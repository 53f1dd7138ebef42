import { rmSync } from 'node:fs'
import { expect, inject, test } from 'vitest'
import type {} from '../support/postgres-setup.js'
import { emit } from './emit.js'
import { run } from './run.js'

/** The tests a project comes with pass, whatever its owner made of the policies. */
test.each([
  ['blog', 'sqlite', 'own'],
  ['blog', 'sqlite', 'closed'],
  ['blog', 'postgresql', 'own'],
  ['minimal', 'sqlite', 'open'],
  ['minimal', 'postgresql', 'closed'],
  ['every-kind', 'sqlite', 'open'],
  ['every-kind', 'postgresql', 'open'],
  ['awkward-names', 'sqlite', 'open'],
] as const)('%s on %s, policies %s', async (fixture, database, policies) => {
  const folder = await emit(fixture, database, policies)
  const server = { TEST_DATABASE_URL: `${inject('postgres')}postgres` }
  const { code, output } = await run('vitest', ['run'], folder, server)
  expect(code, output).toBe(0)
  rmSync(folder, { recursive: true })
})
