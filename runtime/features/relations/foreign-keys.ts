import type { Connection } from '../../database/types.js'
import { accessTo, type Access, visibleRows } from '../../policy/access.js'
import type { Row } from '../../model/definition.js'
import { type Described, describeAll } from '../../policy/parse-condition.js'
import { type Entity, entityOf } from '../../model/entity.js'
import { sentence } from '../../input/messages.js'
import { run } from '../../sql/statement-cache.js'
import { visiblePlan } from '../../operations/write-sql.js'

/**
 * What is wrong with the foreign keys among `values`: each must point at a record the user may see.
 * One statement for all.
 */
export async function foreignErrors(
  access: Access,
  values: Row,
  connection: Connection = access.entity.database,
): Promise<Map<string, string[]>> {
  const { entity } = access
  const checks = await checksOf(access, values)
  if (checks.length === 0) return new Map()
  const key = checks.map(({ column, filter }) => `${column}:${filter.key}`).join()
  const plan = entity.plans.get(`visible|${key}`, () =>
    visiblePlan(
      entity,
      checks.map(({ target, filter }) => [target, filter]),
    ),
  )
  const filters = checks.map(({ filter }) => filter)
  const [answers = []] = await run(connection, plan, filters)
  const missing = checks.filter((_, at) => answers[at] !== true && answers[at] !== 1)
  return new Map(missing.map(({ column }) => [column, [sentence(column, notThere)]]))
}

export const notThere = 'must be the id of a record that exists'

interface Check {
  readonly column: string
  readonly target: Entity
  readonly filter: Described
}

async function checksOf({ entity, request }: Access, values: Row): Promise<Check[]> {
  const checks: Check[] = []
  for (const [column, repository] of entity.foreign) {
    if (repository === null || !Object.hasOwn(values, column) || values[column] === null) continue
    const target = accessTo(request, entityOf(repository().definition))
    const filter = describeAll(target.entity, [{ id: values[column] }, await visibleRows(target)])
    checks.push({ column, target: target.entity, filter })
  }
  return checks
}
