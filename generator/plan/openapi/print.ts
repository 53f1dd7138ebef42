import type { Json } from '../../blueprint/types.js'
import type { Data } from './facts.js'
import { isData, merged } from './own.js'

/** A document in parts, each made when it is printed and then forgotten: there may be ten thousand operations. */
export interface Parts {
  /** What stands before paths and components. */
  readonly head: Data
  readonly paths: readonly (readonly [path: string, make: () => Item])[]
  /** Components by their kind and name, as many of a kind at once as are made together. */
  readonly components: Iterable<readonly [kind: string, named: Data]>
}

/** What a path holds, by key, each as JSON. */
export type Item = readonly (readonly [key: string, text: string])[]

/**
 * One line for each operation and each component: a change of one is a change of one line, and merges as one. Paths and
 * components are sorted; what the developer says stands over them. A component of ours that nothing refers to is left out.
 */
export function printDocument({ head, paths, components }: Parts, own: Data): string {
  const { paths: ownPaths, components: ownComponents, ...ownHead } = own
  const items = printPaths(paths, dataIn(ownPaths))
  const texts = componentTexts(components, dataIn(ownComponents))
  const lines = [
    ...Object.entries(merged(head, ownHead)).map(([key, data]) => line(2, key, print(data))),
    line(2, 'paths', braces(2, items)),
    line(2, 'components', printComponents(texts, reached(texts, items, dataIn(ownComponents)))),
  ]
  return `${braces(0, lines)}\n`
}

const print = (data: Json) => JSON.stringify(data)

const line = (indent: number, key: string, text: string) =>
  `${' '.repeat(indent)}${JSON.stringify(key)}: ${text}`

const braces = (indent: number, lines: readonly string[]) =>
  lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n${' '.repeat(indent)}}`

const dataIn = (value: Json | undefined): Data => (isData(value) ? value : {})

const member = (data: Data, name: string) => (Object.hasOwn(data, name) ? data[name] : undefined)

/** One value with another over it, where there is one. */
function over(described: Data, own: Json | undefined): Json {
  if (own === undefined) return described
  return isData(own) ? merged(described, own) : own
}

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]) =>
  a < b ? -1 : 1

function printPaths(paths: Parts['paths'], own: Data): readonly string[] {
  const known = new Set(paths.map(([path]) => path))
  const added = Object.keys(own).filter((path) => !known.has(path))
  return [...paths, ...added.map((path) => [path, () => []] as const)]
    .toSorted(byName)
    .map(([path, make]) => line(4, path, printItem(make(), member(own, path))))
}

function printItem(item: Item, own: Json | undefined): string {
  if (own === undefined)
    return braces(
      4,
      item.map(([key, text]) => line(6, key, text)),
    )
  const described = Object.fromEntries(item.map(([key, text]) => [key, JSON.parse(text) as Json]))
  const data = over(described, own)
  if (!isData(data)) return print(data)
  return braces(
    4,
    Object.entries(data).map(([key, value]) => line(6, key, print(value))),
  )
}

/** Texts of components by kind and name. */
type Texts = ReadonlyMap<string, ReadonlyMap<string, string>>

function componentTexts(components: Parts['components'], own: Data): Texts {
  const texts = new Map<string, Map<string, string>>()
  const textsOf = (kind: string) => {
    const known = texts.get(kind) ?? new Map<string, string>()
    texts.set(kind, known)
    return known
  }
  for (const [kind, named] of components) {
    const known = textsOf(kind)
    const said = dataIn(member(own, kind))
    for (const [name, data] of Object.entries(named)) {
      known.set(name, print(over(dataIn(data), member(said, name))))
    }
  }
  for (const [kind, named] of Object.entries(own)) {
    const known = textsOf(kind)
    for (const [name, data] of Object.entries(dataIn(named))) {
      if (!known.has(name)) known.set(name, print(data))
    }
  }
  return texts
}

/** `schemas/Post` of all that paths, and what they refer to, refer to; and what the developer adds. */
function reached(texts: Texts, items: readonly string[], own: Data): ReadonlySet<string> {
  const found = new Set<string>()
  const left = [...items]
  const find = (pointer: string) => {
    if (found.has(pointer)) return
    found.add(pointer)
    const [kind = '', name = '', ...below] = pointer.split('/')
    if (below.length > 0) return find(`${kind}/${name}`)
    const text = texts.get(kind)?.get(name)
    if (text !== undefined) left.push(text)
  }
  for (const name of texts.get('securitySchemes')?.keys() ?? []) find(`securitySchemes/${name}`)
  for (const [kind, named] of Object.entries(own)) {
    for (const name of Object.keys(dataIn(named))) find(`${kind}/${name}`)
  }
  for (let text = left.pop(); text !== undefined; text = left.pop()) findPointers(text, find)
  return found
}

const start = '"#/components/'

/** Without a pattern, which takes three times as long on megabytes. */
function findPointers(text: string, find: (pointer: string) => void): void {
  for (let at = text.indexOf(start); at !== -1; at = text.indexOf(start, at)) {
    at += start.length
    find(text.slice(at, text.indexOf('"', at)))
  }
}

function printComponents(texts: Texts, kept: ReadonlySet<string>): string {
  const kinds = [...texts].toSorted(byName).flatMap(([kind, named]) => {
    const lines = [...named]
      .filter(([name]) => kept.has(`${kind}/${name}`))
      .toSorted(byName)
      .map(([name, text]) => line(6, name, text))
    return lines.length === 0 ? [] : [line(4, kind, braces(4, lines))]
  })
  return braces(2, kinds)
}
