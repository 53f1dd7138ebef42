/**
 * With SVC_TEST_COSTS=<file>, each file of tests adds a line to it: its path, the seconds of processor time that it took, those
 * of the processes it started too, and which parts of the code it went through. `npm run test:choose` reads them.
 */
import { appendFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect } from 'vitest'
import { cpuOfTree } from '../bench/process-tree.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const path = process.env['SVC_TEST_COSTS']

if (path !== undefined) {
  const file = relative(root, expect.getState().testPath ?? '').replaceAll('\\', '/')
  const before = await cpuOfTree(process.pid)
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  afterAll(async () => {
    const { result } = await session.post('Profiler.takePreciseCoverage')
    session.disconnect()
    const seconds = ((await cpuOfTree(process.pid)) - before) / 1000
    const code = Object.fromEntries(result.flatMap(codeOf))
    appendFileSync(path, `${JSON.stringify({ file, seconds, code })}\n`)
  })
}

interface Script {
  readonly url: string
  readonly functions: readonly {
    readonly ranges: readonly {
      readonly startOffset: number
      readonly endOffset: number
      readonly count: number
    }[]
  }[]
}

/** The name of a module of ours, and from where to where it was run, as positions in what Vite makes of it. */
function codeOf({ url, functions }: Script): readonly (readonly [string, readonly number[]])[] {
  const [, name] = /\/((?:runtime|generator)\/.+\.ts)$/.exec(url.replace(/\?.*/, '')) ?? []
  if (name === undefined || url.includes('node_modules')) return []
  const ranges = functions.flatMap((each) => each.ranges)
  const isRun = new Uint8Array(Math.max(...ranges.map(({ endOffset }) => endOffset)) + 1)
  // Each range stands behind those that it is a part of.
  for (const { startOffset, endOffset, count } of ranges) {
    isRun.fill(count > 0 ? 1 : 0, startOffset, endOffset)
  }
  const edges: number[] = []
  for (const [at, is] of isRun.entries()) if (is !== (isRun[at - 1] ?? 0)) edges.push(at)
  return [[name, edges]]
}
