import type { Growth, Point, Repositories } from './results.js'
import { duration, legend, lines, picture, type Line } from './svg.js'

const width = 360
const height = 130
const across = (column: number) => 70 + column * (width + 100)
const down = (row: number) => 66 + row * (height + 84)

const looks: readonly Line['look'][] = ['a', 'b', 'c', 'd']

/** How long a request takes that is alone, in microseconds, by contestant and question. */
function latencies(points: readonly Point[]): Line[] {
  const kinds = ['show', 'index'].flatMap((what) =>
    ['svc', 'bare'].map((contestant) => ({ what, contestant })),
  )
  return kinds.flatMap(({ what, contestant }, at) => {
    const own = points.filter((each) => each.what === what && each.contestant === contestant)
    if (own.length === 0) return []
    const values = own.map(({ at, p50 }): [number, number] => [at, p50 * 1_000])
    return [{ name: `${contestant}, ${what}`, look: looks[at] ?? 'a', points: values }]
  })
}

/** By how many rows there are, how deep the page is, how deep the include; and by repositories. */
export function growthPicture({ databases }: Growth, { points }: Repositories): string {
  const axes = (column: number, row: number, title: string) => ({
    x: across(column),
    y: down(row),
    width,
    height,
    title,
    unit: duration,
  })
  const parts = databases.flatMap(({ version, rows, pages }, column) => [
    ...lines(axes(column, 0, `${version}: posts in the table`), latencies(rows)),
    ...lines(axes(column, 1, `${version}: page of 100,000 posts`), latencies(pages)),
  ])
  const includes = databases.map(({ includes }, at): Line => ({
    name: '',
    look: at === 0 ? 'a' : 'c',
    points: includes.map((each) => [each.at, each.cpu]),
  }))
  const measured = points.filter(({ failed }) => failed === undefined)
  const ofRepositories: Line[] = [
    { name: '', look: 'a', points: measured.map((each) => [each.size, each.showCpu ?? 0]) },
    { name: '', look: 'c', points: measured.map((each) => [each.size, (each.startMs ?? 0) * 1e3]) },
    {
      name: '',
      look: 'd',
      points: measured.map((each) => [each.size, (each.generated?.cpu ?? 0) * 1e3]),
    },
  ]
  const bottom = down(2) + height
  return picture('How the cost of a request grows', across(2) - 20, bottom + 76, [
    ...legend(across(0), 22, latencies(databases[0]?.rows ?? [])),
    ...parts,
    ...lines(axes(0, 2, 'svc, CPU by depth of the include'), includes),
    ...lines(axes(1, 2, 'svc, by number of repositories'), ofRepositories),
    ...legend(across(0), bottom + 46, [
      { name: 'SQLite', look: 'a' },
      { name: 'PostgreSQL', look: 'c' },
    ]),
    ...legend(across(1), bottom + 46, [
      { name: 'CPU of a show', look: 'a' },
      { name: 'until it answers', look: 'c' },
    ]),
    ...legend(across(1), bottom + 66, [{ name: 'CPU of svc generate', look: 'd' }]),
  ])
}
