import type { Json } from '../../../blueprint/types.js'
import { types, type Flat } from './flat.js'

/** Bounds that hold for every value. */
export const isVoid = (key: string, bound: number) =>
  /^min(Length|Items|Properties)$/.test(key) && bound === 0

/** A rule about texts says nothing of numbers. */
export function concerns(key: string, given: Flat): boolean {
  const [, of] = concerned.find(([pattern]) => pattern.test(key)) ?? [null, types]
  return typesOf(given).some((type) => of.includes(type))
}

const concerned: readonly (readonly [RegExp, readonly string[]])[] = [
  [/Length$|^pattern$|^format$/, ['string']],
  [/Items|^contains$/, ['array']],
  [/Propert|Required$|Schemas$/, ['object']],
  [/imum$|^multipleOf$/, ['integer', 'number']],
]

export const numberIn = (rule: string) => Number(rule.split(' ').at(1))

/** `0.1` of `0.01`: steps are fractions, which no division keeps. */
export const isMultiple = (step: number, of: number) =>
  Math.abs(step / of - Math.round(step / of)) < 1e-9

/** Types that its values can have. */
export const typesOf = (given: Flat): readonly string[] => {
  if (given.types !== null) return [...given.types]
  return given.values === null ? types : [...new Set(given.values.map(typeOf))]
}

/** Its types, an integer with the numbers that it is one of. */
export function kindsOf(given: Flat): readonly (readonly string[])[] {
  const all = typesOf(given)
  const hasNumbers = all.includes('number')
  return all
    .filter((type) => type !== 'integer' || !hasNumbers)
    .map((type) => (type === 'number' ? ['number', 'integer'] : [type]))
}

function typeOf(value: Json): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value
}
