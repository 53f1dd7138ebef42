import { describe, expect, test } from 'vitest'
import { literal, property, remark, valueOf } from '../../../generator/source/literal.js'

test.each([
  ['plain', "'plain'"],
  ["it's", "'it\\'s'"],
  ['say "hi"', `'say "hi"'`],
  ['back\\slash', "'back\\\\slash'"],
  ['two\nlines', "'two\\nlines'"],
  ['\\"', `'\\\\"'`],
])('literal %j', (text, expected) => {
  expect(literal(text)).toBe(expected)
})

test.each([
  ['title', 'title'],
  ['constructor', 'constructor'],
  ['blog-posts', "'blog-posts'"],
  ['2nd', "'2nd'"],
])('property %j', (name, expected) => {
  expect(property(name)).toBe(expected)
})

test.each([
  [null, 'null'],
  [true, 'true'],
  [1.5, '1.5'],
  ['a', "'a'"],
  [[1, 'b'], "[1, 'b']"],
  [{}, '{}'],
  [{ a: { 'b-c': [] } }, "{ a: { 'b-c': [] } }"],
])('valueOf %j', (value, expected) => {
  expect(valueOf(value)).toBe(expected)
})

describe('remark', () => {
  test('is one line', () => expect(remark(' two\n  lines ')).toBe('two lines'))
  test('stays inside the comment', () => expect(remark('a */ b')).toBe('a *\\/ b'))
})
