import type { Entity } from '../model/entity.js'
import { isComposite } from './condition-sql.js'
import { operands } from './condition.js'

/**
 * The columns of the record that a condition looks at; null where it looks further: at related
 * records, or with SQL of its own.
 */
export function columnsRead({ columns }: Entity, condition: unknown): ReadonlySet<string> | null {
  if (typeof condition !== 'object' || condition === null) return new Set()
  if (!isComposite(condition)) {
    const names = Object.keys(condition)
    return names.every((name) => columns.has(name)) ? new Set(names) : null
  }
  if (condition.combines === 'sql') return null
  const read = new Set<string>()
  for (const part of condition[operands]) {
    const names = columnsRead({ columns } as Entity, part)
    if (names === null) return null
    for (const name of names) read.add(name)
  }
  return read
}
