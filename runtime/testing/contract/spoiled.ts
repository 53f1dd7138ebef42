import fc from 'fast-check'
import type { Arbitrary } from 'fast-check'
import { dataIn, listIn, type Data } from './schema.js'

/** Values that a client may send by mistake. */
const mistakes: readonly unknown[] = [
  ...[null, true, 0, -1, 1.5, 1e300, '', 'nonsense', '-1', '9999999999'],
  ...[{}, [], [null], [{}], ['x', 'x']],
  ...['2026-02-30', '2026-13-01T00:00:00Z', '10000-01-01', 'x@', '11111111-1111'],
  'x'.repeat(20_001),
]

/** Bodies that a schema does not allow, each wrong in one thing; `right`: those that it allows. */
export function spoiled(
  schema: Data,
  right: Arbitrary<unknown>,
  isValid: (schema: Data, value: unknown) => boolean,
): Arbitrary<unknown> {
  const required = listIn(schema['required']).map(String)
  const wrong = Object.entries(dataIn(schema['properties'])).flatMap(([name, part]) =>
    mistakes
      .filter((value) => !isValid(dataIn(part), value))
      .map((value) => (body: Data): Data => ({ ...body, [name]: value })),
  )
  const missing = required.map((name) => (body: Data): Data => {
    return Object.fromEntries(Object.entries(body).filter(([key]) => key !== name))
  })
  const changes = [...wrong, ...missing]
  if (changes.length === 0) return fc.constantFrom(null, [], 'text', 7)
  return fc.tuple(right, fc.constantFrom(...changes)).map(([body, change]) => change(dataIn(body)))
}
