import type { Decision } from './decided.js'
import type { Line } from './line.js'
import { allowed } from './outcome.js'
import { relationOf, type Project } from './project.js'
import { ofRecords } from './records.js'
import { ofRelated } from './related.js'
import type { Stage } from './scene.js'

/** A line for each route of a repository that is served. */
export function restLines(
  project: Project,
  isServed: (decision: Decision) => boolean,
): readonly Line[] {
  return project.decided.routes.filter(isServed).flatMap((decision): Line[] => {
    const [method, path, does, of, key] = decision
    const label = `${method} ${path}`
    if (does === 'graphql') return []
    if (of === undefined) {
      return [{ of: does === 'open' ? 'Other' : 'Signing in', label, attempt: reached(decision) }]
    }
    const relation = relationOf(project, of, key)
    const attempt = (stage: Stage) =>
      relation === undefined
        ? ofRecords(stage, decision, of)
        : ofRelated(stage, decision, of, relation)
    return [
      { of, label, isList: does === 'index' || does === 'search' || does === 'aggregate', attempt },
    ]
  })
}

/** Returns true if the request gets past the token, or past the policy where one is asked. */
function reached([method, path, does]: Decision): Line['attempt'] {
  return async (stage) => {
    const { send } = await stage.scene()
    const body = method === 'GET' || method === 'DELETE' ? undefined : {}
    const { status } = await send(method, path.replaceAll(/:\w+/g, '0'), body)
    const isDenied = status === 401 || (does === 'profile' && (status === 403 || status === 404))
    return [{ row: [], outcome: isDenied ? { is: 'denied', as: `${status}` } : allowed }]
  }
}
