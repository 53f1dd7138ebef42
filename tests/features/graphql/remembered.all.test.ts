import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { buildSchema } from 'graphql'
import { expect, test } from 'vitest'
import { defineGraphql } from '../../../runtime/features/graphql/config.js'
import { createDocuments } from '../../../runtime/features/graphql/documents.js'

const schema = buildSchema('type Query { a: Int b: Int c: Int list(sort: [String!]): Int }')

/**
 * Returns true if a text was remembered: its document is the same object, and is then the last one
 * used.
 */
function documents(most?: number) {
  const { limits } = defineGraphql(most === undefined ? {} : { limits: { documents: most } })
  const check = createDocuments(schema, { ...limits, values: 64 }, true)
  const known = new Map<string, unknown>()
  return {
    check,
    isRemembered(text: string): boolean {
      const checked = check(text)
      expect(checked).toHaveProperty('document')
      const isSame = known.get(text) === checked
      known.set(text, checked)
      return isSame
    },
  }
}

test('the last used ones are remembered, as many as there may be', () => {
  const { isRemembered } = documents(2)
  const texts = ['{ a }', '{ b }', '{ a }', '{ c }', '{ a }']
  expect(texts.map(isRemembered)).toEqual([false, false, true, false, true])
  expect(isRemembered('{ b }')).toBe(false)
})

test('a text that is long is read each time, and many that are not are not all kept', () => {
  const { isRemembered } = documents(100_000)
  const long = '{ a }'.padEnd(10_001)
  expect([isRemembered(long), isRemembered(long)]).toEqual([false, false])
  const texts = Array.from({ length: 1_000 }, (_, n) => `{ a${n}: a }`.padEnd(10_000))
  for (const text of texts) isRemembered(text)
  expect(texts.slice(-50).every(isRemembered)).toBe(true)
  expect(isRemembered(texts.at(-51) ?? '')).toBe(false)
})

test.each([1, 2])('limits.documents: %d are remembered', (most) => {
  const { isRemembered } = documents(most)
  expect(['{ a }', '{ b }', '{ a }'].map(isRemembered)).toEqual([false, false, most === 2])
})

test('callers do not fill the memory with documents', () => {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  const { check } = documents()
  collect()
  const before = process.memoryUsage().heapUsed
  for (let n = 0; n < 1_000; n += 1) {
    expect(check(`{ a${n}: list(sort: [${'"a" '.repeat(1_950)}]) }`)).toHaveProperty('document')
  }
  collect()
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(60_000_000)
})
