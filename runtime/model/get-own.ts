/** Reads an object's own value: fields may be called `constructor` or `toString`. */
export function getOwn<Value>(
  record: Readonly<Record<string, Value>> | undefined,
  key: string,
): Value | undefined {
  return record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined
}

/** An object with keys: no list, and not null. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Makes objects whose prototype has nothing, as fast as literals: a plain function is a class. */
const NullPrototype = function () {} as unknown as new () => Record<string, unknown>
NullPrototype.prototype = Object.create(null)

/** An object for keys that callers choose: it inherits nothing, `__proto__` is one like others. */
export function nullPrototypeObject(): Record<string, unknown> {
  return new NullPrototype()
}
