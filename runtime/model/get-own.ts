/** What a record itself holds: fields may be called `constructor` or `toString`. */
export function getOwn<Value>(
  record: Readonly<Record<string, Value>> | undefined,
  key: string,
): Value | undefined {
  return record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined
}

/** Makes objects whose prototype has nothing, as fast as literals: a plain function is a class. */
const NullPrototype = function () {} as unknown as new () => Record<string, unknown>
NullPrototype.prototype = Object.create(null)

/** An object for keys that callers choose: it inherits nothing, `__proto__` is one like others. */
export function nullPrototypeObject(): Record<string, unknown> {
  return new NullPrototype()
}
