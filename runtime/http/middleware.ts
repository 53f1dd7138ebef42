import type { Env, MiddlewareHandler } from 'hono'
import { SetupError } from '../setup-error.js'

/**
 * Makes the function that turns names of `middleware` in config/svc.ts into handlers, in their
 * order. An undefined name stops the start, so that a typing error never leaves routes unguarded.
 */
export function defineMiddleware<E extends Env>(
  groups: Readonly<Record<string, readonly MiddlewareHandler<E>[]>>,
) {
  const known = new Map(Object.entries(groups))
  return <const Names extends readonly string[]>(names: Names): HandlersOf<Names, E> => {
    const all = names.flatMap((name) => {
      const handlers = known.get(name)
      if (handlers === undefined) throw new SetupError(unknown(name, [...known.keys()]))
      return [...handlers]
    })
    // A name may stand for several; whoever spreads them does not count them.
    return all as unknown as HandlersOf<Names, E>
  }
}

/** As many as there are names, so that a route takes them spread before its own handler. */
type HandlersOf<Names extends readonly string[], E extends Env> = {
  -readonly [At in keyof Names]: MiddlewareHandler<E>
}

/** Runs for requests that carry credentials: those without are let through, with no user. */
export function whenSignedIn<E extends Env>(handler: MiddlewareHandler<E>): MiddlewareHandler<E> {
  return (c, next) => (c.req.header('authorization') === undefined ? next() : handler(c, next))
}

const unknown = (name: string, known: readonly string[]) =>
  `config/svc.ts: there is no middleware '${name}'\n` +
  `  known  ${known.join(', ')}\n` +
  `  fix    name one of these, or define '${name}' in app/Http/middleware.ts`
