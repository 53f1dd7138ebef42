import { badRequest } from '../errors.js'
import type { Access, StrictQueries } from '../model/entity.js'
import { nearest } from '../model/nearest.js'
import { maySeeSome } from '../policy/gates.js'
import { filtersOf, parametersOf, partsOf } from './extension-parameters.js'
import { listWords, recordWords } from './parse-query.js'
import { badParameter } from './query.js'

/** For `strict_queries: true` in config/svc.ts; app/settings.ts hands it to every repository. */
export const strictQueries: StrictQueries = {
  parameter(access, name, kind, inBody) {
    const columns = Object.keys(access.entity.match?.types ?? {}).filter((each) =>
      maySeeSome(access, each),
    )
    const more = [
      ...parametersOf(access, kind).map((each) => each.name),
      ...partsOf(access, kind).flatMap(({ names }) => names),
    ]
    const filters = kind === 'list' ? filtersOf(access.extensions) : []
    const names = filters.flatMap((each) => each.names(access, inBody))
    // Words in brackets are of names that are there without.
    const own = [...columns, ...names.filter((each) => !each.includes('['))]
    const known = [...(kind === 'list' ? [...listWords, ...own] : []), ...more, ...recordWords]
    const meant = nearest(name, [...known, ...names])
    const guess = meant === undefined ? '' : `: '${meant}' is`
    const list = [...new Set(known)].join(', ')
    const problem = `is not known${guess}. For a ${kind} of ${access.entity.key} there are ${list}`
    return badParameter(name, problem)
  },
  key(access: Access, use, key, known) {
    const how =
      use === 'sort' ? `sort ${access.entity.key} by` : `include with ${access.entity.key}`
    return unknownName(use, key, how, known)
  },
}

/**
 * 400 for a name in a parameter, with those that this user may send; `how` goes on after `There is
 * no 'x' to …`.
 */
export function unknownName(
  parameter: string,
  name: string,
  how: string,
  known: readonly string[],
): Error {
  const meant = nearest(name, known)
  const guess = meant === undefined ? '' : ` '${meant}' is one.`
  const list = known.join(', ') || 'nothing'
  const message = `There is no '${name}' to ${how}.${guess} They have ${list}.`
  return badRequest(message, { [parameter]: [message] })
}
