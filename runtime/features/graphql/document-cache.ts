/**
 * What was found out about texts, the last used ones: at most `most` of them, and none beyond a
 * total length, because callers choose the texts.
 */
export function createRemembered<Value>(most: number): {
  get(text: string, find: () => Value): Value
  readonly size: number
} {
  const known = new Map<string, Value>()
  let length = 0

  const forget = (text: string) => {
    known.delete(text)
    length -= text.length
  }

  return {
    get(text, find) {
      const found = known.get(text)
      if (found !== undefined) {
        known.delete(text)
        known.set(text, found)
        return found
      }
      const value = find()
      if (text.length > longest) return value
      known.set(text, value)
      length += text.length
      for (const oldest of known.keys()) {
        if (known.size <= most && length <= longestInAll) break
        forget(oldest)
      }
      return value
    },
    get size() {
      return known.size
    },
  }
}

/** Characters of one text, and of all; a document takes about fifty times its text. */
const longest = 10_000
const longestInAll = 500_000
