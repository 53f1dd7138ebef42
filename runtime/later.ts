/** At once, or later. */
export type Later<T> = T | Promise<T>

/** Goes on with a value: at once where it is there, else when its promise resolves. */
export const andThen = <T, R>(value: Later<T>, next: (value: T) => Later<R>): Later<R> =>
  value instanceof Promise ? value.then(next) : next(value)
