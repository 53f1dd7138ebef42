import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fold } from '../../../runtime/features/folding/fold.js'
import { runs } from '../../support/runs.js'

it.each([
  ['École', 'ecole'],
  ['STRASSE', 'Straße'],
  ['ẞ', 'ss'],
  ['İIıi', 'iiii'],
  ['Москва Ё', 'москва е'],
  ['ΟΔΟΣ', 'οδος'],
  ['ﬁ½', 'fi1⁄2'],
  ['❤️', '❤'],
  ['100%_\'"\\', '100%_\'"\\'],
])('%s and %s are one', (one, other) => {
  expect(fold(one)).toBe(fold(other))
})

it('leaves vowels that are marks, and joined emoji', () => {
  expect(fold('की')).not.toBe(fold('क'))
  expect(fold('ก็')).not.toBe(fold('ก'))
  expect(fold('👨‍👩‍👧')).toBe('👨‍👩‍👧')
})

it('folds what is folded to itself, whatever its case and form', () => {
  // The subscript iota is an accent where it is written small, and a letter where it is not.
  const hasIota = (text: string) => /\u0345/.test(text.normalize('NFD'))
  const text = fc.string({ unit: 'binary' }).filter((each) => !hasIota(each))
  fc.assert(
    fc.property(text, (each) => {
      const folded = fold(each)
      expect(fold(folded)).toBe(folded)
      for (const form of ['NFC', 'NFD', 'NFKC'] as const) {
        expect(fold(each.normalize(form))).toBe(folded)
      }
      expect(fold(each.toUpperCase())).toBe(folded)
      expect(fold(each.toLowerCase())).toBe(folded)
    }),
    { numRuns: runs(1000) },
  )
})
