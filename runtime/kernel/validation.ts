import type { FieldErrors } from '../errors.js'
import type { Access } from './access.js'
import { passes } from './access.js'
import type { Row } from './definition.js'
import { issueText, sentence } from './messages.js'
import { own } from './own.js'

/** A request body: an object of JSON values. */
export type Input = Readonly<Record<string, unknown>>

export interface Validated {
  /** Columns to write, as rows hold them. */
  readonly values: Row
  /** All failing fields at once. */
  readonly errors: ReadonlyMap<string, string[]>
}

/**
 * Holds a body against the rules. `whole` asks for every field (store, PUT), `part` only for the keys that are there
 * (PATCH). Unknown keys, and fields whose gate refuses the user, are ignored.
 */
export function validate(
  { entity, request }: Access,
  input: Input,
  gates: 'canStore' | 'canUpdate',
  extent: 'whole' | 'part',
): Validated {
  const { rules, policy } = entity.definition
  const values: Row = {}
  const errors = new Map<string, string[]>()
  for (const name in rules) {
    const rule = own(rules, name)
    const isPresent = Object.hasOwn(input, name)
    if (rule === undefined || (extent === 'part' && !isPresent)) continue
    if (!passes(policy[gates], name, request.user)) continue
    const result = rule.safeParse(isPresent ? input[name] : undefined, { error: issueText })
    if (!result.success) errors.set(name, result.error.issues.map(({ message }) => sentence(name, message)))
    else if (result.data !== undefined) values[name] = result.data
  }
  return { values, errors }
}

/** The body of a 422. Made from entries: a field may be called `constructor`. */
export function fieldErrors(errors: ReadonlyMap<string, string[]>): FieldErrors {
  return Object.fromEntries(errors)
}
