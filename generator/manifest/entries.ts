/** An entry that `app/Hooks` answers (spec: a callable). */
export interface Computed<Answer = unknown> {
  readonly type: 'computed'
  readonly batch: boolean
  /** TypeScript of what the hook answers, as svc reads it in the manifest's file. */
  readonly answer?: string
  /** The answer's type, for the compiler; never set. */
  readonly of?: Answer
}

/** An entry forwarded to the member of the same name (spec: a bare string). */
export interface Member {
  readonly type: 'member'
}

/**
 * Something worked out by a function in `app/Hooks`, loaded when a client asks for its key.
 * With `batch`, the function gets the whole page at once instead of one record.
 *
 * The type is what the function answers; it may answer null too. It is carried into `app/Models.ts`, so it is written out here:
 * a name that only the manifest knows is a problem.
 *
 * @example reading_time: computed<{ minutes: number }>()
 */
export function computed<Answer = unknown>(
  options: { readonly batch?: boolean } = {},
): Computed<Answer> {
  return Object.freeze({ type: 'computed', ...options, batch: options.batch ?? false })
}

/**
 * Lets clients ask for a member of the record by its name: a visible field, or the relation of that name.
 *
 * @example description: member()
 */
export function member(): Member {
  return Object.freeze({ type: 'member' })
}
