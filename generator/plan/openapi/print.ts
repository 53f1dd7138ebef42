import type { Json } from '../../blueprint/types.js'
import type { Data } from './facts.js'

/** One line for each operation and each component: a change of one is a change of one line, and merges as one. */
export function printDocument(document: Data): string {
  const lines = Object.entries(document).map(([key, value]) => {
    return `  ${JSON.stringify(key)}: ${broken(value, '  ', isListed.has(key) ? 2 : 0)}`
  })
  return `{\n${lines.join(',\n')}\n}\n`
}

/** Of paths, each has its methods; of components, each kind has its names. */
const isListed = new Set(['paths', 'components'])

function broken(value: Json, indent: string, depth: number): string {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  if (depth === 0 || !isObject || Object.keys(value).length === 0) return JSON.stringify(value)
  const lines = Object.entries(value).map(([key, inner]: [string, Json]) => {
    return `${indent}  ${JSON.stringify(key)}: ${broken(inner, `${indent}  `, depth - 1)}`
  })
  return `{\n${lines.join(',\n')}\n${indent}}`
}
