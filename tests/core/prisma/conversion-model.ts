/** Computes the converted value of a changed field, once more, without SQL. */
import { isDeepStrictEqual } from 'node:util'
import type { Column } from '../../../generator/blueprint/types.js'
import type { Told } from '../../../generator/kinds/kind.js'
import { kindOf } from '../../../generator/kinds/kinds.js'

export type Kind = Pick<Column, 'kind' | 'precision' | 'scale' | 'min' | 'max' | 'options'>

/** A test of the value a row has afterwards; null: the value cannot be converted. */
export type Outcome = ((actual: unknown) => boolean) | null

const number = /^-?(0|[1-9]\d*)(\.\d+)?$/
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i
const instant = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)?)?$/

const isText = ({ kind }: Kind) => ['field', 'text', 'textarea'].includes(kind)
const isNumeric = ({ kind }: Kind) =>
  ['number', 'integer', 'bigInteger', 'float', 'decimal'].includes(kind)
const isBoolean = ({ kind }: Kind) => kind === 'boolean' || kind === 'toggle'
const isWhole = ({ kind }: Kind) => kind === 'number' || kind === 'integer'
const isSame = (from: Kind, to: Kind) =>
  from.kind === to.kind || [isText, isBoolean, isWhole].some((isOne) => isOne(from) && isOne(to))

const is = (expected: unknown) => (actual: unknown) => isDeepStrictEqual(actual, expected)
const within = ({ min = -Infinity, max = Infinity }: Kind, size: number) =>
  size >= min && size <= max

/** Digits that tell a number, without zeros that do not. */
function digitsOf(text: string): number {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.')
  return `${whole}${fraction.replace(/0+$/, '')}`.replace(/^0+/, '').length
}

/** A number with at most 15 digits, and 15 places, without an exponent. */
function plain(value: number): string | null {
  if (Math.abs(value) >= 1e15) return null
  const text = value.toFixed(
    15 - (Math.abs(value) < 1 ? 0 : String(Math.trunc(Math.abs(value))).length),
  )
  if (Number(text) !== value) return null
  return value === 0 ? '0' : text.includes('.') ? text.replace(/\.?0+$/, '') : text
}

function wordOf(from: Kind, value: unknown): string | null {
  if (from.kind === 'password') return null
  if (from.kind === 'float') return plain(Number(value))
  if (from.kind === 'multiSelect')
    return Array.isArray(value) && value.length === 1 ? String(value[0]) : null
  if (typeof value !== 'object') return String(value)
  return null
}

/** PostgreSQL writes JSON with blanks. */
function jsonLength(value: unknown, isSpaced: boolean): number {
  const text = JSON.stringify(value, null, isSpaced ? 1 : 0)
  return isSpaced
    ? text
        .replaceAll(/([[{])\n\s*/g, '$1')
        .replaceAll(/\n\s*([\]}])/g, '$1')
        .replaceAll(/\n\s*/g, ' ').length
    : text.length
}

export function outcome(from: Kind, to: Kind, value: unknown, isSpaced = false): Outcome {
  if (isSame(from, to)) return same(to, value)
  if (from.kind === 'password') return null
  if (isText(to)) return toText(from, to, value, isSpaced)
  if (to.kind === 'json') return toJson(from, value)
  const isJson = from.kind === 'json' || from.kind === 'multiSelect'
  if (to.kind === 'multiSelect') {
    if (from.kind === 'json') return choice(to, value)
    const word = wordOf(from, value)
    if (word !== null && to.options?.includes(word)) return choice(to, [word])
    return isText(from) ? choice(to, parsed(String(value))) : null
  }
  if (isBoolean(from) && isNumeric(to)) return toWord(to, value === true ? '1' : '0')
  if (isNumeric(from) && isBoolean(to)) {
    return Number(value) === 0 || Number(value) === 1 ? is(Number(value) === 1) : null
  }
  if (from.kind === 'dateTime' && to.kind === 'date') {
    return String(value).endsWith('T00:00:00.000Z') ? is(String(value).slice(0, 10)) : null
  }
  const word = wordOf(from, value)
  if (word === null || (isJson && typeof value === 'object' && !Array.isArray(value))) return null
  return toWord(to, from.kind === 'json' && typeof value === 'number' ? jsonNumber(value) : word)
}

/** As JSON has it: whole numbers with all of their digits. */
const jsonNumber = (value: number): string =>
  Number.isInteger(value) && Math.abs(value) < 1e21 ? String(value) : (plain(value) ?? '')

