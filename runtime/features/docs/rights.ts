import type { Entity } from '../../model/entity.js'
import { accessTo, mayStore, mayWrite, newRequest } from '../../policy/access.js'
import { gateAnswer, maySeeSome } from '../../policy/gates.js'

/**
 * Returns a user's rights in a repository before there is a record, as a request would be answered.
 */
export async function rightsIn(entity: Entity, user: unknown) {
  const access = accessTo(newRequest(user), entity)
  const { attributes, columns, policy, settings } = entity
  const names = [
    ...new Set([...attributes, ...columns.keys(), ...Object.keys(policy.canSee ?? {})]),
  ]
  // The record decides where a gate depends on it.
  const isOfRow = (name: string) => typeof gateAnswer(policy.canUpdate, name, user) === 'object'
  const isShutOut = user === null && settings.requiresToken
  return {
    /** True if \`store\` can say yes: where it is a condition, the record decides. */
    store: !isShutOut && (await mayStore(access)),
    /** Fields and relations that the gates of the policy keep from the user. */
    closed: {
      see: names.filter((name) => !maySeeSome(access, name)),
      store: names.filter((name) => !mayWrite(access, 'canStore', name)),
      update: names.filter((name) => !mayWrite(access, 'canUpdate', name) && !isOfRow(name)),
    },
  }
}
