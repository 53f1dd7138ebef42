import { invalid } from '../../errors.js'
import type { Access } from '../../policy/access.js'
import type { Row } from '../../model/definition.js'
import { own } from '../../model/own.js'
import { type Change, look, readChange, type Seen } from './read-change.js'
import { newPivotValues, unknownIds } from './pivot-input.js'
import { type PivotOperation, requireGate, requirePivot } from './pivot-policy.js'
import { ownKeys } from './pivot-row.js'
import { writePivots } from './write-pivots.js'
import type { AnyRepository } from '../../operations/repository.js'
import { retried } from '../../database/retry.js'
import { fieldErrors, type Input } from '../../input/validation.js'

/** What attach, sync and detach end in. */
export type PivotOutcome =
  /** The rows between that were asked for, as JSON shows them. */
  | { readonly pivots: readonly Row[] }
  /** What a callback of the hooks returned, which did the work instead. */
  | { readonly replaced: unknown }

/**
 * `attach`, `sync` and `detach`: everything is agreed to before anything is written. Policies are
 * asked outside the transaction, so that they may read what they like; inside it, all rows are read
 * again and held, and the policies asked again only if one of them has changed.
 */
export async function changePivots(
  operation: PivotOperation,
  repository: AnyRepository,
  access: Access,
  idText: string,
  key: string,
  input: Input,
): Promise<PivotOutcome> {
  const change = await readChange(operation, access, idText, key, input)
  const { database } = access.entity
  const seen = await look(change, database, 'read')
  await authorize(change, seen)
  const replacement = callbackOf(change)
  if (replacement !== undefined) {
    return { replaced: await replacement(requestOf(change, seen), repository, seen.row) }
  }
  return retried(() =>
    database.transaction(async (connection) => {
      const held = await look(change, connection, 'hold')
      if (!isSame(seen, held)) await authorize(change, held)
      return { pivots: await writePivots(change, held.row, connection) }
    }),
  )
}

/** Policy first, then what is wrong with the body, then the gates, which are asked about values. */
async function authorize(change: Change, seen: Seen): Promise<void> {
  const { operation, access, link, ids, impossible, errors } = change
  if (operation === 'sync') {
    await requirePivot(access, 'sync', link.key, [seen.row, ids])
  } else {
    for (const id of ids) {
      const related = seen.related.get(id)
      if (related === undefined) continue
      await requirePivot(access, operation, link.key, [seen.row, related])
    }
  }
  const unknown = [...ids.filter((id) => !seen.related.has(id)), ...impossible]
  const all = new Map(errors)
  if (unknown.length > 0) all.set(link.key, [unknownIds(link.key, unknown)])
  if (all.size > 0) throw invalid(fieldErrors(all))
  if (operation !== 'detach') {
    await requireGate(access, operation, link.key, newPivots(change, seen.row))
  }
  await requireGate(access, 'detach', link.key, seen.removed)
}

/** The pivots of the body as rows between, for gates: values given over the defaults. */
function newPivots({ link, ids, values }: Change, row: Row): Row[] {
  const { relatedKey } = link.relation.pivot
  const filled = newPivotValues(link.relation, values)
  return ids.map((id) => ({ ...ownKeys(link, row), [relatedKey]: id, ...filled }))
}

/** Whether nothing the policies were asked about has changed since. */
function isSame(one: Seen, two: Seen): boolean {
  const text = ({ row, related, removed }: Seen) =>
    JSON.stringify([row, [...related.values()].toSorted(byId), removed])
  return text(one) === text(two)
}

const byId = (one: Row, two: Row) => (String(one['id']) < String(two['id']) ? -1 : 1)

function callbackOf({ operation, access, link }: Change) {
  if (operation === 'sync') return undefined
  const hooks = access.entity.definition.hooks
  const callbacks = operation === 'attach' ? hooks?.attachCallback : hooks?.detachCallback
  const callback = own(callbacks, link.key)
  return typeof callback === 'object' ? callback.__invoke.bind(callback) : callback
}

function requestOf({ access, link, ids, values }: Change, { related }: Seen) {
  const rows = ids.map((id) => related.get(id))
  return { user: access.request.user, relation: link.key, ids, related: rows, values }
}
