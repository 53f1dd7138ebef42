import { forbidden, notFound, unauthenticated } from '../errors.js'
import type { Access, Question, Write } from '../model/entity.js'
import { ask, explain, visibleWithId } from '../policy/access.js'
import { refusalOf } from './extend-write.js'
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

/**
 * Why a write met no row: 404 when the user sees none, else 401 or 403; or what an extension has to
 * say of a record that the policy admits. One statement; two where extensions admit records, too.
 */
export async function denied(
  access: Access,
  id: unknown,
  question: Question,
  asked: Write,
): Promise<Error> {
  const filter = await visibleWithId(access, id)
  const row = await readRow(access.entity, filter)
  if (row === null) return notFound()
  if (access.extensions.some(({ refusal }) => refusal !== undefined)) {
    const admits = await visibleWithId(access, id, await ask(access, question))
    const admitted = await readRow(access.entity, admits)
    const refusal = admitted === null ? null : refusalOf(access, asked, admitted)
    if (refusal !== null) return refusal
  }
  return deniedOutright(access, question, 'denied')
}
