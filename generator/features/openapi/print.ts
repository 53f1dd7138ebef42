import type { Json } from '../../blueprint/types.js'
import type { Data } from './facts.js'
import { isData, merged } from './own.js'

/** A document in parts, each made when it is printed and then forgotten: there may be ten thousand operations. */
export interface Parts {
  /** The members before paths and components. */
  readonly head: Data
  readonly paths: readonly (readonly [path: string, make: () => Item | string])[]
  /** Returns a component; a text is as it was printed before. Called once for each. */
  readonly component: (kind: string, name: string) => Data | string | undefined
  /** `securitySchemes/bearer`: what is there though nothing refers to it. */
  readonly always: readonly string[]
}

/** The members of a path, by key, each as JSON. */
export type Item = readonly (readonly [key: string, text: string])[]

/**
 * One line for each operation and each component: a change of one is a change of one line, and merges as one. Paths and
 * components are sorted; what the developer says stands over them. A component of ours that nothing refers to is left out.
 */
export function printDocument({ head, paths, ...parts }: Parts, additions: Data): string {
  const { paths: ownPaths, components: ownComponents, ...ownHead } = additions
  const items = printPaths(paths, dataIn(ownPaths))
  const texts = componentTexts(parts, items, dataIn(ownComponents))
  const lines = [
    ...Object.entries(merged(head, ownHead)).map(([key, data]) => line(2, key, print(data))),
    line(2, 'paths', braces(2, items)),
    line(2, 'components', printComponents(texts)),
  ]
  return `${braces(0, lines)}\n`
}

const print = (data: Json) => JSON.stringify(data)

const line = (indent: number, key: string, text: string) =>
  `${' '.repeat(indent)}${JSON.stringify(key)}: ${text}`

const braces = (indent: number, lines: readonly string[]) =>
  lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n${' '.repeat(indent)}}`

export const dataIn = (value: Json | undefined): Data => (isData(value) ? value : {})

const member = (data: Data, name: string) => (Object.hasOwn(data, name) ? data[name] : undefined)

/** One value with another over it, where there is one. */
function over(described: Data, additions: Json | undefined): Json {
  if (additions === undefined) return described
  return isData(additions) ? merged(described, additions) : additions
}

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]) =>
  a < b ? -1 : 1

function printPaths(paths: Parts['paths'], additions: Data): readonly string[] {
  const known = new Set(paths.map(([path]) => path))
  const added = Object.keys(additions).filter((path) => !known.has(path))
  return [...paths, ...added.map((path) => [path, () => []] as const)]
    .toSorted(byName)
    .map(([path, make]) => line(4, path, printItem(make(), member(additions, path))))
}

function printItem(item: Item | string, additions: Json | undefined): string {
  if (typeof item === 'string') return item
  if (additions === undefined)
    return braces(
      4,
      item.map(([key, text]) => line(6, key, text)),
    )
  const described = Object.fromEntries(item.map(([key, text]) => [key, JSON.parse(text) as Json]))
  const data = over(described, additions)
  if (!isData(data)) return print(data)
  return braces(
    4,
    Object.entries(data).map(([key, value]) => line(6, key, print(value))),
  )
}

/** Texts of components by kind and name. */
type Texts = ReadonlyMap<string, ReadonlyMap<string, string>>

/** All that paths, and what they refer to, refer to; and what the developer adds. */
function componentTexts(
  { component, always }: Pick<Parts, 'component' | 'always'>,
  items: readonly string[],
  additions: Data,
): Texts {
  const texts = new Map<string, Map<string, string>>()
  const found = new Set<string>()
  const left = [...items]
  const find = (pointer: string) => {
    if (found.has(pointer)) return
    found.add(pointer)
    const [kind = '', name = '', ...below] = pointer.split('/')
    if (below.length > 0) return find(`${kind}/${name}`)
    const text = textOf(component(kind, name), member(dataIn(member(additions, kind)), name))
    if (text === undefined) return
    const known = texts.get(kind) ?? new Map<string, string>()
    texts.set(kind, known.set(name, text))
    left.push(text)
  }
  always.forEach(find)
  for (const [kind, named] of Object.entries(additions)) {
    for (const name of Object.keys(dataIn(named))) find(`${kind}/${name}`)
  }
  for (let text = left.pop(); text !== undefined; text = left.pop()) findPointers(text, find)
  return texts
}

/** A component with what the developer says over it. */
function textOf(
  described: Data | string | undefined,
  additions: Json | undefined,
): string | undefined {
  if (typeof described === 'string') return described
  if (described !== undefined) return print(over(described, additions))
  return additions === undefined ? undefined : print(additions)
}

const start = '"#/components/'

/** Without a pattern, which takes three times as long on megabytes. */
function findPointers(text: string, find: (pointer: string) => void): void {
  for (let at = text.indexOf(start); at !== -1; at = text.indexOf(start, at)) {
    at += start.length
    find(text.slice(at, text.indexOf('"', at)))
  }
}

function printComponents(texts: Texts): string {
  const kinds = [...texts].toSorted(byName).map(([kind, named]) => {
    const lines = [...named].toSorted(byName).map(([name, text]) => line(6, name, text))
    return line(4, kind, braces(4, lines))
  })
  return braces(2, kinds)
}
