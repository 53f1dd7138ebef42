import { z } from 'zod'
import { columnNamed } from '../model/entity-columns.js'
import type { Access, Entity, Row } from '../model/entity.js'
import { getOwn } from '../model/get-own.js'
import { mayWrite } from '../policy/access.js'
import { issueText, ownText, sentence, worded } from './messages.js'

/** A request body: an object of JSON values. */
export type Input = Readonly<Record<string, unknown>>

export interface Validated {
  /** Columns to write, as rows hold them. */
  readonly values: Row
  /** All failing fields at once. */
  readonly errors: ReadonlyMap<string, string[]>
}

/**
 * Checks a body against the rules. `whole` asks for every field (store, PUT), `part` only for the
 * keys that are there (PATCH). Unknown keys, and fields whose gate denies the user, are ignored;
 * what hooks fill is not asked for. PUT replaces: a field that is not there becomes its default or
 * NULL, unless `keepsValue`.
 */
export function validate(
  access: Access,
  input: Input,
  gates: 'canStore' | 'canUpdate',
  extent: 'whole' | 'part',
  textsOf: TextsOf = problems,
): Validated {
  const { entity } = access
  const { rules, key } = entity
  const open = openNames(access, gates).filter((name) => !isFilled(entity, name, gates))
  if (extent === 'part') {
    const given = open.filter((name) => Object.hasOwn(input, name))
    return checkValues(rules, given, input, key, textsOf)
  }
  if (gates === 'canStore') return checkValues(rules, open, input, key, textsOf)
  const names = open.filter((name) => isGiven(input, name) || !keepsValue(access, name))
  const { values, errors } = checkValues(rules, names, input, key, textsOf)
  const absent = names.filter((name) => !isGiven(input, name))
  return { values: Object.assign(resetValues(access, absent), values), errors }
}

/** Lists the fields that rules and gates let a body write. A record keeps its id. */
const openNames = (access: Access, gates: 'canStore' | 'canUpdate'): string[] =>
  Object.keys(access.entity.rules).filter(
    (name) => (name !== 'id' || gates === 'canStore') && mayWrite(access, gates, name),
  )

/** Returns true if hooks fill a column at this write, so that no body has it. */
export function isFilled(
  { hooks }: Entity,
  name: string,
  gates: 'canStore' | 'canUpdate',
): boolean {
  if (getOwn(hooks?.fill, name) !== undefined) return true
  return gates === 'canStore' && getOwn(hooks?.fillOnStore, name) !== undefined
}

/** Returns the errors of a body that names columns which hooks fill. */
export function filledErrors(
  access: Access,
  input: Input,
  gates: 'canStore' | 'canUpdate',
): Map<string, string[]> {
  const { hooks } = access.entity
  if (hooks?.fill === undefined && hooks?.fillOnStore === undefined) return new Map()
  const named = openNames(access, gates).filter((name) => {
    return Object.hasOwn(input, name) && isFilled(access.entity, name, gates)
  })
  return new Map(
    named.map((name) => [
      name,
      [sentence(name, worded('is filled by the server', 'filled'), access.entity.key)],
    ]),
  )
}

const isGiven = (input: Input, name: string): boolean => getOwn(input, name) !== undefined

/**
 * Whether a PUT without this field leaves it alone: what a response does not show (a password), so
 * that what was read can be sent back, what is the signed-in user's, and what was filled at first.
 */
function keepsValue({ entity, shown }: Access, name: string): boolean {
  const { hooks, relations } = entity
  if (getOwn(hooks?.fillOnStore, name) !== undefined || !shown.includes(name)) return true
  return relations?.filledColumns.includes(name) === true
}

/** Returns the values of fields that a PUT leaves out. */
function resetValues({ entity }: Access, names: readonly string[]): Row {
  const values: Row = {}
  for (const name of names) {
    const preset = getOwn(entity.defaults, name)
    if (preset !== undefined) values[name] = preset
    else if (columnNamed(entity, name).nullable) values[name] = null
  }
  return values
}

/** Checks the values of these names against their rules. */
export function checkValues(
  rules: Readonly<Record<string, z.core.$ZodType | undefined>>,
  names: readonly string[],
  input: Input,
  repository?: string,
  textsOf: TextsOf = problems,
): Validated {
  const values: Row = {}
  const errors = new Map<string, string[]>()
  for (const name of names) {
    const rule = getOwn(rules, name)
    if (rule === undefined) continue
    const value = getOwn(input, name)
    const result = z.safeParse(rule, value)
    if (!result.success) errors.set(name, textsOf(name, rule, value, repository))
    else if (result.data !== undefined) values[name] = result.data
  }
  return { values, errors }
}

/** Says what is wrong with a value that its rule refuses. */
type TextsOf = typeof problems

/** Asked again for our sentences: zod checks a value ten times as fast when given no texts. */
function problems(
  name: string,
  rule: z.core.$ZodType,
  value: unknown,
  repository: string | undefined,
): string[] {
  const { error } = z.safeParse(rule, value, { error: issueText })
  const sentences = error?.issues.map((issue) => sentence(name, ownText(issue), repository)) ?? []
  return [...new Set(sentences)]
}
