import { badRequest } from '../errors.js'
import type { Access, StrictQueries } from '../model/entity.js'
import { nearest } from '../model/nearest.js'
import { maySee } from '../policy/access.js'
import { parametersOf } from './extension-parameters.js'
import { badParameter } from './query.js'

const always = ['include', 'related', 'withMeta', 'relatablePerPage']
const ofLists = ['page', 'perPage', 'sort', 'search']

/** For `strict_queries: true` in config/svc.ts; app/settings.ts hands it to every repository. */
export const strictQueries: StrictQueries = {
  parameter(access, name, kind) {
    const columns = Object.keys(access.entity.match?.types ?? {}).filter((each) =>
      maySee(access, each),
    )
    const more = parametersOf(access, kind).map((each) => each.name)
    const known = [...(kind === 'list' ? [...ofLists, ...columns] : []), ...more, ...always]
    const meant = nearest(name, known)
    const guess = meant === undefined ? '' : `: '${meant}' is`
    const list = known.join(', ')
    const problem = `is not known${guess}. For a ${kind} of ${access.entity.key} there are ${list}`
    return badParameter(name, problem)
  },
  key(access: Access, use, key, known) {
    const meant = nearest(key, known)
    const guess = meant === undefined ? '' : ` '${meant}' is one.`
    const how =
      use === 'sort' ? `sort ${access.entity.key} by` : `include with ${access.entity.key}`
    const list = known.join(', ') || 'nothing'
    const message = `There is no '${key}' to ${how}.${guess} They have ${list}.`
    return badRequest(message, { [use]: [message] })
  },
}
