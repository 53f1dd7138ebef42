/**
 * With SVC_TEST_COSTS=<file>, each file of tests adds a line to it: its path, and the seconds of processor time that it took,
 * of which the processes it started have `children`. With SVC_TEST_COVERAGE=1, too, the line says which parts of the code it
 * went through, which costs time of its own. `npm run test:choose` reads both.
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
  const before = { tree: await cpuOfTree(process.pid), own: process.cpuUsage() }
  const coverage = process.env['SVC_TEST_COVERAGE'] === undefined ? null : await startCoverage()
  afterAll(async () => {
    const code = await coverage?.take()
    const { user, system } = process.cpuUsage(before.own)
    const seconds = ((await cpuOfTree(process.pid)) - before.tree) / 1000
    const children = Math.max(0, seconds - (user + system) / 1e6)
    appendFileSync(path, `${JSON.stringify({ file, seconds, children, code })}\n`)
  })
}

async function startCoverage() {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  return {
    async take() {
      const { result } = await session.post('Profiler.takePreciseCoverage')
      session.disconnect()
      return Object.fromEntries(result.flatMap(codeOf))
    },
  }
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
