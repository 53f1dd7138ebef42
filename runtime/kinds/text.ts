import { type Decode, never, same, type StoredKind } from './kind.js'

/** NUL, and halves of characters: databases refuse them. */
const refused = /[\0\p{Surrogate}]/u

export const isStorable = (text: string): boolean => !refused.test(text)

/** Ends the sentence about a text that cannot be stored. */
export const unstorable = 'must not contain characters that cannot be stored'

/** A text without such a character is blank. White space is what JavaScript's `trim()` takes away. */
export const notWhiteSpace = /\S/u

/** As both databases compare them; JavaScript's `<` looks at halves of characters. */
function byCodePoint(one: string, other: string): number {
  const [a, b] = [Array.from(one), Array.from(other)]
  const at = a.findIndex((character, place) => character !== b[place])
  if (at === -1) return a.length - b.length
  return (a[at]?.codePointAt(0) ?? -1) - (b[at]?.codePointAt(0) ?? -1)
}

/** SQLite keeps bytes in any column, and a number where the table declares no text. */
const sqliteText: Decode = (stored) =>
  typeof stored === 'string' ? stored : typeof stored === 'number' ? String(stored) : undefined

export const text: StoredKind<'text'> = {
  name: 'text',
  says: () => 'text',
  fromText: (given) => given,
  fromJson: (value) => (typeof value === 'string' && isStorable(value) ? value : undefined),
  fromCode: (value) => value,
  key: {
    fromText: (given) => (given !== '' && isStorable(given) ? given : undefined),
    makes: 'ulid',
    compare: byCodePoint,
  },
  searched: 'part',
  type: 'text',
  encode: { sqlite: same, postgresql: same },
  decode: { sqlite: () => sqliteText, postgresql: null },
  declared: [],
  format: null,
  isText: true,
  isInstant: false,
  isTime: false,
  isLong: true,
  isJson: false,
  isPlain: true,
  isRounded: false,
  isSecret: false,
  isTooFine: never,
}
