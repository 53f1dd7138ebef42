import { forbidden, notFound, unauthenticated } from '../errors.js'
import type { Access, Question } from '../model/entity.js'
import { explain, visibleWithId } from '../policy/access.js'
import { readRow } from './read.js'

/** 401 or 403: the policy denies whatever the record, or (`denied`) this one. */
export function deniedOutright(
  access: Access,
  question: Question,
  did: 'answered false' | 'denied' = 'answered false',
): Error {
  explain(access, question, did)
  return access.request.user === null ? unauthenticated() : forbidden()
}

/** Why a write met no row, in one statement: 404 when the user sees none, else 401 or 403. */
export async function denied(
  access: Access,
  id: unknown,
  question: 'update' | 'delete',
): Promise<Error> {
  const filter = await visibleWithId(access, id)
  if ((await readRow(access.entity, filter)) === null) return notFound()
  return deniedOutright(access, question, 'denied')
}
