/** Attach, sync and detach of code: policies, gates, rules and callbacks count as in the routes. */

import type { HasEntity, Row, WriteOptions } from '../../model/entity.js'
import type { PivotOperation } from './pivot-policy.js'
import { changePivots } from './pivots.js'

/** The records of a many-to-many relation of one record. */
export interface PivotsOf {
  readonly id: number | string
  /** The key of the relation. */
  readonly relation: string
  readonly ids: readonly (number | string)[]
  /** Fields of the pivots. */
  readonly values?: Row
}

/**
 * Attaches records, or changes the pivot fields of those that are attached. Answers the pivot rows,
 * or none where a callback of the hooks did the work.
 * @example attach(CompanyRepository, user, { id: 7, relation: 'users', ids: [3], values: { is_admin: true } })
 */
export const attach = (
  repository: HasEntity,
  user: unknown,
  pivots: PivotsOf,
  options?: WriteOptions,
): Promise<readonly Row[]> => change('attach', repository, user, pivots, options)

/** Attaches records, and detaches all others that the user may see. */
export const sync = (
  repository: HasEntity,
  user: unknown,
  pivots: PivotsOf,
  options?: WriteOptions,
): Promise<readonly Row[]> => change('sync', repository, user, pivots, options)

/** Detaches records. */
export async function detach(
  repository: HasEntity,
  user: unknown,
  pivots: Omit<PivotsOf, 'values'>,
  options?: WriteOptions,
): Promise<void> {
  await change('detach', repository, user, pivots, options)
}

async function change(
  operation: PivotOperation,
  repository: HasEntity,
  user: unknown,
  { id, relation, ids, values }: PivotsOf,
  options?: WriteOptions,
): Promise<readonly Row[]> {
  const body = Object.assign({}, values, { [relation]: ids })
  const asked = { operation, id: String(id), key: relation, body }
  const outcome = await changePivots(repository, user, asked, options)
  return 'pivots' in outcome ? outcome.pivots : []
}
