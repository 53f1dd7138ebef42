import fc from 'fast-check'
import type { Arbitrary } from 'fast-check'
import { numberIn, type Data } from './schema.js'

export function integers(schema: Data): Arbitrary<number> {
  const min = numberIn(schema['minimum'])
  return fc.integer({ ...(min === 1 ? { max: 1000 } : {}), ...limits(schema) })
}

/** Numbers, or multiples of a step, which are told by how many there are. */
export function fractions(schema: Data): Arbitrary<number> {
  const { min = -1000, max = 1000 } = limits(schema)
  const step = numberIn(schema['multipleOf'])
  if (step === undefined) {
    return fc.double({ ...limits(schema), noNaN: true, noDefaultInfinity: true })
  }
  const parts = Math.round(1 / step)
  const within = (bound: number) => Math.min(Math.max(bound, -1e9), 1e9) * parts
  return fc
    .integer({ min: Math.ceil(within(min)), max: Math.floor(within(max)) })
    .map((count) => count / parts)
}

function limits(schema: Data) {
  const min = numberIn(schema['minimum'])
  const max = numberIn(schema['maximum'])
  return { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) }
}
