import { ConstraintError } from '../database/types.js'
import { conflict, forbidden, invalid, notFound, unauthenticated } from '../errors.js'
import { type Access, explain, type Question, visibleRows } from './access.js'
import type { Row } from './definition.js'
import { describeAll } from './describe.js'
import type { Entity } from './entity.js'
import { notThere } from './foreign.js'
import { sentence } from './messages.js'
import { own } from './own.js'
import { readRow } from './read.js'
import { fieldErrors } from './validation.js'

/** 401 or 403: the policy refuses whatever the record. */
export function refusedOutright(access: Access, question: Question): Error {
  explain(access, question, 'answered false')
  return access.request.user === null ? unauthenticated() : forbidden()
}

/** Why a write met no row, in one statement: 404 when the user sees none, else 401 or 403. */
export async function refusal(
  access: Access,
  id: unknown,
  question: 'update' | 'delete',
): Promise<Error> {
  const filter = describeAll(access.entity, [{ id }, await visibleRows(access)])
  if ((await readRow(access.entity, filter)) === null) return notFound()
  explain(access, question, 'refused')
  return access.request.user === null ? unauthenticated() : forbidden()
}

/**
 * What a write that the database refused means to the caller; a refusal no request can cause is
 * thrown on.
 */
export function writeRefused(entity: Entity, values: Row, error: unknown): never {
  if (!(error instanceof ConstraintError)) throw error
  const { kind, columns } = error
  if (kind === 'unique') {
    if (columns.length === 0) throw conflict('A record with these values exists already.')
    throw refused(columns, 'has already been taken')
  }
  if (kind === 'foreign') throw refused(foreignColumns(entity, values, columns), notThere)
  const written = columns.filter((name) => own(entity.definition.rules, name) !== undefined)
  if (written.length === 0) throw error
  throw refused(written, kind === 'notNull' ? 'is required' : 'is not valid')
}

function refused(columns: readonly string[], text: string): Error {
  return invalid(fieldErrors(new Map(columns.map((name) => [name, [sentence(name, text)]]))))
}

/** SQLite does not tell which key it was: then all that were written. */
function foreignColumns(entity: Entity, values: Row, told: readonly string[]): readonly string[] {
  if (told.length > 0) return told
  return [...entity.foreign.keys()].filter((name) => Object.hasOwn(values, name))
}

/** A record others point at stays. */
export function deleteRefused(error: unknown): never {
  if (!(error instanceof ConstraintError)) throw error
  throw conflict('This record is still used by other records.')
}
