/** What a record itself holds: fields may be called `constructor` or `toString`. */
export function getOwn<Value>(
  record: Readonly<Record<string, Value>> | undefined,
  key: string,
): Value | undefined {
  return record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined
}

/** Creates objects whose prototype has nothing, and which engines keep as fast as literals. */
const NullPrototype = function () {} as unknown as new () => Record<string, unknown> // a plain function is one
NullPrototype.prototype = Object.create(null)

/** An object for keys that callers choose: nothing is inherited, `__proto__` is a key like others. */
export function nullPrototypeObject(): Record<string, unknown> {
  return new NullPrototype()
}
