/**
 * Writes `tests/costs.json` and `tests/on-postgres.json` from what two runs of all tests recorded, one on each database:
 *
 *     export SVC_TEST_COVERAGE=1
 *     SVC_TEST_COSTS=/tmp/sqlite.jsonl SVC_TEST_DATABASES=sqlite npx vitest run --config tests/vitest.config.ts
 *     SVC_TEST_COSTS=/tmp/postgresql.jsonl SVC_TEST_DATABASES=postgresql npx vitest run --config tests/vitest.config.ts
 *     npm run test:choose -- /tmp/sqlite.jsonl /tmp/postgresql.jsonl
 *
 * `npm test` runs a file on PostgreSQL, too, where it goes through code that no file goes through on SQLite. Of the files that
 * go through the same, it takes those that cost least; what is a few characters is left to `npm run test:all`.
 */
import { createReadStream, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

interface Recorded {
  readonly file: string
  readonly seconds: number
  /** By module: where its code begins to be run, and where it ends, by turns. */
  readonly code: Readonly<Record<string, readonly number[]>>
}

async function* recordedIn(path: string): AsyncIterable<Recorded> {
  for await (const line of createInterface({ input: createReadStream(path) }))
    yield JSON.parse(line)
}

/** The positions of all code that was run, as numbers that tell modules apart. */
function* positions(code: Recorded['code']): Iterable<number> {
  for (const [name, edges] of Object.entries(code)) {
    const module = moduleNumber(name) * 1_000_000
    for (let at = 0; at < edges.length; at += 2) {
      const [from = 0, to = from] = edges.slice(at, at + 2)
      for (let position = from; position < to; position += 1) yield module + position
    }
  }
}

const modules: string[] = []
const moduleNumber = (name: string): number => {
  const found = modules.indexOf(name)
  return found === -1 ? modules.push(name) - 1 : found
}

const [, , sqlite, postgres] = process.argv
if (sqlite === undefined || postgres === undefined) {
  throw new Error('usage: npm run test:choose -- <recorded on SQLite> <recorded on PostgreSQL>')
}

const costs = new Map<string, number>()
const onSqlite = new Set<number>()
const filesOnSqlite = new Set<string>()
for await (const { file, seconds, code } of recordedIn(sqlite)) {
  costs.set(file, seconds)
  filesOnSqlite.add(file)
  for (const position of positions(code)) onSqlite.add(position)
}

const chosen: string[] = []
const others: { readonly file: string; readonly seconds: number; readonly own: Set<number> }[] = []
for await (const { file, seconds, code } of recordedIn(postgres)) {
  costs.set(file, Math.max(seconds, costs.get(file) ?? 0))
  const own = new Set([...positions(code)].filter((position) => !onSqlite.has(position)))
  if (file.endsWith('.all.test.ts')) continue
  // A file without tests on SQLite has them here.
  if (!filesOnSqlite.has(file)) chosen.push(file)
  else if (own.size > 0) others.push({ file, seconds, own })
}

/** Characters of code for each second. */
const leastWorth = 7

const left = new Set(others.flatMap(({ own }) => [...own]))
const worth = ({ seconds, own }: (typeof others)[number]) =>
  [...own].filter((position) => left.has(position)).length / (seconds + 0.1)
while (left.size > 0) {
  const [best] = others.toSorted((one, other) => worth(other) - worth(one))
  if (best === undefined || worth(best) < leastWorth) break
  const before = left.size
  for (const position of best.own) left.delete(position)
  console.log(`${best.file}: ${before - left.size} characters, ${best.seconds} s`)
  chosen.push(best.file)
}

const write = (name: string, value: unknown) =>
  writeFileSync(join(import.meta.dirname, '..', name), `${JSON.stringify(value, null, 2)}\n`)
const rounded = [...costs].map(([file, seconds]) => [file, Math.round(seconds * 10) / 10] as const)
write('costs.json', Object.fromEntries(rounded.toSorted(([, one], [, other]) => other - one)))
write('on-postgres.json', chosen.toSorted())
console.log(`${chosen.length} of ${costs.size} files run on PostgreSQL in npm test`)
