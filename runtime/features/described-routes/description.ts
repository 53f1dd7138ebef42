import type { z } from 'zod'
import { SetupError } from '../../setup-error.js'

/** Describes the input and the answer of a route of your own, with zod schemas. */
export interface RouteDescription {
  /** Says in a few words what the route does: `Invite somebody`. */
  readonly summary: string
  readonly description?: string
  /** Its name, of the function in the client too; absent: `postInvite` of `POST /api/invite`. */
  readonly operationId?: string
  /** Absent: `own`. */
  readonly tags?: readonly string[]
  /**
   * Whether it wants a token, as its guards do: `required`, `optional`, or `none` (the default).
   * This only says so; `middleware(['auth:token'])` before the route asks for one.
   */
  readonly token?: 'required' | 'optional' | 'none'
  /**
   * Parameters of the path: `z.object({ id: z.coerce.number().int() })`. A value that it does not
   * take is 404.
   */
  readonly params?: z.ZodObject
  /**
   * Parameters of the query: texts, so `z.coerce.number()`; a list is `a,b`. A value that it does
   * not take is 400.
   */
  readonly query?: z.ZodObject
  /**
   * The JSON body, an object. A value that it does not take is 422, a body that is no object 400.
   */
  readonly body?: z.ZodType<unknown, object>
  /** By status, what is answered; null: no body, or of a failure the body that failures have. */
  readonly answers: Readonly<Record<number, z.ZodType | null>>
}

const described = new WeakMap<object, RouteDescription>()

/** Remembers what a handler is described as, as long as there is the handler. */
export function keepDescription(handler: object, description: RouteDescription): void {
  const { operationId, answers } = description
  if (operationId !== undefined && !/^[A-Za-z]\w{0,99}$/.test(operationId)) {
    const name = JSON.stringify(operationId)
    throw new SetupError(
      `describeRoute: the operationId ${name} is no name.\n  fix    letters and digits, a letter first: 'acceptInvitation'`,
    )
  }
  const wrong = Object.keys(answers).find((status) => !/^[1-5]\d\d$/.test(status))
  if (wrong !== undefined) {
    throw new SetupError(`describeRoute: '${wrong}' of 'answers' is no status.\n  fix    200`)
  }
  described.set(handler, description)
}

export const descriptionOf = (handler: object) => described.get(handler)
