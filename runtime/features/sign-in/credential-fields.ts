import type { Connection } from '../../database/types.js'
import { type Access, passes } from '../../policy/access.js'
import { describeAll } from '../../policy/parse-condition.js'
import { own } from '../../model/own.js'
import { readRow } from '../../operations/read.js'
import type { Input } from '../../input/validation.js'

/** What a definition says of records that sign in with `email` and `password`. */
export interface Credentials {
  /** The column that says since when the e-mail is verified: NULL again with a new one. */
  readonly verifiedAt?: string
  /** Columns of power: a body writes them only where a gate of the policy names them. */
  readonly guarded: readonly string[]
  /** Ends what the old password opened, in the transaction that writes the new one. */
  readonly onNewPassword: (connection: Connection, id: number | string) => Promise<void>
}

/**
 * Whether a body may write a field. A gate that is missing lets pass, but not what gives power over
 * the account: `canUpdate: { is_admin: (user) => user?.is_admin === true }` does.
 */
export function mayWrite(
  { entity, request }: Access,
  gates: 'canStore' | 'canUpdate',
  name: string,
): boolean {
  const { policy, credentials } = entity.definition
  if (credentials?.guarded.includes(name) === true && own(policy[gates], name) === undefined) {
    return false
  }
  return passes(policy[gates], name, request.user)
}

/** In development, says why a field of a body is not written although the manifest lets it. */
export function explainGuarded(
  { entity }: Access,
  gates: 'canStore' | 'canUpdate',
  input: Input,
): void {
  const { key, name, policy, credentials, rules, settings } = entity.definition
  if (settings.explain === undefined) return
  for (const field of credentials?.guarded ?? []) {
    const isMeant = Object.hasOwn(input, field) && own(rules, field) !== undefined
    if (!isMeant || own(policy[gates], field) !== undefined) continue
    settings.explain(`${key}: ${field} needs ${gates}.${field} in app/Policies/${name}Policy.ts`)
  }
}

/**
 * What is wrong with a password that a resource is to store.
 *
 *     it is the e-mail                          however that is written
 *     an update, and no `canUpdate.password`    a token alone must not take over an account
 *       of the policy agrees
 *     an update of one's own record             there is a route that asks for the current one
 */
export async function passwordErrors(
  access: Access,
  input: Input,
  id: number | string | null,
): Promise<ReadonlyMap<string, string[]>> {
  const { credentials } = access.entity.definition
  const password = own(input, 'password')
  if (credentials === undefined || password === undefined) return new Map()
  if (id !== null && !mayReplace(access, id)) return failing('cannot be changed here')
  const email = own(input, 'email') ?? (id === null ? null : await emailOf(access, id))
  const isEmail = typeof email === 'string' && folded(password) === folded(email)
  return isEmail ? failing('must not be the e-mail') : new Map()
}

function mayReplace({ entity, request: { user } }: Access, id: number | string): boolean {
  const gates = entity.definition.policy.canUpdate
  if (own(gates, 'password') === undefined || !passes(gates, 'password', user)) return false
  const isOwn = typeof user === 'object' && user !== null && 'id' in user && user.id === id
  return !isOwn
}

async function emailOf({ entity }: Access, id: number | string): Promise<unknown> {
  return (await readRow(entity, describeAll(entity, [{ id }])))?.['email']
}

const folded = (value: unknown) => (typeof value === 'string' ? value.trim().toLowerCase() : value)

const failing = (text: string) => new Map([['password', [`The password ${text}.`]]])
