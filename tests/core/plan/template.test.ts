import { expect, test } from 'vitest'
import { fromText } from '../../../generator/plan/template.js'

const layOut = (text: string, view: object) => fromText(text)(view)

test.each([
  ['{{quote name}}', { name: "it's \\ here" }, "'it\\'s \\\\ here'"],
  ['{{list names}}', { names: ['a', 'b'] }, 'a, b'],
  ['{{quoteList names}}', { names: ['a', 'b'] }, "'a', 'b'"],
  ['{{quoteList names}}', { names: [] }, ''],
  ['{{name}}', { name: '<b> & "c"' }, '<b> & "c"'],
])('%s', (text, view, expected) => {
  expect(layOut(text, view)).toBe(expected)
})

test.each([
  '{{name}}',
  '{{quote name}}',
  '{{list name}}',
  '{{quoteList name}}',
  '{{unknown name}}',
])('%s refuses a view that does not say it', (text) => {
  expect(() => layOut(text, {})).toThrow()
})
