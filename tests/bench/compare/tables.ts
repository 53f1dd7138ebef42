/** Markdown tables of one database. */
import { contestants, type Contestant } from './contestants.js'
import { shownItems, workTitles } from './names.js'
import type { Figures, Measured } from './results.js'
import { duration } from './svg.js'
import type { WorkItem } from './work.js'

interface Row extends Contestant {
  readonly measured: Measured
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [
    line(head),
    line(head.map((_, at) => (at === 0 ? '---' : '--:'))),
    ...rows.map(line),
  ].join('\n')
}

/** In the order of the table of contestants. */
function rowsOf(measured: readonly Measured[]): Row[] {
  return contestants.flatMap((contestant) => {
    const found = measured.find(({ name }) => name === contestant.name)
    return found === undefined ? [] : [{ ...contestant, measured: found }]
  })
}

/** A dash where a contestant has no such thing, a word where it did not run. */
function ofItems(
  measured: readonly Measured[],
  cell: (figures: Figures, item: WorkItem) => string,
): string {
  const head = ['', ...shownItems.map((item) => workTitles[item])]
  const rows = rowsOf(measured).map(({ title, measured: { failed, failures, work } }) => [
    title,
    ...shownItems.map((item) => {
      if (failed !== undefined || failures?.[item] !== undefined) return 'failed'
      const figures = work?.[item]
      return figures === undefined ? '–' : cell(figures, item)
    }),
  ])
  return table(head, rows)
}

export const thousands = (value: number): string => value.toLocaleString('en')

/** How many times the CPU of bare a contestant's is contained in it: above 1 it is cheaper. */
export function ratio(bare: Figures | undefined, figures: Figures): string {
  return bare === undefined ? '' : ` · ${(bare.cpu / figures.cpu).toFixed(2)}`
}

export function cpuTable(measured: readonly Measured[]): string {
  const bare = measured.find(({ name }) => name === 'bare')?.work
  return ofItems(
    measured,
    (figures, item) => `${duration(figures.cpu)}${ratio(bare?.[item], figures)}`,
  )
}

export const rateTable = (measured: readonly Measured[]): string =>
  ofItems(measured, ({ perSecond, p99 }) =>
    p99 === null ? thousands(perSecond) : `${thousands(perSecond)} · ${p99} ms`,
  )

export const statementTable = (measured: readonly Measured[]): string =>
  ofItems(measured, ({ statements, roundTrips }) =>
    roundTrips === null ? `${statements}` : `${statements} · ${roundTrips}`,
  )

export const bytesTable = (measured: readonly Measured[]): string =>
  ofItems(measured, ({ bytes }) => thousands(bytes))

export function memoryTable(measured: readonly Measured[]): string {
  const rows = rowsOf(measured)
    .filter(({ measured: { failed } }) => failed === undefined)
    .map(({ title, measured: { startMs, idleMb, peakMb } }) => [
      title,
      `${thousands(startMs ?? 0)} ms`,
      `${idleMb} MB`,
      `${peakMb} MB`,
    ])
  return table(['', 'start', 'memory, started', 'memory, at most'], rows)
}

/** By name and reason. */
export const failuresOf = (measured: readonly Measured[]): string[] =>
  rowsOf(measured).flatMap(({ title, measured: { failed, failures = {} } }) => [
    ...(failed === undefined ? [] : [`- ${title} did not run: ${oneLine(failed)}`]),
    ...Object.entries(failures).map(([item, why]) => `- ${title}, ${item}: ${why}`),
  ])

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ')
