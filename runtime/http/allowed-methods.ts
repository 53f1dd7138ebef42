import type { Hono } from 'hono'

const methods = ['GET', 'QUERY', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** What a path answers, as `Allow` says it: `GET, HEAD, POST`; empty: it does not exist. */
export function allowedMethods({ router }: Pick<Hono, 'router'>, path: string): string {
  const allowed = methods.filter((method) =>
    router.match(method, path)[0].some(([[, route]]) => route.method === method),
  )
  return allowed.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ')
}
