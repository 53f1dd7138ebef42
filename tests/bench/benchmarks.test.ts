/** The pages of `npm run bench` are drawn from its measurements. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './blog.js'
import { contestants } from './compare/contestants.js'
import { contestantsFolder } from './compare/install.js'
import { median } from './compare/numbers.js'
import { drawPages } from './compare/page.js'
import { standing } from './compare/standing.js'
import { messageReader } from './compare/statements.js'
import { cpuTable, failuresOf } from './compare/tables.js'

const figures = (cpu: number, lowest = cpu, highest = cpu) => ({
  cpu,
  cpuRange: [lowest, highest] as const,
  perSecond: 1,
  p99: 1,
  statements: 1,
  roundTrips: null,
  bytes: 1,
})

test('docs/benchmarks.md and its pictures are what the stored results draw', () => {
  for (const { path, text } of drawPages()) {
    expect(readFileSync(join(root, path), 'utf8'), path).toBe(text)
  }
})

test('a ratio above 1 is a contestant that is cheaper than bare; who failed or has no such thing is not a number', () => {
  const measured = [
    { name: 'svc', work: { show: figures(50), include: figures(20_000) } },
    { name: 'bare', work: { show: figures(100), include: figures(5_000) } },
    { name: 'zenstack', work: {}, failures: { show: '3 of 9 requests failed under load' } },
    { name: 'nest', failed: 'it ended with 1:\nError' },
  ]
  const rows = cpuTable(measured).split('\n')
  expect(rows.slice(2)).toEqual([
    '| svc, the emitted server | 50 µs · 2.00 | – | 20 ms · 0.25 | – | – |',
    '| Hono by hand, bare | 100 µs · 1.00 | – | 5.0 ms · 1.00 | – | – |',
    '| ZenStack 3 | failed | – | – | – | – |',
    '| Nest with Prisma | failed | failed | failed | failed | failed |',
  ])
  expect(failuresOf(measured)).toEqual([
    '- ZenStack 3, show: 3 of 9 requests failed under load',
    '- Nest with Prisma did not run: it ended with 1: Error',
  ])
})

test('who is behind is said of rounds that do not overlap, and of a total that is remembered only where it is', () => {
  const measured = [
    {
      name: 'svc',
      work: { show: figures(100, 90, 110), index: figures(2, 1, 3), store: figures(6, 5, 7) },
    },
    {
      name: 'bare',
      work: { show: figures(50, 40, 60), index: figures(9, 8, 10), store: figures(8, 7, 9) },
    },
    { name: 'nest', work: { show: figures(1, 1, 1) }, failures: { show: 'it failed' } },
  ]
  const said =
    '**Where svc loses, and where it does not.** svc takes more CPU than Hono by hand, bare: show (100 µs to 50 µs). ' +
    'Neither is ahead (the rounds overlap, or a twentieth is between them) beside Hono by hand, bare: store (6 µs to 8 µs). It takes less in all else.'
  expect(standing(measured, { remembersTotals: false })).toBe(said)
  expect(standing(measured, { remembersTotals: true })).toMatch(
    /^.* all else\. Its index is that cheap/,
  )
  const [own, bare] = measured
  const swapped = [
    { name: 'svc', work: bare?.work ?? {} },
    { name: 'bare', work: own?.work ?? {} },
  ]
  expect(standing(swapped, { remembersTotals: true })).not.toContain('cheap')
})

test('the median of an even number of rounds lies between the two in the middle', () => {
  expect(median([9, 1, 4])).toBe(4)
  expect(median([9, 1, 4, 5])).toBe(4.5)
})

test("messages of PostgreSQL's protocol are counted however the stream is cut", () => {
  const message = (type: string, body: string) => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(4 + body.length)
    return Buffer.concat([Buffer.from(type), length, Buffer.from(body)])
  }
  const stream = Buffer.concat([
    message('', 'startup'),
    message('Q', 'select 1'),
    message('P', ''),
    message('E', 'portal'),
    message('S', ''),
  ])
  for (const size of [1, 3, 7, stream.length]) {
    const types: string[] = []
    const read = messageReader({ isClient: true }, (type) => types.push(type))
    for (let at = 0; at < stream.length; at += size) read(stream.subarray(at, at + size))
    expect(types).toEqual(['Q', 'P', 'E', 'S'])
  }
})

test('every contestant has its sources, and packages of exact versions', () => {
  const folders = contestants.flatMap(({ folder }) => (folder === null ? [] : [folder]))
  const there = readdirSync(contestantsFolder).filter((name) => name !== 'shared')
  expect(new Set(folders)).toEqual(new Set(there))
  for (const folder of there) {
    const text = readFileSync(join(contestantsFolder, folder, 'package.json'), 'utf8')
    const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(text)
    const sources = readdirSync(join(contestantsFolder, folder))
    expect(sources.some((name) => /^server\.[jt]s$/.test(name))).toBe(true)
    for (const [name, version] of Object.entries(dependencies)) {
      expect(version, `${name} of ${folder}`).toMatch(/^\d+\.\d+\.\d+$/)
    }
  }
})
