import type { Problem } from '../../blueprint/types.js'
import type { OpenapiFacts } from './facts.js'
import { readOwn } from './own.js'
import { dataIn } from './print.js'

interface Said {
  readonly path: string
  readonly method: string
  readonly id: string
  readonly isDescribed: boolean
}

/** Described routes with a name or a path that something else in the document has. */
export function describedClashes(
  { described, describedAt }: OpenapiFacts,
  document: string,
): readonly Problem[] {
  if (described === null) return []
  const own = dataIn(described['paths'])
  const whole = readOwn(document)
  const paths = typeof whole === 'string' ? {} : dataIn(whole['paths'])
  const all = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(dataIn(item)).flatMap(([method, operation]): Said[] => {
      const { operationId } = dataIn(operation)
      const isDescribed = Object.hasOwn(dataIn(own[path]), method)
      return operationId === undefined
        ? []
        : [{ path, method, id: String(operationId), isDescribed }]
    }),
  )
  return all
    .filter(({ isDescribed }) => isDescribed)
    .flatMap((each) => {
      const others = all.filter((other) => other !== each && !isLater(other, each))
      const said = clashOf(each, others)
      if (said === null) return []
      const asked = dataIn(dataIn(own[each.path])[each.method])['operationId']
      const place = describedAt.get(String(asked)) ?? { file: 'routes/api.ts', line: 1, column: 1 }
      return [{ ...place, rule: 'described-routes', ...said }]
    })
}

/** Two descriptions are one problem, which names the later one. */
const isLater = (other: Said, { path, method }: Said) =>
  other.isDescribed && `${other.path} ${other.method}` > `${path} ${method}`

function clashOf(each: Said, others: readonly Said[]): Pick<Problem, 'message' | 'fix'> | null {
  const name = ({ method, path }: Said) => `${method.toUpperCase()} ${path}`
  const namesake = others.find(({ id }) => id === each.id)
  if (namesake !== undefined) {
    return {
      message: `describeRoute: '${each.id}' names ${name(each)}, and ${name(namesake)} is called so in the document`,
      fix: `another operationId: '${each.id}Here'`,
    }
  }
  const twin = others.find(({ path }) => path !== each.path && shapeOf(path) === shapeOf(each.path))
  if (twin === undefined) return null
  return {
    message: `describeRoute: ${name(each)} and ${twin.path} are one path in a document, with other names of parameters`,
    fix: `the parameters of ${twin.path}, in the same places`,
  }
}

const shapeOf = (path: string) => path.replaceAll(/\{[^{}]*\}/g, '{}')
