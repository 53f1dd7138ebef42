import { checkValues, type Input } from '../../input/validation.js'
import type { Row } from '../../model/entity.js'
import type { ThroughPivot } from '../relations/entries.js'

/** The pivot fields of a body. */
export function readPivotValues({ pivot }: ThroughPivot, key: string, input: Input) {
  const rules = pivot.rules ?? {}
  const names = Object.keys(rules).filter((name) => name !== key)
  return checkValues(rules, names, input)
}

/** Values of a new pivot row: those of the body over the defaults. */
export function newPivotValues({ pivot }: ThroughPivot, values: Row): Row {
  return Object.assign({}, pivot.defaults, values)
}
