import type { FieldDefinition } from '../manifest/field.js'
import { FIELD_KINDS, isFieldKind, type Storage } from './field-kinds.js'
import type { Place } from './problems.js'
import { show } from './shapes.js'

/** The whole numbers of GraphQL's Int and of an INTEGER column. */
const SMALLEST = -(2 ** 31)
const LARGEST = 2 ** 31 - 1

/** The longest text a database index takes, in characters of up to four bytes. */
export const LONGEST_INDEXED = 600

/**
 * Bounds, options and digits of a field.
 *
 *     min, max          characters of text, items of a list: whole, from 0; the value itself for numbers
 *     options           at least one word, each once
 *     decimal(p, s)     1 ≤ p ≤ 100, 0 ≤ s ≤ p
 *     unique            text short enough for an index; no default, or the second record could not be stored
 */
export function checkBounds(definition: FieldDefinition, place: Place): void {
  checkLimit('min', definition, place)
  checkLimit('max', definition, place)
  checkOrder(definition, place)
  checkOptions(definition, place)
  checkDigits(definition, place)
  checkUnique(definition, place)
}

function checkLimit(name: 'min' | 'max', definition: FieldDefinition, place: Place): void {
  const value = definition[name]
  if (value === undefined) return
  const limit = limitOf(storage(definition))
  if (typeof value === 'number' && limit.holds(value)) return
  place.report({
    rule: 'field-bounds',
    at: [...place.at, name],
    message: `${place.what} has .${name}(${show(value)}), and ${definition.kind}() takes ${limit.says} there`,
    fix: `leave .${name}() out, or give it ${limit.says}`,
  })
}

function limitOf(kind: Storage): { says: string; holds: (value: number) => boolean } {
  if (kind === 'integer') {
    return { says: 'a whole number of 32 bits', holds: isInt32 }
  }
  if (kind === 'float' || kind === 'decimal') return { says: 'a number', holds: Number.isFinite }
  return { says: 'a whole number from 0', holds: (value) => isInt32(value) && value >= 0 }
}

export const isInt32 = (value: number) =>
  Number.isInteger(value) && value >= SMALLEST && value <= LARGEST

function checkOrder({ min, max }: FieldDefinition, { at, what, report }: Place): void {
  if (typeof min !== 'number' || typeof max !== 'number' || min <= max) return
  report({
    rule: 'field-bounds',
    at: [...at, 'max'],
    message: `${what} has .min(${min}) and .max(${max}), so no value fits`,
    fix: `.min(${max}).max(${min})`,
  })
}

function checkOptions({ kind, options }: FieldDefinition, { at, what, report }: Place): void {
  if (kind !== 'select' && kind !== 'multiSelect') return
  const words: readonly unknown[] = Array.isArray(options) ? options : []
  const isList = words.length > 0 && words.every((word) => typeof word === 'string' && word !== '')
  if (isList && new Set(words).size === words.length) return
  report({
    rule: 'field-options',
    at,
    message: `${what} has ${options === undefined ? 'no options' : `the options ${show(options)}`}, and ${kind}() takes at least one word, each once`,
    fix: isList ? `${kind}(${show([...new Set(words)])})` : `${kind}(['draft', 'live'])`,
  })
}

function checkDigits({ kind, precision, scale }: FieldDefinition, place: Place): void {
  if (kind !== 'decimal') return
  const isWhole = Number.isInteger(precision) && Number.isInteger(scale)
  const [digits, behind] = [Number(precision), Number(scale)]
  if (isWhole && digits >= 1 && digits <= 100 && behind >= 0 && behind <= digits) return
  const given = [precision, scale].filter((each) => each !== undefined).map(show)
  place.report({
    rule: 'decimal-digits',
    at: place.at,
    message: `${place.what} is decimal(${given.join(', ')}), and it takes 1 to 100 digits, and at most as many of them behind the point`,
    fix: 'decimal(10, 2)',
  })
}

function checkUnique(definition: FieldDefinition, { at, what, report }: Place): void {
  if (definition.unique !== true) return
  if (definition.default !== undefined) {
    report({
      rule: 'unique-default',
      at: [...at, 'default'],
      message: `${what} is unique and has a default, so the second record that relies on it would be 422`,
      fix: 'leave .default() out, or .unique()',
    })
  }
  if (isIndexable(definition)) return
  report({
    rule: 'unique-unbounded',
    at: [...at, 'unique'],
    message: `${what} is unique and may be longer than ${LONGEST_INDEXED} characters, which no database can index`,
    fix: '.max(255).unique()',
  })
}

const BOUNDED = new Set(['text', 'field', 'email', 'select'])

/** Whether an index can hold every value. `text` and `field` have a bound of their own. */
export function isIndexable({
  kind,
  max,
}: {
  readonly kind: string
  readonly max?: number
}): boolean {
  if (!isFieldKind(kind)) return false
  if (FIELD_KINDS[kind].storage === 'json') return false
  if (FIELD_KINDS[kind].storage !== 'text') return true
  return max === undefined ? BOUNDED.has(kind) : max <= LONGEST_INDEXED
}

const storage = ({ kind }: FieldDefinition): Storage =>
  isFieldKind(kind) ? FIELD_KINDS[kind].storage : 'text'
