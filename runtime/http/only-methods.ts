import type { Context, Next } from 'hono'
import { matchedRoutes } from 'hono/route'
import type { HasEntity } from '../model/entity.js'
import { readId } from '../model/ids.js'
import { type Method, type MethodGate, methods } from './allowed-methods.js'

/**
 * For an address beside those of records, `/aggregate`: other methods are 405, and not those of
 * `/:id`. Where a record may have that id, they are its own; and another route of this very address
 * is answered.
 *
 * @example new Hono().use('/aggregate', onlyMethods(PostRepository, 'aggregate', ['GET']))
 */
export function onlyMethods({ definition }: HasEntity, name: string, taken: readonly Method[]) {
  const isId = readId(definition.id, name) !== null
  const lets = (method: Method, paths: readonly string[]) =>
    isId || taken.includes(method) || paths.some((path) => path.endsWith(`/${name}`))
  const handler = async (c: Context, next: Next): Promise<Response | void> => {
    const method = c.req.method === 'HEAD' ? 'GET' : c.req.method
    const routes = matchedRoutes(c).filter((route) => route.method === method)
    const paths = routes.map(({ path }) => path)
    const isRefused = methods.some((each) => each === method && !lets(each, paths))
    // That middleware says what is allowed.
    return isRefused ? c.notFound() : next()
  }
  const gate: MethodGate = { lets }
  return Object.assign(handler, gate)
}
