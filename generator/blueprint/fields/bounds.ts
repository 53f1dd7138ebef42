import { LONGEST_INDEXED } from '../../kinds/index-length.js'
import { isFieldKind, kindOf } from '../../kinds/kinds.js'
import type { FieldDefinition } from '../../manifest/field.js'
import type { Place } from '../problems.js'
import { show } from './shapes.js'

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
  const limit = kindIn(definition).bound
  if (typeof value === 'number' && limit.holds(value)) return
  place.report({
    rule: 'field-bounds',
    at: [...place.at, name],
    message: `${place.what} has .${name}(${show(value)}), and ${definition.kind}() takes ${limit.says} there`,
    fix: `leave .${name}() out, or give it ${limit.says}`,
  })
}

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
  if (kindIn({ kind }).takes !== 'options') return
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

/** Returns true for 1 to 100 digits, of which at most as many are behind the point. */
export function isDigits(precision: unknown, scale: unknown): boolean {
  if (!Number.isInteger(precision) || !Number.isInteger(scale)) return false
  const [digits, behind] = [Number(precision), Number(scale)]
  return digits >= 1 && digits <= 100 && behind >= 0 && behind <= digits
}

function checkDigits({ kind, precision, scale }: FieldDefinition, place: Place): void {
  if (kindIn({ kind }).takes !== 'digits') return
  if (isDigits(precision, scale)) return
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

/** Returns true if an index can hold every value. */
export const isIndexable = ({
  kind,
  max,
}: {
  readonly kind: string
  readonly max?: number
}): boolean => isFieldKind(kind) && kindOf(kind).isIndexable(max)

/** A kind that nobody knows is reported elsewhere. */
const kindIn = ({ kind }: Pick<FieldDefinition, 'kind'>) =>
  kindOf(isFieldKind(kind) ? kind : 'field')
