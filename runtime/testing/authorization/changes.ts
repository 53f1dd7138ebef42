/** Lists the differences of two matrices, a line for each cell. */
export function changesOf(before: string, after: string): readonly string[] {
  const old = cellsIn(before)
  const now = cellsIn(after)
  const changed = [...now].flatMap(([place, cell]) => {
    const was = old.get(place)
    if (was === undefined) return [`${place} is new: ${cell}`]
    return was === cell ? [] : [`${place} was ${was} and is ${cell}`]
  })
  const gone = [...old.keys()].filter((place) => !now.has(place))
  return [...changed, ...gone.map((place) => `${place} is gone`)]
}

/** By repository, operation and role. */
function cellsIn(text: string): ReadonlyMap<string, string> {
  const cells = new Map<string, string>()
  let title = ''
  let roles: readonly string[] = []
  for (const line of text.split('\n')) {
    if (line.startsWith('## ')) title = line.slice(3)
    if (!line.startsWith('| ')) continue
    const [label = '', ...values] = line.slice(2, -2).split(/ \| /)
    if (label === '') roles = values
    if (label === '' || label === '---') continue
    for (const [at, cell] of values.entries()) {
      cells.set(`${title}: ${label.replaceAll('`', '')} for ${roles[at] ?? ''}`, cell)
    }
  }
  return cells
}
