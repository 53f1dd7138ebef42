import { HttpError } from '../../errors.js'
import type { Access, PlannedRecord, Row, Write } from '../../model/entity.js'
import { readId } from '../../model/ids.js'
import { readRow } from '../../operations/read.js'
import type { NewValues } from '../../operations/row-after.js'
import { readInputs, throwInputProblems } from '../../operations/write/inputs.js'
import { alone } from '../../operations/write/places.js'
import type { Target } from '../../operations/write/plan.js'
import { recordWithSteps, withoutSql } from '../../operations/write/steps.js'
import {
  encodedValues,
  fillValues,
  stamped,
  startingValues,
} from '../../operations/write/values.js'
import { visibleWithId } from '../../policy/access.js'

type Written = { readonly values: NewValues } | { readonly error: HttpError }

/**
 * Returns the values that storing this body would write, or its errors. Hooks before it are not
 * called.
 */
export function valuesOfNew(access: Access, body: Row): Promise<Written> {
  const write: Write = { operation: 'store', idText: null, body }
  return orError(async () => {
    const record = recordWithSteps(access, { id: null, write })
    const input = await inputOf(record, 'whole')
    const filled = await fillValues(access, startingValues(access, input), 'store')
    return encoded(access, stamped(record, filled))
  })
}

/** Returns the values that changing a record would write, or the errors of the body. */
export function valuesOfChange(
  access: Access,
  idText: string,
  body: Row,
  extent: 'whole' | 'part',
): Promise<Written> {
  const write: Write = { operation: 'update', idText, body }
  const { entity } = access
  const id = readId(entity.id, idText)
  return orError(async () => {
    const filter = await visibleWithId(access, id)
    const rows = async () => {
      const row = await readRow(entity, filter)
      return new Map(row === null ? [] : [[id, row]])
    }
    const record = recordWithSteps(access, { id, write })
    const input = await inputOf(record, extent, { filter, rows })
    const filled = await fillValues(access, input, 'update')
    return encoded(access, withoutSql(entity, stamped(record, filled)).values)
  })
}

async function inputOf(
  record: PlannedRecord,
  extent: 'whole' | 'part',
  target?: Target,
): Promise<Row> {
  const { access } = record
  const strict = access.entity.settings.strictBodies
  const plan = { access, records: [record], placeOf: alone, strict }
  const { inputs, problems } = await readInputs(plan, extent, target)
  throwInputProblems(plan, problems)
  return inputs[0] ?? {}
}

async function orError(work: () => Promise<NewValues>): Promise<Written> {
  try {
    return { values: await work() }
  } catch (error) {
    if (error instanceof HttpError) return { error }
    throw error
  }
}

async function encoded(access: Access, values: Row): Promise<NewValues> {
  const { entity } = access
  const columns = [...entity.columns.keys()].filter((each) => Object.hasOwn(values, each))
  const stored = await encodedValues(access, values, columns)
  return new Map(columns.map((name, at) => [name, stored[at] ?? null] as const))
}
