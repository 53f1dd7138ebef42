import { ConstraintError } from '../database/types.js'
import { conflict, forbidden, invalid, notFound, unauthenticated } from '../errors.js'
import { type Access, explain, type Question, visibleRows } from '../policy/access.js'
import type { Row } from '../model/definition.js'
import { describeAll } from '../policy/parse-condition.js'
import type { Entity } from '../model/entity.js'
import { notThere } from '../features/relations/foreign-keys.js'
import { sentence } from '../input/messages.js'
import { own } from '../model/own.js'
import { run } from '../sql/statement-cache.js'
import { readRow } from './read.js'
import { fieldErrors } from '../input/validation.js'
import { visiblePlan } from './write-sql.js'

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
 * Refuses a write that the database refused, in the caller's terms. A database names one unique key
 * that is taken; what else is taken is looked up, for all to be told at once.
 */
export async function writeRefused(
  entity: Entity,
  values: Row,
  id: number | string | null,
  error: unknown,
): Promise<never> {
  const isTaken = error instanceof ConstraintError && error.kind === 'unique'
  if (!isTaken || error.columns.length === 0) throw meaningOf(entity, values, error)
  const others = await takenColumns(entity, values, id, error.columns)
  throw refused([...error.columns, ...others], taken)
}

/** What a refusal of the database means to the caller; one that no request can cause, as it was. */
export function meaningOf(entity: Entity, values: Row, error: unknown): unknown {
  if (!(error instanceof ConstraintError)) return error
  const { kind, columns } = error
  if (kind === 'unique') {
    if (columns.length === 0) return conflict('A record with these values exists already.')
    return refused(columns, taken)
  }
  if (kind === 'foreign') return refused(foreignColumns(entity, values, columns), notThere)
  const written = columns.filter((name) => own(entity.definition.rules, name) !== undefined)
  if (written.length === 0) return error
  return refused(written, kind === 'notNull' ? 'is required' : 'is not valid')
}

const taken = 'has already been taken'

/** The unique columns among `values`, besides `told`, that a row other than the one with this id has. */
async function takenColumns(
  entity: Entity,
  values: Row,
  id: number | string | null,
  told: readonly string[],
): Promise<readonly string[]> {
  const asked = (entity.definition.unique ?? []).filter((name) => {
    return !told.includes(name) && values[name] !== undefined && values[name] !== null
  })
  if (asked.length === 0) return []
  const another = id === null ? true : { id: { not: id } }
  const filters = asked.map((name) => describeAll(entity, [{ [name]: values[name] }, another]))
  const plan = entity.plans.get(`taken|${filters.map(({ key }) => key).join()}`, () =>
    visiblePlan(
      entity,
      filters.map((filter) => [entity, filter]),
    ),
  )
  const [answers = []] = await run(entity.database, plan, filters)
  return asked.filter((_, at) => answers[at] === true || answers[at] === 1)
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
