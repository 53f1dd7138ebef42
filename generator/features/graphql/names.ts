import type { Entity } from '../../blueprint/types.js'
import { isInSchema, type GraphqlSettings } from './settings.js'

const taken = [
  'Query',
  'Mutation',
  'Subscription',
  'String',
  'Int',
  'Float',
  'Boolean',
  'ID',
  'JSON',
]

/** The names of the types of the repositories in the schema, by URI key. */
export function typeNames(
  entities: readonly Entity[],
  settings: GraphqlSettings,
): ReadonlyMap<string, string> {
  const used = new Set(taken.map(fold))
  const names = new Map<string, string>()
  for (const { key, name } of entities) {
    if (!isInSchema(settings, key)) continue
    const type = free(settings.repositories.names[key] ?? name, used)
    names.set(key, type)
    for (const each of claimed(type)) used.add(fold(each))
  }
  return names
}

/** With what is derived from it: a type `PostList` beside `Post` would have the query `postList`. */
export const claimed = (type: string): readonly string[] => [
  type,
  ...['Input', 'CreateInput', 'Match', 'List', 'ListTotal'].map((end) => type + end),
]

function free(name: string, used: ReadonlySet<string>): string {
  return claimed(name).some((each) => used.has(fold(each))) ? free(`${name}Record`, used) : name
}

const fold = (name: string) => name.toLowerCase()

/** Gives each name once; to one that is given already, the ending is added. */
export type FreeName = (name: string, ending?: string) => string

/** Names besides those of the repositories' types, and of the scalars that the config names. */
export function freeNames(
  types: ReadonlyMap<string, string>,
  { types: byKind, fields }: GraphqlSettings,
): FreeName {
  const scalars = [...Object.values(byKind), ...Object.values(fields)]
  return namesBeside([
    ...taken,
    ...[...types.values()].flatMap(claimed),
    ...scalars.map((name) => name.replaceAll(/\W/g, '')),
  ])
}

/** Names besides these. */
export function namesBeside(names: readonly string[]): FreeName {
  const used = new Set(names.map(fold))
  return (name, ending = 'Record') => {
    let free = name
    while (used.has(fold(free))) free += ending
    used.add(fold(free))
    return free
  }
}

export const lowerFirst = (name: string) => name.charAt(0).toLowerCase() + name.slice(1)
