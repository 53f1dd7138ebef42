/** Sizes of a JSON text, read before it is parsed or anything recurses into it. */
export interface JsonShape {
  /** Levels of brackets. */
  readonly depth: number
  /** Lists, objects and what they hold; an empty list or object counts twice. */
  readonly values: number
}

export function jsonShape(text: string): JsonShape {
  let values = 1
  let depth = 0
  let deepest = 0
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (inString) {
      if (code === 92) at++
      else if (code === 34) inString = false
    } else if (code === 34) inString = true
    else if (code === 44) values++
    else if (code === 123 || code === 91) {
      values++
      if (++depth > deepest) deepest = depth
    } else if (code === 125 || code === 93) depth--
  }
  return { depth: deepest, values }
}
