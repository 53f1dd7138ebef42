/** The known name that was probably meant: a third of its letters, or fewer, are others. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const word = name.slice(0, longest).toLowerCase()
  const [best] = known
    .map((each) => ({ each, distance: distance(word, each.toLowerCase()) }))
    .toSorted((one, other) => one.distance - other.distance)
  return best !== undefined && best.distance <= word.length / 3 ? best.each : undefined
}

/** Letters of what callers send that are looked at. */
const longest = 64

/** Letters to add, leave out, replace, or swap with their neighbours. */
function distance(one: string, other: string): number {
  let before: readonly number[] = []
  let row: readonly number[] = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let index = 1; index <= one.length; index++) {
    const next = [index]
    for (let at = 1; at <= other.length; at++) {
      const replaced = (row[at - 1] ?? 0) + (one[index - 1] === other[at - 1] ? 0 : 1)
      const isSwapped = one[index - 1] === other[at - 2] && one[index - 2] === other[at - 1]
      const swapped = isSwapped ? (before[at - 2] ?? 0) + 1 : Infinity
      next.push(Math.min(replaced, swapped, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1))
    }
    before = row
    row = next
  }
  return row[other.length] ?? 0
}
