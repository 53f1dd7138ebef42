/**
 * With SVC_TEST_COSTS=<file>, each file of tests adds a line to it: its path, and the seconds of processor time that it took,
 * those of the processes it started too. `npm run test:costs` makes tests/costs.json of them.
 */
import { appendFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect } from 'vitest'
import { cpuOfTree } from '../bench/process-tree.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const path = process.env['SVC_TEST_COSTS']

if (path !== undefined) {
  const before = await cpuOfTree(process.pid)
  afterAll(async () => {
    const took = (await cpuOfTree(process.pid)) - before
    const file = relative(root, expect.getState().testPath ?? '')
    appendFileSync(path, `${JSON.stringify({ file, seconds: took / 1000 })}\n`)
  })
}
