import { expect, test } from 'vitest'
import { run } from '../compile/run.js'
import { root } from '../plan/fixture.js'

test('a run with a failing test does not end with 0', async () => {
  const { code } = await run('vitest', ['run', '--config', 'tests/exit-code/vitest.config.ts'], root)
  expect(code).toBe(1)
})
