import type { Comparison, Difference } from './compare.js'
import { colors } from './lines.js'

const personText = ({ user }: Pick<Difference, 'user'>) =>
  user === null ? 'guest' : `${user.name} (${user.id})`

function rowsText({ count, ids }: Difference['gains'], isWithoutRows: boolean): string {
  if (count === 0) return ''
  if (isWithoutRows) return 'yes'
  const more = count > ids.length ? ', …' : ''
  return `${count.toLocaleString('en')}: ${ids.join(', ')}${more}`
}

type Cells = readonly [what: string, user: string, gains: string, loses: string]

const cellsOf = (each: Difference): Cells => [
  `${each.repository} ${each.operation}`,
  personText(each),
  rowsText(each.gains, each.isWithoutRows),
  rowsText(each.loses, each.isWithoutRows),
]

const nothing = ({ problems }: Comparison): string =>
  problems.length === 0
    ? 'Nobody gains or loses anything.'
    : 'Of what could be compared, nobody gains or loses anything.'

const saidOf = ({ users, notes, problems }: Comparison): readonly string[] => [
  `Compared for ${users.map((user) => (user === null ? 'a guest' : personText({ user }))).join(', ')}.`,
  ...notes,
  ...problems,
]

/** For a terminal: in columns. */
export function comparisonLines(found: Comparison, isColored = false): readonly string[] {
  const paint = colors(isColored)
  const rows = found.differences.map(cellsOf)
  const heads: Cells = ['', 'who', 'gains', 'loses']
  const widths = heads.map((head, at) =>
    Math.max(...[head, ...rows.map((row) => row[at] ?? '')].map((each) => each.length)),
  )
  const line = (cells: Cells) =>
    cells
      .map((cell, at) => {
        const text = cell.padEnd(widths[at] ?? 0)
        return at === 2 ? paint.added(text) : at === 3 ? paint.removed(text) : text
      })
      .join('  ')
      .trimEnd()
  return [
    ...(rows.length === 0 ? [nothing(found)] : [line(heads), ...rows.map(line)]),
    '',
    ...saidOf(found),
  ]
}

/** For a review. */
export function comparisonMarkdown(found: Comparison): readonly string[] {
  const { differences } = found
  const said = saidOf(found)
  const row = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll(/[|\\]/g, '\\$&')).join(' | ')} |`
  const rows = differences.map((each) => row(cellsOf(each)))
  const table = [row(['', 'Who', 'Gains', 'Loses']), row(['---', '---', '---', '---']), ...rows]
  return [...(rows.length === 0 ? [nothing(found)] : table), '', ...said.map((each) => `- ${each}`)]
}
