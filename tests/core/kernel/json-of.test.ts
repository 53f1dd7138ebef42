import { expect, test } from 'vitest'
import { jsonOf } from '../../../runtime/model/json-of.js'

/** Repeatable numbers below 1. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

test('a value of a column is written as JSON.stringify writes it', () => {
  const next = numbers(3)
  const text = (length: number) =>
    String.fromCharCode(...Array.from({ length }, () => Math.floor(next() * 65_536)))
  const characters = Array.from({ length: 65_536 }, (_, code) => String.fromCharCode(code))
  const values = [
    ...[null, true, false, 0, -0, 1, -1, 0.1, 1e21, 1e-7, 2 ** 53, NaN, Infinity, -Infinity],
    ...['', 'plain', '"', '\\', '🎉', '\ud83c', { a: [1, null, 'x'] }, [], '</script>\u2028'],
    ...characters,
    ...Array.from({ length: 2_000 }, () => text(Math.floor(next() * 40))),
    ...Array.from({ length: 2_000 }, () => (next() - 0.5) * 10 ** Math.floor(next() * 40 - 20)),
  ]
  const wrong = values.filter((value) => jsonOf(value) !== JSON.stringify(value))
  expect(wrong).toEqual([])
})
