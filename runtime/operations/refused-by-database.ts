import { ConstraintError } from '../database/types.js'
import { conflict, invalid } from '../errors.js'
import { sentence } from '../input/messages.js'
import type { Entity, Row } from '../model/entity.js'
import { getOwn } from '../model/get-own.js'

/**
 * Throws what a write means to the caller that the database refused. A database names one unique
 * key that is taken; what else is taken is looked up, so that one answer names all.
 */
export async function throwRefusedWrite(
  entity: Entity,
  values: Row,
  id: number | string | null,
  error: unknown,
): Promise<never> {
  const isTaken = error instanceof ConstraintError && error.kind === 'unique'
  const named = isTaken ? fieldsOf(entity, error) : []
  if (named.length === 0) throw meaningOf(entity, values, error)
  const others = (await entity.unique?.taken(entity, values, id, named)) ?? []
  throw takenFields(entity, [named, ...others])
}

/** What a refusal of the database means to the caller; one that no request can cause, as it was. */
export function meaningOf(entity: Entity, values: Row, error: unknown): unknown {
  if (!(error instanceof ConstraintError)) return error
  const { kind } = error
  const columns = fieldsOf(entity, error)
  if (kind === 'unique') return takenFields(entity, [columns])
  if (kind === 'foreign') return invalidFields(foreignColumns(entity, values, columns), notThere)
  const written = columns.filter((name) => {
    return getOwn(entity.rules, name) !== undefined || entity.relations?.foreignColumns.has(name)
  })
  if (written.length === 0) return error
  return invalidFields(written, kind === 'notNull' ? 'is required' : 'is not valid')
}

/** What the database named, as requests call it. */
const fieldsOf = ({ columns: known }: Entity, { columns }: ConstraintError) =>
  columns.map((each) => [...known.values()].find(({ name }) => name === each)?.field ?? each)

/** Ends the sentence about a value that another record has. */
export const taken = 'has already been taken'

/** What is wrong with a foreign key that points at no record the user may see. */
export const notThere = 'must be the id of a record that exists'

/** 422 with each column of keys that are taken, if a response shows or a request writes it. */
function takenFields(entity: Entity, keys: readonly (readonly string[])[]): Error {
  const errors = new Map<string, string[]>()
  for (const key of keys) {
    const known = key.length === 1 ? key : key.filter((name) => isKnown(entity, name))
    const words = known.map((name) => name.replaceAll('_', ' '))
    const what = words.length > 1 ? `combination of ${words.join(' and ')}` : words.join('')
    for (const name of known) {
      errors.set(name, [...(errors.get(name) ?? []), sentence(what, taken)])
    }
  }
  if (errors.size === 0) return conflict('A record with these values exists already.')
  return invalid(errors)
}

const isKnown = ({ attributes, rules }: Entity, name: string): boolean =>
  attributes.includes(name) || getOwn(rules, name) !== undefined

function invalidFields(columns: readonly string[], text: string): Error {
  return invalid(new Map(columns.map((name) => [name, [sentence(name, text)]])))
}

/** SQLite does not name the key it was: then all that were written. */
function foreignColumns(entity: Entity, values: Row, named: readonly string[]): readonly string[] {
  if (named.length > 0) return named
  const foreign = [...(entity.relations?.foreignColumns ?? [])]
  return foreign.filter((name) => Object.hasOwn(values, name))
}

/** A record others point at stays. */
export function throwRefusedDelete(error: unknown): never {
  if (!(error instanceof ConstraintError) || error.kind === 'value') throw error
  throw conflict('This record is still used by other records.')
}
