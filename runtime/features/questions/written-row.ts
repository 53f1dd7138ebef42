import type { Parameter } from '../../database/types.js'
import { HttpError } from '../../errors.js'
import { columnNamed } from '../../model/entity-columns.js'
import type { Access, Row, Write } from '../../model/entity.js'
import { readId } from '../../model/ids.js'
import { readRow } from '../../operations/read.js'
import type { NewValues } from '../../operations/row-after.js'
import {
  fillValues,
  readInput,
  stamped,
  startingValues,
  toStore,
} from '../../operations/write-values.js'
import { visibleWithId } from '../../policy/access.js'

type Written = { readonly values: NewValues } | { readonly error: HttpError }

/** What storing this body would write, or what is wrong with it. Hooks before it are not called. */
export function valuesOfNew(access: Access, body: Row): Promise<Written> {
  const asked: Write = { operation: 'store', idText: null, body }
  return orError(async () => {
    const input = await readInput(access, asked, { extent: 'whole' })
    if ('error' in input) throw input.error
    const filled = await fillValues(access, startingValues(access, input.values), 'store')
    return encoded(access, stamped(access, filled, asked))
  })
}

/** The same of changing a record. */
export function valuesOfChange(
  access: Access,
  idText: string,
  body: Row,
  extent: 'whole' | 'part',
): Promise<Written> {
  const asked: Write = { operation: 'update', idText, body }
  const { entity } = access
  const id = readId(entity.id, idText)
  return orError(async () => {
    const stored = async () => readRow(entity, await visibleWithId(access, id))
    const input = await readInput(access, asked, { extent, stored })
    if ('error' in input) throw input.error
    const filled = await fillValues(access, input.values, 'update')
    return encoded(access, stamped(access, filled, asked))
  })
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
  const stored = await toStore(access, values, columns)
  return new Map(
    columns.map((name, at): readonly [string, Parameter] => {
      const value = stored[at] ?? null
      return [name, value === null ? null : columnNamed(entity, name).encode(value)]
    }),
  )
}
