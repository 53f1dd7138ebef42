import type { z } from 'zod'

/** Why a rule did not take a value, as zod reports it. */
type Issue = Parameters<z.core.$ZodErrorMap>[0]

/** What begins in lower case goes on after `The title …`; else it is a sentence already. */
export function sentence(field: string, text: string): string {
  if (!/^\p{Lowercase}/u.test(text)) return text
  // `labels` is one field: a verb in the singular goes with that word.
  const name = `${field.replaceAll('_', ' ')}${/^(is|has the) /.test(text) ? ' field' : ''}`
  return `The ${name} ${text}.`
}

/** What follows `The <field>` for a value that a rule did not take. */
export function issueText(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return isAbsent(issue.input) ? absent(issue.input) : `must be ${typeText(issue.expected)}`
    case 'invalid_union':
      return isAbsent(issue.input) ? absent(issue.input) : 'must be a number or text'
    case 'too_big':
      return tooBig(issue.origin, Number(issue.maximum))
    case 'too_small':
      return tooSmall(issue.origin, Number(issue.minimum))
    case 'invalid_value':
      return isAbsent(issue.input)
        ? absent(issue.input)
        : `must be one of: ${issue.values.join(', ')}`
    case 'invalid_format':
      return formats[issue.format] ?? 'has the wrong format'
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`
    default:
      return 'is not valid'
  }
}

const isAbsent = (input: unknown): input is undefined | null =>
  input === undefined || input === null

/** What is said of a required field that is not there, or is null. */
export function absent(input: undefined | null): string {
  return input === null ? 'must not be null' : 'is required'
}

function tooBig(origin: string, maximum: number): string {
  if (origin === 'string') return `must not be longer than ${count(maximum, 'character')}`
  if (origin === 'array') return `must not have more than ${count(maximum, 'item')}`
  return `must not be greater than ${maximum}`
}

function tooSmall(origin: string, minimum: number): string {
  if (origin === 'string' && minimum === 1) return 'must not be empty'
  if (origin === 'string') return `must have at least ${count(minimum, 'character')}`
  return origin === 'array'
    ? `must have at least ${count(minimum, 'item')}`
    : `must be at least ${minimum}`
}

const count = (number: number, unit: string): string =>
  `${number} ${unit}${number === 1 ? '' : 's'}`

const types: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}

const typeText = (expected: string): string => types[expected] ?? `of type ${expected}`

const formats: Readonly<Record<string, string>> = {
  email: 'must be an e-mail address',
  url: 'must be a URL',
  regex: 'has the wrong format',
}
