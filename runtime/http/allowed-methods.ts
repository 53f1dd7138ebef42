import type { Hono } from 'hono'

export const methods = ['GET', 'QUERY', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
export type Method = (typeof methods)[number]

/** A middleware that lets only some methods reach the routes behind it, by the paths of those. */
export interface MethodGate {
  readonly lets: (method: Method, paths: readonly string[]) => boolean
}

const isGate = (handler: object): handler is MethodGate => 'lets' in handler

/**
 * Lists the methods of a path, as `Allow` has them: `GET, HEAD, POST`; empty: the path does not
 * exist.
 */
export function allowedMethods({ router }: Pick<Hono, 'router'>, path: string): string {
  const allowed = methods.filter((method) => {
    const routes = router.match(method, path)[0].map(([[, route]]) => route)
    const paths = routes.filter((route) => route.method === method).map((route) => route.path)
    const isRefused = routes.some(({ handler }) => isGate(handler) && !handler.lets(method, paths))
    return !isRefused && paths.length > 0
  })
  return allowed.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ')
}
