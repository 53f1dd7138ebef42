/** docs/benchmarks.md and its pictures, out of the stored results alone. */
import { readFileSync } from 'node:fs'
import { ofCommit } from './commit.js'
import { comparisonPicture } from './comparison-picture.js'
import { contestants } from './contestants.js'
import { growthPage } from './growth-page.js'
import { growthPicture } from './growth-picture.js'
import { contestantsFolder } from './install.js'
import {
  readResults,
  type Comparison,
  type Conditions,
  type Growth,
  type Repositories,
} from './results.js'
import { writesPerSecond } from './rounds.js'
import { standing } from './standing.js'
import {
  bytesTable,
  cpuTable,
  failuresOf,
  memoryTable,
  rateTable,
  statementTable,
  thousands,
} from './tables.js'
import { connectionsFor, size } from './work.js'

export interface Drawn {
  readonly path: string
  readonly text: string
}

/** Out of what `npm run bench` stored. */
export function drawPages(): Drawn[] {
  const comparison = readResults<Comparison>('comparison')
  const growth = readResults<Growth>('growth')
  const repositories = readResults<Repositories>('repositories')
  return [
    {
      path: 'docs/benchmarks.md',
      text: `${page(comparison)}\n${growthPage(growth, repositories, comparison)}`,
    },
    { path: 'docs/pictures/benchmarks.svg', text: comparisonPicture(comparison) },
    { path: 'docs/pictures/growth.svg', text: growthPicture(growth, repositories) },
  ]
}

const page = (comparison: Comparison) => `# Benchmarks

The emitted server of the blog of \`fixtures/blog\` beside what people write by hand or run instead: the same tables, the same rows, the same questions.
Drawn from \`tests/bench/results\` by \`npm run bench -- --only page\`; nothing here is typed by hand.

![CPU of the server per request, by contestant and work item](pictures/benchmarks.svg)

${conditionsOf(comparison)}

${comparison.databases
  .map(({ name, version, contestants: measured }) =>
    [
      `## ${version}`,
      '**CPU of the server per request**, user and system, and the CPU of bare divided by it: above 1 it is cheaper than bare.',
      cpuTable(measured),
      standing(measured, { remembersTotals: name === 'sqlite' }),
      '**Requests per second, and p99.**',
      rateTable(measured),
      `**Statements of one request${version.startsWith('PostgreSQL') ? ', and how often it waits for the database' : ''}**, the token's included.`,
      statementTable(measured),
      '**Start and memory** (resident) after the first answers, and the most after all of the above.',
      memoryTable(measured),
      '**Bytes of an answer.**',
      bytesTable(measured),
      failuresOf(measured).join('\n'),
    ]
      .filter((part) => part !== '')
      .join('\n\n'),
  )
  .join('\n\n')}
`

function conditionsOf({ conditions, rounds, seconds, warmUp = 3, databases }: Comparison): string {
  const versions = databases.map(({ version }) => version).join(', ')
  return `## What was measured

- **Command** \`${conditions.command}\`, on ${conditions.day}${ofCommit(conditions)}: each round asks every contestant for ${seconds} s, one after the other, after a warm-up of ${Math.max(seconds, warmUp)} s;
  rounds: ${rounds}, of which the figures are medians. ${machine(conditions)}, ${versions}.
- **CPU per request** is what \`/proc\` says the server's process took, user and system, divided by the requests: it says what a server costs, whatever
  else the machine does. The server has the first core for itself; autocannon (${connectionsFor('show')} connections, ${connectionsFor('include')} for include) and PostgreSQL share the others, so
  requests per second are those of a small machine, and of autocannon where a server is faster than it.
- **Rows** ${thousands(size.users)} users, ${thousands(size.posts)} posts, 63,600 comments. A seventh of the posts are drafts, which only their owner may see: every contestant checks it,
  so an index counts the rows that its user may see.
- **Every request** carries a bearer token, which every contestant looks up and compares with its hash in the database. Nothing is cached between requests,
  but for what the table below says.
- **show** one post · **index** 15 of a page among the first ${size.pages}, with the total, while ${writesPerSecond} times a second somebody writes · **include** 15 users, 15 posts of each, their 15 comments · **store** one post, validated
  · **GraphQL** \`{ postList(first: 15) { id title owner { name } } }\`.
- **Answers are compared first**: ids, values, totals and order of all contestants are those of svc, or the contestant is not measured. Their shapes are their own, see
  the bytes. Statements are counted by a proxy that reads PostgreSQL's protocol, and by counting the calls of better-sqlite3.

| Contestant | With | What is different |
|---|---|---|
${measuredIn(databases)
  .map(
    ({ title, folder, note }) =>
      `| ${title} | ${packages(folder)} | ${note ?? 'answers with links, rights and security headers'} |`,
  )
  .join('\n')}

A dash: it has no such thing. Sources: \`tests/bench/contestants\`.`
}

/** Contestants of a run, in the order of the tables. */
const measuredIn = (databases: Comparison['databases']) =>
  contestants.filter(({ name }) =>
    databases.some(({ contestants: measured }) => measured.some((each) => each.name === name)),
  )

const machine = ({ node, cpu, cores }: Conditions) => `Node ${node}, ${cores} × ${cpu}`

const shown =
  /^(hono|kysely|pg|better-sqlite3|@prisma\/client|postgraphile|@zenstackhq\/orm|@feathersjs\/feathers|knex|@nestjs\/core)$/

/** Those that matter, with their versions. */
function packages(folder: string | null): string {
  if (folder === null) return 'this checkout'
  const text = readFileSync(`${contestantsFolder}/${folder}/package.json`, 'utf8')
  const dependencies: Readonly<Record<string, string>> = JSON.parse(text).dependencies
  return Object.entries(dependencies)
    .filter(([name]) => shown.test(name))
    .map(([name, version]) => `${name} ${version}`)
    .join(', ')
}
