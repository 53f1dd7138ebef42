import { ofCommit } from './commit.js'
import type { Comparison, Growth, Point, Repositories, RepositoryPoint } from './results.js'
import { duration } from './svg.js'
import { table, thousands } from './tables.js'
import { connectionsFor } from './work.js'

/** CPU of the server, and how long a request takes that is alone. */
const cell = (point: Point | undefined) =>
  point === undefined ? '–' : `${duration(point.cpu)} · ${duration(point.p50 * 1_000)}`

/** A row for each step, a column for each question and contestant. */
function steps(name: string, points: readonly Point[]): string {
  const columns = ['show', 'index'].flatMap((what) =>
    (['svc', 'bare'] as const).map((contestant) => ({ what, contestant })),
  )
  const there = columns.filter(({ what }) => points.some((each) => each.what === what))
  const rows = [...new Set(points.map(({ at }) => at))].map((at) => [
    thousands(at),
    ...there.map(({ what, contestant }) =>
      cell(
        points.find(
          (each) => each.at === at && each.what === what && each.contestant === contestant,
        ),
      ),
    ),
  ])
  return table([name, ...there.map(({ what, contestant }) => `${what}, ${contestant}`)], rows)
}

function includeTable({ databases }: Growth): string {
  const first = databases[0]?.includes ?? []
  const rows = first.map(({ at, what }) => [
    `\`${what}\``,
    ...databases.map(({ includes }) => cell(includes.find((each) => each.at === at))),
  ])
  return table(['include', ...databases.map(({ version }) => version)], rows)
}

const processCell = (took: RepositoryPoint['generated']) =>
  took === undefined
    ? '–'
    : `${duration(took.ms * 1e3)} · ${duration(took.cpu * 1e3)} · ${took.mb} MB`

function repositoryTable({ points }: Repositories): string {
  const rows = points.map((each) =>
    each.failed === undefined
      ? [
          thousands(each.size),
          processCell(each.generated),
          processCell(each.again),
          `${duration((each.startMs ?? 0) * 1e3)} · ${duration((each.startCpu ?? 0) * 1e3)} · ${each.startMb} MB`,
          duration(each.showCpu ?? 0),
        ]
      : [thousands(each.size), `failed: ${firstLine(each.failed)}`, '–', '–', '–'],
  )
  const head = ['repositories', '`svc generate`', 'nothing changed', 'start', 'CPU of a show']
  return table(head, rows)
}

const loader =
  "Node's module loader ends with `Maximum call stack size exceeded` at a chain of some 4,000 files that import each other, which is what one ring of all would be."

/** A run that has all sizes measured them in rings; of one that failed, its row says why. */
const aboutThousands = ({ points }: Repositories) =>
  points.every(({ failed }) => failed === undefined)
    ? `\n\nTheir relations lead around in rings of a hundred. ${loader}`
    : ''

/** The page has three figures for one show of svc on SQLite, of three things. */
function aboutShows(comparison: Comparison, growth: Growth, { points }: Repositories): string {
  const sqlite = <D extends { readonly name: string }>(databases: readonly D[]) =>
    databases.find(({ name }) => name === 'sqlite')
  const all = sqlite(comparison.databases)?.contestants.find(({ name }) => name === 'svc')
  const busy = all?.work?.show?.cpu
  const alone = sqlite(growth.databases)?.rows.filter(isShowOfSvc).at(-1)?.cpu
  const other = points.find(({ showCpu }) => showCpu !== undefined)?.showCpu
  if (busy === undefined || alone === undefined || other === undefined) return ''
  return `

A show of svc on SQLite has three figures on this page, of three things: ${duration(busy)} above, where ${connectionsFor('show')} connections keep the server busy; ${duration(alone)} here, where one
connection sends one request after the other, so that the process goes to sleep and wakes up for each, after a shorter warm-up; ${duration(other)} with the repositories below, which is
another project under ${connectionsFor('show')} connections: it has no users, so no token is looked up, and its policy opens the row to everybody.`
}

const isShowOfSvc = ({ what, contestant }: Point) => what === 'show' && contestant === 'svc'

const firstLine = (text: string) => text.split('\n').slice(0, 2).join(': ').replaceAll('|', '\\|')

export const growthPage = (
  growth: Growth,
  repositories: Repositories,
  comparison: Comparison,
) => `## How cost grows

![By posts in the table, page, depth of the include, repositories](pictures/growth.svg)

CPU of the server per request, and how long a request takes that is alone: the median over one connection, with what the database takes. An index counts
the rows that one may see, so its total grows with the table, for svc and for bare alike. \`${growth.conditions.command}\` on ${growth.conditions.day}${ofCommit(growth.conditions)}.${aboutShows(comparison, growth, repositories)}

${growth.databases
  .map(
    ({ version, rows, pages }) =>
      `**${version}**, by posts in the table, and by page of 100,000 posts:\n\n${steps('posts', rows)}\n\n${steps('page', pages)}`,
  )
  .join('\n\n')}

**Include**: one user with 15 posts, then 15 comments of each, their authors, and 15 posts of each of those (3,840 records), of svc:

${includeTable(growth)}

**Repositories** of six fields and a relation, on SQLite: time, CPU and memory of \`svc generate\` for a fresh project and with nothing changed; until the server
answers, the CPU that takes and its memory then. \`${repositories.conditions.command}\` on ${repositories.conditions.day}${ofCommit(repositories.conditions)}.

${repositoryTable(repositories)}${aboutThousands(repositories)}
`
