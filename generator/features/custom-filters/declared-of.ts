import { literal } from '../../source/literal.js'
import type { CustomFilter } from './check.js'

const plainTypes = { boolean: 'boolean', number: 'number', text: 'string', timestamp: 'string' }

/** The TypeScript of a value, as its answer gets it, and as a client sends it. */
export function typeOfValue({ kind, options = [] }: CustomFilter): string {
  const words = options.map(literal).join(' | ')
  if (kind === 'select') return words
  return kind === 'multiSelect' ? `readonly (${words})[]` : plainTypes[kind]
}
