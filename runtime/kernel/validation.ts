import type { z } from 'zod'
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
 * Holds a body against the rules. `whole` asks for every field (store, PUT), `part` only for the
 * keys that are there (PATCH). Unknown keys, and fields whose gate refuses the user, are ignored.
 */
export function validate(
  { entity, request }: Access,
  input: Input,
  gates: 'canStore' | 'canUpdate',
  extent: 'whole' | 'part',
): Validated {
  const { rules, policy } = entity.definition
  const names = Object.keys(rules).filter(
    (name) =>
      (extent === 'whole' || Object.hasOwn(input, name)) &&
      passes(policy[gates], name, request.user),
  )
  return checkValues(rules, names, input)
}

/** Holds the values of these names against their rules. */
export function checkValues(
  rules: Readonly<Record<string, z.ZodType | undefined>>,
  names: readonly string[],
  input: Input,
): Validated {
  const values: Row = {}
  const errors = new Map<string, string[]>()
  for (const name of names) {
    const rule = own(rules, name)
    if (rule === undefined) continue
    const value = own(input, name)
    const result = rule.safeParse(value)
    if (!result.success) errors.set(name, problems(name, rule, value))
    else if (result.data !== undefined) values[name] = result.data
  }
  return { values, errors }
}

/** Asked again for our sentences: zod checks a value ten times as fast when it is given no texts. */
function problems(name: string, rule: z.ZodType, value: unknown): string[] {
  const { error } = rule.safeParse(value, { error: issueText })
  return error?.issues.map(({ message }) => sentence(name, message)) ?? []
}

/** The body of a 422. Made from entries: a field may be called `constructor`. */
export function fieldErrors(errors: ReadonlyMap<string, string[]>): FieldErrors {
  return Object.fromEntries(errors)
}
