import { expect, test } from 'vitest'
import type { Column } from '../../../generator/blueprint/types.js'
import { fieldEdges } from '../../../generator/plan/views/fields/field-edges.js'
import { awkward, long } from '../../../runtime/testing/values/edges.js'
import { descending, isAskable, isFound, rowsOf } from '../../../runtime/testing/values/records.js'

test('rows have the first edges of all fields, then the second, as long as some field has one', () => {
  expect(rowsOf({ fields: { a: [1, 2, null], b: ['x'] } })).toEqual([
    { a: 1, b: 'x' },
    { a: 2 },
    { a: null },
  ])
  expect(rowsOf({ fields: {} })).toEqual([])
})

test('NULL comes last in either direction', () => {
  const records = [1, 2, null].map((a, at) => ({ id: `${at}`, values: { a } }))
  expect(descending(records, 'a').map(({ values }) => values['a'])).toEqual([2, 1, null])
})

test.each([
  ['text', 'a', 'a', true],
  ['text', 'a', 'ab', false],
  ['partial', 'a', 'bab', true],
  ['partial', 'a', null, false],
  ['boolean', false, null, true],
  ['boolean', true, null, false],
  ['text', null, null, true],
])('a filter of type %s for %o and the value %o: %s', (type, wanted, value, found) => {
  expect(isFound(type, wanted, value)).toBe(found)
})

test('a filter takes one text, and no word that means something else', () => {
  const asked = (type: string) =>
    ['', 'null', 'a,b', 'a', 0, null, 'x'.repeat(200), 'x'.repeat(201)].filter((value) =>
      isAskable(type, value),
    )
  expect(asked('partial')).toEqual(['a', 0, null, 'x'.repeat(200)])
  expect(asked('text')).toEqual(['a', 0, null, 'x'.repeat(200), 'x'.repeat(201)])
})

test('the generator knows how long the awkward text is', () => {
  const edges = (max: number) => fieldEdges({ kind: 'text', max } as Column)
  expect(edges(awkward.length)).not.toContain('awkward')
  expect(edges(awkward.length + 1)).toContain('awkward')
  expect([1, 17, 18, 200].map((length) => long(length).length)).toEqual([1, 17, 18, 200])
})
