import type { SearchTerm } from './search-terms.js'

/**
 * The beginning of a word in a language whose words are kept without their endings: the index has
 * `run` for `running`, and no word that begins with `runn`. So the words that it may have instead
 * are looked up, and the text is read for a word with this beginning.
 */

/** The longest ending that is looked for, as in `-izations`. */
const longestEnding = 8

/** The term, and what the index may hold instead of the beginning: `run` and `rune` of `runn`. */
export function alternativesOf(term: SearchTerm): readonly SearchTerm[] {
  const characters = Array.from(lastWordOf(term))
  const shortest = Math.max(2, characters.length - longestEnding)
  const lengths = Array.from(characters, (_, at) => characters.length - at)
  const words = lengths
    .filter((length) => length >= shortest)
    .map((length) => characters.slice(0, length).join(''))
    .flatMap((word) => [word, `${word}e`])
  return [term, ...words.map((word) => endingIn(term, word))]
}

/** The term with another last word, which is a whole one. */
const endingIn = ({ words }: SearchTerm, last: string): SearchTerm => ({
  words: [...words.slice(0, -1), last],
  isPrefix: false,
})

export const lastWordOf = ({ words }: SearchTerm): string => words.at(-1) ?? ''
