/**
 * The emitted server beside what people write or run instead, on SQLite and PostgreSQL: CPU of the server per request,
 * requests per second, p99, memory, statements, round trips. Contestants are installed into a temporary folder. The
 * figures are stored in tests/bench/results, and docs/benchmarks.md is drawn from them.
 *
 *     npm run bench -- --help
 */
import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { root } from './blog.js'
import { measuredCommit } from './compare/commit.js'
import { compare } from './compare/comparison.js'
import { measureGrowth } from './compare/growth.js'
import { readOptions, usage } from './compare/options.js'
import { drawPages } from './compare/page.js'
import { measureRepositories } from './compare/repositories.js'
import { writeResults, type Comparison, type Conditions, type Growth } from './compare/results.js'
import { warmUpSeconds } from './compare/rounds.js'

const args = process.argv.slice(2)
if (args.includes('--help')) {
  console.log(usage)
  process.exit()
}
const options = readOptions(args)
// A part of the comparison is that part alone.
const only = options.only ?? (options.isPart ? 'compare' : undefined)
const isWanted = (part: string) => (only ?? part) === part

const commit = measuredCommit()
const conditions: Conditions = {
  day: new Date().toISOString().slice(0, 10),
  command: ['npm run bench', ...(args.length > 0 ? ['--', ...args] : [])].join(' '),
  ...(commit === null ? {} : { commit }),
  node: process.version.slice(1),
  cpu: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
}

if (isWanted('compare')) {
  const { rounds, seconds } = options
  const comparison: Comparison = {
    ...{ conditions, rounds, seconds, warmUp: warmUpSeconds },
    ...(await compare(options)),
  }
  if (!options.isPart) writeResults('comparison', comparison)
}

if (isWanted('growth')) {
  const growth: Growth = { conditions, ...(await measureGrowth(options)) }
  if (!options.isPart) writeResults('growth', growth)
}

if (isWanted('repositories')) {
  writeResults('repositories', { conditions, points: await measureRepositories() })
}

if (!options.isPart) {
  for (const { path, text } of drawPages()) {
    writeFileSync(join(root, path), text)
    console.log(`drew ${path}`)
  }
}