function same(to: Kind, value: unknown): Outcome {
  if (isText(to) || kindOf(to.kind).told !== null)
    return within(to, Array.from(String(value)).length) ? is(value) : null
  if (to.kind === 'decimal' || to.kind === 'bigInteger') return toWord(to, String(value))
  if (isNumeric(to))
    return within(to, Number(value)) ? (actual) => Number(actual) === Number(value) : null
  if (to.kind === 'multiSelect') return choice(to, value)
  if (to.kind === 'select') return to.options?.includes(String(value)) === true ? is(value) : null
  return is(value)
}

/** Both databases write an exponent with two digits. */
const written = ({ kind }: Kind, value: unknown) =>
  kind === 'float' ? String(value).replace(/e([+-])(\d)$/, 'e$10$2') : String(value)

function toText(from: Kind, to: Kind, value: unknown, isSpaced: boolean): Outcome {
  const isJson = from.kind === 'json' || from.kind === 'multiSelect'
  const length = isJson ? jsonLength(value, isSpaced) : Array.from(written(from, value)).length
  const isNumber = from.kind === 'float'
  return within(to, length)
    ? (actual) => {
        if (isJson) return isDeepStrictEqual(JSON.parse(String(actual)), value)
        return isNumber ? Number(actual) === value : actual === String(value)
      }
    : null
}

function toJson(from: Kind, value: unknown): Outcome {
  if (!isText(from)) return (actual) => isDeepStrictEqual(actual, value === 0 ? 0 : value)
  const read = parsed(String(value))
  // On the wire, -0 is 0.
  return read === undefined || read === null ? null : is(JSON.parse(JSON.stringify(read)))
}

function choice(to: Kind, value: unknown): Outcome {
  if (!Array.isArray(value) || new Set(value).size !== value.length) return null
  return value.every((each) => to.options?.includes(each) === true) && within(to, value.length)
    ? is(value)
    : null
}

/** A text is a value of a kind that says which texts are: without what it drops. */
function toTold(to: Kind, { drops, pattern, lengths }: Told, word: string): Outcome {
  const kept = Array.from(word).filter((each) => !drops.includes(each))
  const [min, max] = lengths(to)
  const isOne = new RegExp(pattern, 'u').test(kept.join(''))
  return isOne && within({ ...to, min, max }, kept.length) ? is(kept.join('')) : null
}

function toWord(to: Kind, word: string): Outcome {
  const { told } = kindOf(to.kind)
  if (told !== null) return toTold(to, told, word)
  switch (to.kind) {
    case 'number':
    case 'integer': {
      const isOne = number.test(word) && Number.isInteger(Number(word)) && digitsOf(word) <= 10
      const limits = {
        ...to,
        min: Math.max(to.min ?? -(2 ** 31)),
        max: Math.min(to.max ?? 2 ** 31 - 1),
      }
      return isOne && within(limits, Number(word)) ? is(Number(word) + 0 || 0) : null
    }
    case 'bigInteger': {
      const [whole = '', fraction = ''] = word.split('.')
      if (!number.test(word) || /[1-9]/.test(fraction)) return null
      const value = BigInt(whole)
      const isOne = value === BigInt.asIntN(64, value) && within(to, Number(value))
      return isOne ? is(String(value)) : null
    }
    case 'float':
      return number.test(word) && digitsOf(word) <= 15 && within(to, Number(word))
        ? (actual) => Number(actual) === Number(word)
        : null
    case 'decimal': {
      const { precision = 10, scale = 2 } = to
      if (!number.test(word) || !within(to, Number(word))) return null
      const [whole = '', fraction = ''] = word.replace('-', '').split('.')
      const kept = fraction.replace(/0+$/, '')
      if (kept.length > scale || (whole !== '0' && whole.length > precision - scale)) return null
      const text = scale === 0 ? whole : `${whole}.${kept.padEnd(scale, '0')}`
      return is(word.startsWith('-') && /[1-9]/.test(text) ? `-${text}` : text)
    }
    case 'boolean':
    case 'toggle':
      return word === 'true' || word === 'false' ? is(word === 'true') : null
    case 'date':
      return isDay(word) ? is(word) : null
    case 'dateTime': {
      if (!instant.test(word) || !isDay(word.slice(0, 10))) return null
      const isZoned = word.length === 10 || /(Z|[+-]\d\d:\d\d)$/.test(word)
      const time = new Date(`${word.replace(' ', 'T')}${isZoned ? '' : 'Z'}`)
      if (Number.isNaN(time.getTime()) || word.slice(11, 13) === '24') return null
      const iso = time.toISOString()
      return /^(0000|[+-])/.test(iso) ? null : is(iso)
    }
    case 'uuid':
      return uuid.test(word) ? is(word.toLowerCase()) : null
    case 'select':
      return to.options?.includes(word) === true ? is(word) : null
    case 'password':
      return word === '!' || word.startsWith('$argon2id$') ? is(word) : null
    default:
      throw new Error(to.kind)
  }
}

function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || text.startsWith('0000')) return false
  const time = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
