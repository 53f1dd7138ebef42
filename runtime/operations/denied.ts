import { forbidden, notFound, unauthenticated } from '../errors.js'
import type { Access, PlannedRecord, Question } from '../model/entity.js'
import type { Test } from '../model/sql-test.js'
import { ask, explain, visibleWithId } from '../policy/access.js'
import { answerTest } from '../policy/condition-sql.js'
import { asSql } from '../policy/predicate.js'
import { sql } from '../sql/sql.js'
import { select } from './read.js'
import { allColumns, rowReader } from './row-reader.js'
import { refusalOf } from './write/steps.js'

/** 401 or 403: the policy denies whatever the record, or (`denied`) this one. */
export function deniedOutright(
  access: Access,
  question: Question,
  did: 'answered false' | 'denied' = 'answered false',
): Error {
  explain(access, question, did)
  return access.request.user === null ? unauthenticated() : forbidden()
}

/**
 * Why a write met no row: 404 when the user sees none, else 401 or 403; or what a feature has to
 * say of a record that the policy admits. `met` is the condition of the write. Where it holds by
 * now, the record was absent when the write ran, so that is 404. One statement, because others may
 * change the record between two.
 */
export async function denied(record: PlannedRecord, question: Question, met: Test): Promise<Error> {
  const { access, id } = record
  const { entity } = access
  const visible = await visibleWithId(access, id)
  if (visible === false || visible === null) return notFound()
  const reader = rowReader(entity, allColumns(entity))
  const flag = (tested: Test) => sql`case when ${asSql(access, tested).sql} then 1 else 0 end`
  const admitted = flag(answerTest(entity, await ask(access, question)))
  const columns = sql`${reader.select('t0')}, ${admitted}, ${flag(met)}`
  const [raw] = await select(entity, { columns, filter: visible })
  if (raw === undefined) return notFound()
  const row = reader.decode(raw)
  const refusal = row[reader.width] === 1 ? refusalOf(record, reader.object(row)) : null
  if (refusal !== null) return refusal
  if (row[reader.width + 1] === 1) return notFound()
  return deniedOutright(access, question, 'denied')
}
