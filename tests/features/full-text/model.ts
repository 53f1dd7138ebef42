/** What a search finds, without a database: words as they are written, in any case. */
import fc from 'fast-check'

export interface Text {
  readonly at: number
  readonly columns: readonly string[]
}

const alphabet = ['red', 'lamp', 'lamps', 'Desk', 'chair', 'la', 'über', 'X9'] as const

export const letters = fc.constantFrom(...alphabet)

interface Term {
  readonly words: readonly string[]
  readonly isPrefix: boolean
  readonly isUnwanted: boolean
}

const term = fc
  .record({
    words: fc.array(fc.constantFrom(...alphabet, 'l', 'de', 'none'), {
      minLength: 1,
      maxLength: 3,
    }),
    isPrefix: fc.boolean(),
    isUnwanted: fc.boolean(),
  })
  .map((said): Term => said)

/** As people type it. */
const typed = ({ words, isPrefix, isUnwanted }: Term) => {
  const text = words.length === 1 ? words[0] : `"${words.join(' ')}"`
  return `${isUnwanted ? '-' : ''}${text}${isPrefix ? '*' : ''}`
}

const known = new Map<string, readonly Term[]>()

export const searchText = fc.array(term, { minLength: 1, maxLength: 3 }).map((terms) => {
  const text = terms.map(typed).join(' ')
  known.set(text, terms)
  return text
})

const wordsIn = (text: string) => text.toLowerCase().split(/[ .]+/)

function holds(column: string, { words, isPrefix }: Term): boolean {
  const there = wordsIn(column)
  return there.some((_, from) =>
    words.every((word, at) => {
      const found = there[from + at] ?? ''
      const asked = word.toLowerCase()
      return isPrefix && at === words.length - 1 ? found.startsWith(asked) : found === asked
    }),
  )
}

export function found({ columns }: Text, search: string): boolean {
  return (known.get(search) ?? []).every(
    (said) => columns.some((column) => holds(column, said)) !== said.isUnwanted,
  )
}
