import { like } from './kind.js'
import { isStorable, text, unstorable } from './text.js'

/**
 * What is wrong with a value of JSON, or null. Numbers that lost digits on the way are refused: whole
 * ones beyond 2^53, and those too large for any. So is a key `__proto__`, as a GraphQL text may hold it.
 * Walks with a list of its own: nesting has no limit here.
 */
export function jsonProblem(value: unknown): string | null {
  const left = [value]
  while (left.length > 0) {
    const item = left.pop()
    if (typeof item === 'string' && !isStorable(item)) return unstorable
    if (typeof item === 'number' && !keepsDigits(item)) {
      return 'must not contain numbers that lose digits: send them as text'
    }
    if (typeof item !== 'object' || item === null) continue
    if (Array.isArray(item)) {
      for (const inner of item) left.push(inner)
      continue
    }
    for (const key of Object.keys(item)) {
      if (!isStorable(key)) return unstorable
      if (key === '__proto__') return 'must not contain the key __proto__'
      left.push((item as Readonly<Record<string, unknown>>)[key])
    }
  }
  return null
}

const keepsDigits = (value: number): boolean =>
  Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value))

/**
 * A value that the driver has parsed stays as it is: a JSON number of SQLite has numeric affinity.
 */
function parsed(stored: unknown): unknown {
  if (typeof stored !== 'string') return stored instanceof Uint8Array ? undefined : stored
  try {
    return JSON.parse(stored) as unknown
  } catch {
    return undefined // another program wrote it
  }
}

const written = (value: unknown): string => JSON.stringify(value)

export const json = like(text, {
  name: 'json',
  says: () => 'null',
  fromText: () => undefined,
  fromJson: (value) => (jsonProblem(value) === null ? value : undefined),
  searched: 'never',
  type: 'jsonb',
  encode: { sqlite: written, postgresql: written },
  decode: { sqlite: () => parsed, postgresql: () => parsed },
  declared: ['JSONB', 'JSON'],
  isText: false,
  isJson: true,
  isPlain: false,
})
