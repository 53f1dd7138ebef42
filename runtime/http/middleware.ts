import type { Env, MiddlewareHandler } from 'hono'
import { SetupError } from '../setup-error.js'

/** Names for `middleware` of config/svc.ts, each with the handlers it stands for. */
export type MiddlewareGroups<E extends Env> = Readonly<
  Record<string, readonly MiddlewareHandler<E>[]>
>

/**
 * Makes the function that turns names into handlers, in their order. A name nobody defined stops
 * the start, so that a typing error never leaves routes unguarded.
 */
export function defineMiddleware<E extends Env>(groups: MiddlewareGroups<E>) {
  const known = new Map(Object.entries(groups))
  return (names: readonly string[]): MiddlewareHandler<E>[] =>
    names.flatMap((name) => {
      const handlers = known.get(name)
      if (handlers === undefined) throw new SetupError(unknown(name, [...known.keys()]))
      return [...handlers]
    })
}

const unknown = (name: string, known: readonly string[]) =>
  `config/svc.ts: there is no middleware '${name}'\n` +
  `  known  ${known.join(', ')}\n` +
  `  fix    name one of these, or define '${name}' in app/Http/middleware.ts`
