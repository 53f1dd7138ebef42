/**
 * Bytes of a value as JSON, counted without making it; more than `most` is any number above. What
 * is there several times is counted once and added as often.
 */
export function jsonBytes(answer: unknown, most: number): number {
  const known = new Map<object, number>()
  const count = (value: unknown): number => {
    if (typeof value === 'string') return textBytes(value)
    if (typeof value !== 'object' || value === null) return String(value).length
    if (Array.isArray(value) && value.length === 0) return 2
    const found = known.get(value)
    if (found !== undefined) return found
    if ('toJSON' in value) return textBytes(JSON.stringify(value) ?? '')
    // A value that holds itself ends there, with null.
    known.set(value, 4)
    let bytes = 2
    if (Array.isArray(value)) {
      for (const member of value) {
        bytes += count(member) + 1
        if (bytes > most) break
      }
    } else {
      for (const name of Object.keys(value)) {
        const member = (value as Record<string, unknown>)[name]
        if (member === undefined) continue
        bytes += textBytes(name) + count(member) + 2
        if (bytes > most) break
      }
    }
    known.set(value, bytes)
    return bytes
  }
  return count(answer)
}

/** Characters that JSON writes as they are between quotes. */
const plain = /^[ !#-[\]-~]*$/

const textBytes = (text: string): number =>
  plain.test(text) ? text.length + 2 : Buffer.byteLength(JSON.stringify(text))
