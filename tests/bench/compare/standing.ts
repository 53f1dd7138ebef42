/** Where svc stands beside the others, as sentences: whatever the figures are. */
import { contestants } from './contestants.js'
import { shownItems, workTitles } from './names.js'
import type { Figures, Measured } from './results.js'
import { duration } from './svg.js'
import type { WorkItem } from './work.js'

type Place = 'behind' | 'level' | 'ahead'

interface Compared {
  readonly title: string
  readonly item: WorkItem
  readonly place: Place
  readonly own: Figures
  readonly other: Figures
}

/** Level: the lowest and highest of the rounds overlap, so no order of the two is known; or it says next to nothing. */
function placeOf(own: Figures, other: Figures): Place {
  if (Math.abs(own.cpu / other.cpu - 1) < 0.05) return 'level'
  if (own.cpuRange[0] > other.cpuRange[1]) return 'behind'
  return own.cpuRange[1] < other.cpuRange[0] ? 'ahead' : 'level'
}

function compared(measured: readonly Measured[]): readonly Compared[] {
  const measuredOf = (name: string, item: WorkItem) => {
    const found = measured.find((each) => each.name === name)
    const isThere = found?.failed === undefined && found?.failures?.[item] === undefined
    return isThere ? found?.work?.[item] : undefined
  }
  return contestants
    .filter(({ folder }) => folder !== null)
    .flatMap(({ name, title }) =>
      shownItems.flatMap((item) => {
        const [own, other] = [measuredOf('svc', item), measuredOf(name, item)]
        if (own === undefined || other === undefined) return []
        return [{ title, item, place: placeOf(own, other), own, other }]
      }),
    )
}

const figuresOf = ({ item, own, other }: Compared) =>
  `${workTitles[item]} (${duration(own.cpu)} to ${duration(other.cpu)})`

/** `Kysely: show (9 µs to 9 µs)` of each contestant for which there is any. */
function byContestant(all: readonly Compared[], place: Place) {
  const found = all.filter((each) => each.place === place)
  const titles = [...new Set(found.map((each) => each.title))]
  return titles
    .map(
      (name) =>
        `${name}: ${found
          .filter((each) => each.title === name)
          .map(figuresOf)
          .join(', ')}`,
    )
    .join('; ')
}

const keptTotals =
  'Its index is that cheap because svc remembers a total until somebody commits, and bare counts the rows anew each time: another way to answer, not a faster statement.'

/** By the CPU of a request. `remembersTotals`: as svc does on SQLite. */
export function standing(
  measured: readonly Measured[],
  { remembersTotals }: { readonly remembersTotals: boolean },
): string {
  const all = compared(measured)
  if (all.length === 0) return ''
  const behind = byContestant(all, 'behind')
  const level = byContestant(all, 'level')
  const isCheapIndex = all.some(
    (each) => each.title.endsWith('bare') && each.item === 'index' && each.place === 'ahead',
  )
  const sentences = [
    behind === ''
      ? 'svc takes more CPU than no contestant, in nothing that was measured.'
      : `svc takes more CPU than ${behind}.`,
    ...(level === ''
      ? []
      : [`Neither is ahead (the rounds overlap, or a twentieth is between them) beside ${level}.`]),
    ...(all.some(({ place }) => place === 'ahead') ? ['It takes less in all else.'] : []),
    ...(remembersTotals && isCheapIndex ? [keptTotals] : []),
  ]
  return `**Where svc loses, and where it does not.** ${sentences.join(' ')}`
}
