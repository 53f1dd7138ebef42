/** The longest text that is shown of a value. */
const longest = 60

/** A value as it is shown: short, and nothing in it that a terminal would obey. */
export function shownValue(value: unknown): string {
  if (value === undefined || value === null) return 'nothing'
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) {
    const shown = value.slice(0, 5).map(shownValue)
    const more = value.length > 5 ? [`… ${value.length - 5} more`] : []
    return value.length === 0 ? 'nothing' : [...shown, ...more].join(', ')
  }
  if (typeof value === 'string') return `'${harmless(cut(value))}'`
  if (typeof value === 'object') return harmless(cut(JSON.stringify(value)))
  return harmless(String(value))
}

/** As much of a text as is shown. */
export const cut = (text: string): string => {
  const letters = Array.from(text.slice(0, longest * 2))
  return letters.length > longest ? `${letters.slice(0, longest).join('')}…` : text
}

/** Control characters, and those that change the direction of text, as what they are. */
export const harmless = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]/gu, (sign) => {
    if (sign === '\n') return '\\n'
    if (sign === '\t') return '\\t'
    return `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`
  })
