import type { Context } from 'hono'
import { routePath } from 'hono/route'

/** The pattern of the route that answered: the last that matches; what matches none was made up. */
export function routeOf(c: Context): string {
  const route = routePath(c, -1)
  return route.endsWith('*') ? 'none' : route
}
