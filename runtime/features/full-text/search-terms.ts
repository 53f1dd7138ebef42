/** Something that a search asks for, or asks to be without: words that follow each other. */
export interface SearchTerm {
  readonly words: readonly string[]
  /** The last word is the beginning of one: `lam*`. */
  readonly isPrefix: boolean
}

export interface SearchTerms {
  /** A record that is found has all of them. */
  readonly wanted: readonly SearchTerm[]
  /** And none of these. */
  readonly unwanted: readonly SearchTerm[]
}

/**
 * Reads `lamp "red desk" -broken sha*`. There is nothing that it cannot read: a quote that is not
 * closed ends with the text, and what has neither a letter nor a digit says nothing.
 */
export function readSearch(text: string): SearchTerms {
  const terms = [...text.matchAll(pieces)].flatMap(([, minus, phrase, star, word = '']) => {
    const words = wordsIn(phrase ?? word)
    if (words.length === 0) return []
    const isPrefix = star === '*' || (phrase === undefined && word.endsWith('*'))
    return [{ isUnwanted: minus === '-', term: { words, isPrefix } }]
  })
  const termsThat = (isUnwanted: boolean) =>
    terms.filter((each) => each.isUnwanted === isUnwanted).map(({ term }) => term)
  return { wanted: termsThat(false), unwanted: termsThat(true) }
}

const pieces = /(-)?(?:"([^"]*)(?:"(\*)?|$)|([^\s"]\S*))/g

/**
 * As both databases keep words: what is no letter, mark or digit separates them, and so do marks that make an emoji of what is
 * before them. Marks alone are no word.
 */
const wordsIn = (text: string): readonly string[] =>
  text
    .split(/(?:[^\p{L}\p{M}\p{N}]|[\u{20E3}\u{FE0E}\u{FE0F}])+/u)
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
