import type { Blueprint, Entity } from '../../blueprint/types.js'
import { hashOf } from '../../source/hash-of.js'
import type { Api } from './api.js'

/** By repository: a hash of all that its part of the document is made of. */
export type Made = Readonly<Record<string, string>>

/** Parts of the last document, for repositories whose part is the same today. */
export interface Kept {
  readonly has: (entity: Entity) => boolean
  readonly path: (path: string) => string | undefined
  /** @param pointer `schemas/Post` */
  readonly component: (pointer: string) => string | undefined
}

export const nothingKept: Kept = {
  has: () => false,
  path: () => undefined,
  component: () => undefined,
}

/** A repository's part shows all of the repositories that it names, and only the names of those that they name in turn. */
export function madeOf(api: Api): Made {
  const { entities, blueprint, hasStrictBodies = true } = api.project
  const { additions: own, config } = api.facts
  // Routes of signing in, which strict queries change, are no repository's; where routes are served is in their paths.
  const everywhere = hashOf([about(blueprint), own, config.hasGuard, hasStrictBodies])
  const hashes = new Map(entities.map((entity) => [entity.key, hashOf(partOf(api, entity))]))
  const named = new Map(entities.map((entity) => [entity.key, namedBy(entity)]))
  const prefixes = new Map(entities.map((entity) => [entity.key, api.prefix(entity)]))
  return Object.fromEntries(
    entities.map(({ key }) => {
      const shown = [key, ...(named.get(key) ?? [])]
      const below = [...new Set(shown.flatMap((each) => named.get(each) ?? []))]
      const parts = shown.map((each) => hashes.get(each))
      return [key, hashOf([everywhere, ...parts, ...below.map((each) => prefixes.get(each))])]
    }),
  )
}

/** The keys of the repositories that a repository refers to. */
const namedBy = ({ relations, morphs = [] }: Entity): readonly string[] => [
  ...relations.map(({ target }) => target),
  ...morphs.flatMap(({ targets }) => targets),
]

/** All of a blueprint but its repositories. */
const about = (blueprint: Blueprint) => ({ ...blueprint, entities: [] })

const partOf = (api: Api, entity: Entity) => [
  entity,
  api.codeOf(entity),
  api.prefix(entity),
  api.canInclude.has(entity.key),
  api.pointedAt.has(entity.key),
]

/** Keeps the parts of the last document that were made of the same. */
export function keptOf(text: string, before: Made, made: Made): Kept {
  const { paths, components } = readLines(text)
  return {
    has: ({ key }) => Object.hasOwn(before, key) && before[key] === made[key],
    path: (path) => paths.get(path),
    component: (pointer) => components.get(pointer),
  }
}

/** The texts of `printDocument`, by path and by pointer: each begins with its key, and only ends of them are indented less. */
function readLines(text: string) {
  const paths = new Map<string, string>()
  const components = new Map<string, string>()
  let section = ''
  let kind = ''
  for (let at = 0, end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', at)) {
    const indent = indentAt(text, at)
    if (indent === 2) section = keyAt(text, at, indent)
    if (indent === 4 && section === 'components') kind = keyAt(text, at, indent)
    if (indent === 6 && section === 'components') {
      components.set(`${kind}/${keyAt(text, at, indent)}`, valueAt(text, at, end))
    }
    if (indent === 4 && section === 'paths' && text[at + indent] === '"') {
      if (text[end - 1] === '{') end = text.indexOf('\n', text.indexOf('\n    }', end) + 1)
      paths.set(keyAt(text, at, indent), valueAt(text, at, end))
    }
    at = end + 1
  }
  return { paths, components }
}

function indentAt(text: string, at: number): number {
  let indent = 0
  while (text[at + indent] === ' ') indent += 1
  return indent
}

const keyAt = (text: string, at: number, indent: number) =>
  text.slice(at + indent + 1, text.indexOf('"', at + indent + 1))

/** Behind the key, without the comma. */
function valueAt(text: string, at: number, end: number): string {
  const start = text.indexOf('": ', at) + 3
  return text.slice(start, text[end - 1] === ',' ? end - 1 : end)
}
