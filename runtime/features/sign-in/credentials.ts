import { HttpError } from '../../errors.js'
import { isTurnLong, nextTurn } from '../../event-loop.js'
import { canonical } from '../../model/columns.js'
import { columnNamed } from '../../model/entity-columns.js'
import type {
  Access,
  Extension,
  PlannedRecord,
  PlannedWrite,
  Row,
  WriteGates,
} from '../../model/entity.js'
import { getOwn } from '../../model/get-own.js'
import { readRow } from '../../operations/read.js'
import { taken } from '../../operations/refused-by-database.js'
import { gatesOf } from '../../operations/write/inputs.js'
import { userId } from '../../policy/access.js'
import { answerTest } from '../../policy/condition-sql.js'
import { passes } from '../../policy/gates.js'
import { identifier, sql } from '../../sql/sql.js'
import { revokeAccess } from './accounts.js'
import { isSameEmail } from './emails.js'
import type { Throttles } from './throttle.js'

interface CredentialsOptions {
  readonly table: string
  /** The column that says since when the e-mail is verified; absent: none is. */
  readonly verifiedAt?: string
  readonly throttles: Pick<Throttles, 'own' | 'others'>
}

/** Columns of power: a body writes them only where a gate of the policy names them. */
const privileged = ['is_admin', 'email_verified_at']

/**
 * For the repository of users: a new password ends every token, a new e-mail is not
 * verified, an e-mail that is asked for is an attempt (see `changeEmail` of config/svc.ts), and
 * power is given by a gate of the policy or not at all:
 * `canUpdate: { is_admin: (user) => user?.is_admin === true }`.
 */
export function credentialsOf({ table, verifiedAt, throttles }: CredentialsOptions): Extension {
  return {
    says: { gated: privileged },
    write: (plan) => ({
      around: (write) => countingAttempts(throttles, plan, write),
      check: ({ access, id, write: { operation, idText, body } }) => {
        explainPrivileged(access, gatesOf(operation), body)
        return passwordErrors(access, body, idText === null ? null : id)
      },
      // An e-mail that differs in case only is not a new one.
      values: ({ access: { entity }, write: { operation } }, values) => {
        const email = getOwn(values, 'email')
        if (operation !== 'update' || email === undefined) return {}
        if (verifiedAt === undefined || Object.hasOwn(values, verifiedAt)) return {}
        const text = String(canonical(columnNamed(entity, 'email'), email))
        const isSame = sql`lower(${identifier('email')}) = lower(${text})`
        return { [verifiedAt]: sql`case when ${isSame} then ${identifier(verifiedAt)} end` }
      },
      within: ({ id, values, write: { operation } }) => {
        const hasNewPassword =
          operation === 'update' && id !== null && Object.hasOwn(values, 'password')
        if (!hasNewPassword) return null
        return { write: (connection) => revokeAccess(connection, { table, userId: id }) }
      },
    }),
  }
}

/** Each record that gets a new e-mail is an attempt. */
function countingAttempts<Done>(
  throttles: CredentialsOptions['throttles'],
  { access, records, placeOf }: PlannedWrite,
  write: () => Promise<Done>,
): Promise<Done> {
  const { request } = access
  const user = userId(request)
  const isNew = ({ write: { body } }: PlannedRecord) =>
    typeof body['email'] === 'string' && !isSameEmail(body['email'], ownEmail(request.user))
  if (user === null) return write()
  let run = write
  for (const { at, id } of records.filter(isNew).toReversed()) {
    const inner = run
    const isTaken = (error: unknown) => saysTaken(error, placeOf(at, 'email'))
    run = async () => {
      await Promise.resolve() // Each begins on a stack of its own: there may be thousands.
      if (isTurnLong()) await nextTurn()
      if (id !== user) return throttles.others('changeEmail', String(user), inner, isTaken)
      return throttles.own('changeEmail', String(user)).then(inner)
    }
  }
  return run()
}

/** In development, logs why a field of a body is not written although the manifest lets it. */
function explainPrivileged({ entity }: Access, gates: WriteGates, input: Row): void {
  const { key, policy, rules, settings } = entity
  if (settings.explain === undefined) return
  for (const field of privileged) {
    const isMeant = Object.hasOwn(input, field) && getOwn(rules, field) !== undefined
    if (!isMeant || getOwn(policy[gates], field) !== undefined) continue
    const where = `app/Policies/${entity.name}Policy.ts`
    settings.explain(`${key}: ${field} needs ${gates}.${field} in ${where}`)
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
async function passwordErrors(
  access: Access,
  input: Row,
  id: number | string | null,
): Promise<ReadonlyMap<string, string[]>> {
  const password = getOwn(input, 'password')
  if (password === undefined) return new Map()
  if (id !== null && !mayReplace(access, id)) return failing('cannot be changed here')
  const email = getOwn(input, 'email') ?? (id === null ? null : await emailOf(access, id))
  return isSameEmail(password, email) ? failing('must not be the e-mail') : new Map()
}

function mayReplace({ entity, request }: Access, id: number | string): boolean {
  const gates = entity.policy.canUpdate
  const isOpen = getOwn(gates, 'password') !== undefined && passes(gates, 'password', request.user)
  return isOpen && userId(request) !== id
}

async function emailOf({ entity }: Access, id: number | string): Promise<unknown> {
  return (await readRow(entity, answerTest(entity, { id })))?.['email']
}

const ownEmail = (user: unknown) =>
  typeof user === 'object' && user !== null && 'email' in user ? user.email : undefined

/** Returns true if an answer tells that somebody has this e-mail. */
const saysTaken = (error: unknown, place: string): boolean =>
  error instanceof HttpError && error.errors?.[place]?.some((text) => text.includes(taken)) === true

const failing = (text: string) => new Map([['password', [`The password ${text}.`]]])
