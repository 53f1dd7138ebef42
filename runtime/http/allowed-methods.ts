import type { Hono } from 'hono'

export const methods = ['GET', 'QUERY', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
export type Method = (typeof methods)[number]

/** A middleware that lets only some methods reach the routes behind it. */
export interface MethodGate {
  readonly lets: (method: Method) => boolean
}

const isGate = (handler: object): handler is MethodGate => 'lets' in handler

/** What a path answers, as `Allow` says it: `GET, HEAD, POST`; empty: it does not exist. */
export function allowedMethods({ router }: Pick<Hono, 'router'>, path: string): string {
  const allowed = methods.filter((method) => {
    const routes = router.match(method, path)[0].map(([[, route]]) => route)
    const isRefused = routes.some(({ handler }) => isGate(handler) && !handler.lets(method))
    return !isRefused && routes.some((route) => route.method === method)
  })
  return allowed.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ')
}
