import { checkValues, type Input } from '../../input/validation.js'
import type { Row } from '../../model/entity.js'
import type { ThroughPivot } from '../relations/entries.js'

/** The names of pivot fields in a body, where that of the relation stands for the ids. */
export const pivotNames = ({ pivot }: ThroughPivot, key: string): string[] =>
  Object.keys(pivot.rules ?? {}).filter((name) => name !== key)

/** The pivot fields of a body. */
export const readPivotValues = (relation: ThroughPivot, key: string, input: Input) =>
  checkValues(relation.pivot.rules ?? {}, pivotNames(relation, key), input)

/** Values of a new pivot row: those of the body over the defaults. */
export function newPivotValues({ pivot }: ThroughPivot, values: Row): Row {
  return Object.assign({}, pivot.defaults, values)
}
