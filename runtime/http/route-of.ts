import type { Context } from 'hono'
import { routePath } from 'hono/route'

/** The pattern of the route that answered, the last that matches; `none` for an unknown path. */
export function routeOf(c: Context): string {
  const route = routePath(c, -1)
  return route.endsWith('*') ? 'none' : route
}
