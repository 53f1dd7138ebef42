/** The known name that was probably meant: few letters away, or the same in another case. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const ranked = known
    .map((candidate) => ({ candidate, distance: distance(fold(name), fold(candidate)) }))
    .toSorted((one, other) => one.distance - other.distance)
  const best = ranked[0]
  const allowed = Math.max(1, Math.floor(name.length / 3))
  return best !== undefined && best.distance <= allowed ? best.candidate : undefined
}

const fold = (name: string) => name.toLowerCase().replace(/[-_]/g, '')

/** Letters to add, leave out, replace, or swap with their neighbours. */
function distance(one: string, other: string): number {
  let before: readonly number[] = []
  let row: readonly number[] = Array.from({ length: other.length + 1 }, (_, place) => place)
  for (let index = 1; index <= one.length; index++) {
    const next = [index]
    for (let place = 1; place <= other.length; place++) {
      const isSame = one[index - 1] === other[place - 1]
      const isSwapped = one[index - 1] === other[place - 2] && one[index - 2] === other[place - 1]
      const costs = [
        at(row, place - 1) + (isSame ? 0 : 1),
        at(row, place) + 1,
        at(next, place - 1) + 1,
        ...(isSwapped && index > 1 ? [at(before, place - 2) + 1] : []),
      ]
      next.push(Math.min(...costs))
    }
    before = row
    row = next
  }
  return at(row, other.length)
}

const at = (row: readonly number[], place: number) => row[place] ?? Infinity
