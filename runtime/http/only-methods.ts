import type { Context, Next } from 'hono'
import { methodNotAllowed } from '../errors.js'
import type { HasEntity } from '../model/entity.js'
import { readId } from '../model/ids.js'
import { type Method, type MethodGate, methods } from './allowed-methods.js'

/**
 * For an address beside those of records, `/aggregate`: other methods are 405, and not those of
 * `/:id`. Where a record may have that id, they are its own.
 *
 * @example new Hono().use('/aggregate', onlyMethods(PostRepository, 'aggregate', ['GET']))
 */
export function onlyMethods({ definition }: HasEntity, name: string, taken: readonly Method[]) {
  const isId = readId(definition.id, name) !== null
  const lets = (method: Method) => isId || taken.includes(method)
  const allow = taken.flatMap((each) => (each === 'GET' ? ['GET', 'HEAD'] : [each])).join(', ')
  const handler = (c: Context, next: Next): Promise<void> => {
    const asked = c.req.method === 'HEAD' ? 'GET' : c.req.method
    if (methods.some((each) => each === asked && !lets(each))) throw methodNotAllowed(allow)
    return next()
  }
  const gate: MethodGate = { lets }
  return Object.assign(handler, gate)
}
