import type { KnownRoute } from '../../plan/routes/routes.js'
import { property } from '../../source/literal.js'
import type { Responses } from '../openapi/operations/statuses.js'

/** A function of a module. */
export interface OperationView {
  readonly remark: string
  readonly name: string
  /** `<const Include extends PostInclude = never>`, or nothing. */
  readonly generics: string
  readonly parameters: readonly string[]
  readonly answer: string
  readonly call: string
}

/** Some operations only say why they cannot be done. */
export const canSucceed = ({ success }: Responses) =>
  Object.keys(success).some((status) => status.startsWith('2'))

/** Returns a function's comment: its summary, and its route. */
export const remarkOf = ({ method, path }: KnownRoute, summary: string) =>
  `${summary}: \`${method} ${path}\`.`

export const idsIn = (path: string): readonly string[] =>
  [...path.matchAll(/:(\w+)/g)].map(([, id = '']) => `${property(id)}: string`)

/** path`/api/svc/posts/${id}` */
export const pathText = (path: string) => `path\`${path.replaceAll(/:(\w+)/g, '${$1}')}\``
