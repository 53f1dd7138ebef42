import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { buildSchema } from 'graphql'
import { expect, test, vi } from 'vitest'
import { defineGraphql } from '../../runtime/features/graphql/config.js'
import { createRemembered } from '../../runtime/features/graphql/document-cache.js'
import { createDocuments } from '../../runtime/features/graphql/documents.js'

test('the last used ones are remembered, as many as there may be', () => {
  const remembered = createRemembered<string>(2)
  const find = vi.fn(() => 'found')
  for (const text of ['a', 'b', 'a', 'c', 'a']) remembered.get(text, find)
  expect([find.mock.calls.length, remembered.size]).toEqual([3, 2])
  remembered.get('b', find)
  expect(find).toHaveBeenCalledTimes(4)
})

test('a text that is long is read each time, and many that are not are not all kept', () => {
  const remembered = createRemembered<string>(100_000)
  const long = vi.fn(() => 'found')
  for (const _ of [1, 2]) remembered.get('x'.repeat(10_001), long)
  expect([long.mock.calls.length, remembered.size]).toEqual([2, 0])
  for (let n = 0; n < 1_000; n += 1) remembered.get(`${n}`.padEnd(10_000), () => 'found')
  expect(remembered.size).toBe(50)
})

test.each([1, 2])('limits.documents: %d are remembered', (documents) => {
  const { limits } = defineGraphql({ limits: { documents } })
  const schema = buildSchema('type Query { a: Int b: Int }')
  const check = createDocuments(schema, { ...limits, values: 64 }, true)
  const first = check('{ a }')
  check('{ b }')
  expect(check('{ a }') === first).toBe(documents === 2)
})

test('callers do not fill the memory with documents', () => {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  const schema = buildSchema('type Query { list(sort: [String!]): Int }')
  const limits = { ...defineGraphql({}).limits, values: 64 }
  const check = createDocuments(schema, limits, true)
  collect()
  const before = process.memoryUsage().heapUsed
  for (let n = 0; n < 1_000; n += 1) {
    expect(check(`{ a${n}: list(sort: [${'"a" '.repeat(1_950)}]) }`)).toHaveProperty('document')
  }
  collect()
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(60_000_000)
})
