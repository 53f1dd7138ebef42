import { Caller } from '../../database/caller.js'
import type { Connection } from '../../database/types.js'
import { sentence, worded } from '../../input/messages.js'
import type { Access, AccessRequest, Entity, Row } from '../../model/entity.js'
import { notThere } from '../../operations/refused-by-database.js'
import { whichExist } from '../../operations/which-exist.js'
import { accessTo, visibleRows } from '../../policy/access.js'
import type { Target } from './entries.js'

/**
 * What is wrong with the foreign keys among `values`: each must point at a record the user may see.
 * One statement for all.
 */
export async function foreignErrors(
  { entity, request }: Access,
  targets: ReadonlyMap<string, Target | null>,
  values: Row,
  connection: Connection = entity.database,
): Promise<Map<string, string[]>> {
  const names: string[] = []
  const asked: (readonly [Entity, readonly unknown[]])[] = []
  for (const [column, target] of targets) {
    if (target === null || !Object.hasOwn(values, column) || values[column] === null) continue
    const access = accessTo(request, target().definition)
    names.push(column)
    asked.push([access.entity, [{ id: values[column] }, await visibleRows(access)]])
  }
  const found = await whichExist(connection, asked, assuming(request))
  const missing = names.filter((_, at) => found[at] !== true)
  return new Map(
    missing.map((column) => [column, [sentence(column, worded(notThere, 'exists'), entity.key)]]),
  )
}

/** What the write relies on is read beside this, in one round trip. */
function assuming({ assumption }: AccessRequest): Caller | undefined {
  if (assumption === undefined) return undefined
  const caller = new Caller()
  caller.assume(assumption)
  return caller
}
