/** An import of an emitted file: `{ from: '#app/auth.js', names: ['auth'] }`; `* as all` is a name, too. */
export interface Import {
  readonly from: string
  readonly names: readonly string[]
  readonly isType?: boolean
}

export function importLine({ from, names, isType = false }: Import): string {
  const said = names.join(', ')
  return `import ${isType ? 'type ' : ''}${said.startsWith('*') ? said : `{ ${said} }`} from '${from}'`
}

/** As the formatter sorts them: without case, and `type` aside. */
const byName = (one: string, other: string): number => {
  const [first, second] = [one, other].map((name) => name.replace(/^type /, '').toLowerCase())
  if (first === second) return 0
  return (first ?? '') < (second ?? '') ? -1 : 1
}

/** `import * as settings`, which takes no further names. */
const isOfAll = ({ names }: Import): boolean => names.some((name) => name.startsWith('*'))

/** Returns one import of each module, with the names of all. */
export function merged(imports: readonly Import[]): readonly Import[] {
  const byModule = new Map<string, Import>()
  for (const each of imports) {
    const key = `${each.isType ?? false} ${isOfAll(each)} ${each.from}`
    const before = byModule.get(key)?.names
    const names =
      before === undefined ? each.names : [...new Set([...before, ...each.names])].toSorted(byName)
    byModule.set(key, { ...each, names })
  }
  return [...byModule.values()]
}

/** The text of a file with these imports among its own, in the order that the formatter gives them. */
export function withImports(text: string, imports: readonly Import[]): string {
  if (imports.length === 0) return text
  const [block = ''] = importBlock.exec(text) ?? []
  const own = (block.match(statement) ?? []).map((line) => importIn(line) ?? line)
  const lines = own.filter((each) => typeof each === 'string')
  const named = merged([...own.filter((each) => typeof each !== 'string'), ...imports])
  const all = [...lines, ...named.map((each) => `${importLine(each)}\n`)]
  // An import for its effect comes first, and stays there.
  const sorted = all.toSorted((one, other) => compare(placeOf(one), placeOf(other)))
  return text.replace(block, () => sorted.join(''))
}

/** Reads a line that imports names; null: it imports something else. */
function importIn(line: string): Import | null {
  const [, type, names, from] = /^import (type )?\{ ([^}]*) \} from '([^']*)'\n$/.exec(line) ?? []
  if (names === undefined || from === undefined) return null
  return { from, names: names.split(', '), isType: type !== undefined }
}

const statement = /^import\b[^']*'[^']*'\n/gm
const importBlock = new RegExp(`(?:${statement.source})+`, 'm')

const groups = [/^node:/, /^[^#./]/, /^#/, /^\.\.\//, /^\.\//]

function placeOf(line: string): readonly [number, string] {
  const module = line.slice(line.lastIndexOf("'", line.length - 3) + 1).toLowerCase()
  const isForEffect = line.startsWith("import '")
  return [isForEffect ? -1 : groups.findIndex((group) => group.test(module)), module]
}

function compare(
  [one, first]: readonly [number, string],
  [other, second]: readonly [number, string],
): number {
  if (one !== other) return one - other
  if (first === second) return 0
  return first < second ? -1 : 1
}
