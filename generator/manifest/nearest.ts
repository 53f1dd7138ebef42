/** The known name that was probably meant: few letters away, or the same in another case. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  return near(name, known)[0]
}

/** Lists the names that may be meant, and the first ones, where too many are known to read them. */
export const someOf = (name: string, known: readonly string[]): readonly string[] => [
  ...new Set([...near(name, known), ...known.slice(0, 5)]),
  '…',
]

const near = (name: string, known: readonly string[]): readonly string[] =>
  ranked(name, known)
    .filter(({ candidate, distance: letters }) => {
      // Any letter is one away from any other: that is no likeness.
      const isWord = Math.min(fold(name).length, fold(candidate).length) > 1
      return letters <= (isWord ? Math.max(1, Math.floor(name.length / 3)) : 0)
    })
    .map(({ candidate }) => candidate)

const ranked = (name: string, known: readonly string[]) =>
  known
    .map((candidate) => ({ candidate, distance: distance(fold(name), fold(candidate)) }))
    .toSorted((one, other) => one.distance - other.distance)

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
