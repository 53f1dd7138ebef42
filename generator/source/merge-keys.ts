/** package.json belongs to both: merged key by key, so neither side's lines can dispute the other's. */

type Value = null | boolean | number | string | readonly Value[] | Keys
interface Keys {
  readonly [key: string]: Value
}

/**
 * For each key: changed or removed by the developer stays so; otherwise svc's value.
 * Null when one of the texts is not a JSON object. Indentation and key order are the developer's.
 */
export function mergeKeys(mine: string, base: string | null, svc: string): string | null {
  const [ours, origin, theirs] = [read(mine), base === null ? {} : read(base), read(svc)]
  if (ours === null || origin === null || theirs === null) return null
  const merged = JSON.stringify(merge(ours, origin, theirs), null, indentation(mine))
  return mine.trimEnd() === mine ? merged : `${merged}\n`
}

function read(text: string): Keys | null {
  try {
    const value: unknown = JSON.parse(text)
    return isKeys(value) ? value : null
  } catch {
    return null
  }
}

// JSON.parse yields nothing but values, and this is an object of them.
const isKeys = (value: unknown): value is Keys =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const indentation = (text: string) => /^\{\r?\n([ \t]+)"/.exec(text)?.[1] ?? 2

function merge(mine: Keys, base: Keys, svc: Keys): Keys {
  const merged = new Map<string, Value>()
  for (const key of orderedKeys(mine, svc)) {
    const value = mergeValue(at(mine, key), at(base, key), at(svc, key))
    if (value !== undefined) merged.set(key, value)
  }
  return Object.fromEntries(merged)
}

function mergeValue(mine?: Value, base?: Value, svc?: Value): Value | undefined {
  if (isKeys(mine) && isKeys(svc)) return merge(mine, isKeys(base) ? base : {}, svc)
  return equal(mine, base) ? svc : mine
}

const at = (keys: Keys, key: string) => (Object.hasOwn(keys, key) ? keys[key] : undefined)

const equal = (left?: Value, right?: Value) => JSON.stringify(left) === JSON.stringify(right)

/** The developer's order; a key that is new comes after the one it follows in svc's text. */
function orderedKeys(mine: Keys, svc: Keys): readonly string[] {
  const order = Object.keys(mine)
  let after = -1
  for (const key of Object.keys(svc)) {
    const found = order.indexOf(key)
    if (found === -1) order.splice(after + 1, 0, key)
    after = found === -1 ? after + 1 : found
  }
  return order
}
