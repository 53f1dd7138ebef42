import type { Json } from '../../blueprint/types.js'
import type { Data } from './facts.js'

/** Paths and components by name; what nothing refers to is left out. */
export function sorted(document: Data): Data {
  const { paths = {}, components = {} } = document as Readonly<Record<string, Data>>
  const used = referencesIn(document)
  const parts = Object.entries(components).map(([part, named]) => {
    const kept = Object.entries(named as Data).filter(
      ([name]) => part === 'securitySchemes' || used.has(`#/components/${part}/${name}`),
    )
    return [part, Object.fromEntries(kept.toSorted(byName))] as const
  })
  return {
    ...document,
    paths: Object.fromEntries(Object.entries(paths).toSorted(byName)),
    components: Object.fromEntries(
      parts.filter(([, named]) => Object.keys(named).length > 0).toSorted(byName),
    ),
  }
}

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]) =>
  a < b ? -1 : 1

/** What is referred to, from the paths on. With a list of its own: relations may lead through a thousand repositories. */
function referencesIn(document: Data): ReadonlySet<string> {
  const found = new Set<string>()
  const components = document['components'] as Readonly<Record<string, Data>>
  const left: (Json | undefined)[] = [document['paths']]
  while (left.length > 0) {
    const value = left.pop()
    if (typeof value !== 'object' || value === null) continue
    for (const [key, inner] of Object.entries(value) as [string, Json][]) {
      if (key !== '$ref' || typeof inner !== 'string') left.push(inner)
      else if (!found.has(inner)) {
        found.add(inner)
        const [, , part = '', name = ''] = inner.split('/')
        left.push(components[part]?.[name])
      }
    }
  }
  return found
}
