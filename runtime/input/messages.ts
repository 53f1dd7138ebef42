import type { z } from 'zod'

/** Why a rule did not take a value, as zod reports it. */
type Issue = Parameters<z.core.$ZodErrorMap>[0]

/** The rule and the values of a text: `maxLength`, and `{ max: 160 }`. */
export interface Wording {
  readonly rule: string
  readonly values: Readonly<Record<string, string | number>>
}

/** Says what is wrong in the language of who asks. */
export interface Speaker {
  /** The text has these words in its language. */
  remember(text: string, wording: Wording): void
  /** A sentence about a field of a repository; undefined: it has none, and hears it in English. */
  say(text: string, field: string, repository?: string): string | undefined
}

/**
 * Returns the speaker of the current request; without the feature that sets it, all texts are
 * English.
 */
export const speaking: { current: () => Speaker | undefined } = { current: () => undefined }

/** A text with values in it, under its rule. */
export function worded(text: string, rule: string, values: Wording['values'] = {}): string {
  speaking.current()?.remember(text, { rule, values })
  return text
}

/**
 * Makes a sentence: a text in lower case follows `The title …`; any other text is a sentence
 * already.
 */
export function sentence(field: string, text: string, repository?: string): string {
  const said = speaking.current()?.say(text, field, repository)
  if (said !== undefined) return said
  if (!/^\p{Lowercase}/u.test(text)) return text
  // `labels` is one field: a verb in the singular goes with that word.
  const name = `${field.replaceAll('_', ' ')}${/^(is|has the) /.test(text) ? ' field' : ''}`
  return `The ${name} ${text}.`
}

/** Returns the text after `The <field>` for a value that a rule refused. */
export function issueText(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return isAbsent(issue.input) ? absent(issue.input) : typeText(issue.expected)
    case 'invalid_union':
      return isAbsent(issue.input) ? absent(issue.input) : worded('must be a number or text', 'id')
    case 'too_big':
      return tooBig(issue.origin, Number(issue.maximum))
    case 'too_small':
      return tooSmall(issue.origin, Number(issue.minimum))
    case 'invalid_value':
      return isAbsent(issue.input) ? absent(issue.input) : oneOf(issue.values.join(', '))
    case 'invalid_format':
      return formatText(issue)
    case 'not_multiple_of':
      return worded(`must be a multiple of ${issue.divisor}`, 'multipleOf', {
        step: String(issue.divisor),
      })
    default:
      return worded('is not valid', 'invalid')
  }
}

const isAbsent = (input: unknown): input is undefined | null =>
  input === undefined || input === null

const oneOf = (values: string): string => worded(`must be one of: ${values}`, 'oneOf', { values })

/** Returns the text about a required field that is missing or null. */
export function absent(input: undefined | null): string {
  return input === null ? worded('must not be null', 'notNull') : worded('is required', 'required')
}

function tooBig(origin: string, max: number): string {
  if (origin === 'string') {
    return worded(`must not be longer than ${count(max, 'character')}`, 'maxLength', { max })
  }
  if (origin === 'array') {
    return worded(`must not have more than ${count(max, 'item')}`, 'maxItems', { max })
  }
  return worded(`must not be greater than ${max}`, 'max', { max })
}

function tooSmall(origin: string, min: number): string {
  if (origin === 'string' && min === 1) return worded('must not be empty', 'empty')
  if (origin === 'string') {
    return worded(`must have at least ${count(min, 'character')}`, 'minLength', { min })
  }
  return origin === 'array'
    ? worded(`must have at least ${count(min, 'item')}`, 'minItems', { min })
    : worded(`must be at least ${min}`, 'min', { min })
}

const count = (number: number, unit: string): string =>
  `${number} ${unit}${number === 1 ? '' : 's'}`

const types: Readonly<Record<string, readonly [text: string, rule: string]>> = {
  string: ['text', 'text'],
  number: ['a number', 'number'],
  int: ['an integer', 'integer'],
  boolean: ['true or false', 'boolean'],
  array: ['a list', 'list'],
  object: ['an object', 'object'],
}

function typeText(expected: string): string {
  const [text, rule] = types[expected] ?? [`of type ${expected}`, 'invalid']
  return worded(`must be ${text}`, rule)
}

function formatText(issue: Issue & { readonly code: 'invalid_format' }): string {
  switch (issue.format) {
    case 'starts_with':
      return edgeText('begin', 'startsWith', String(issue['prefix']))
    case 'ends_with':
      return edgeText('end', 'endsWith', String(issue['suffix']))
    case 'regex':
      return worded(`must match ${issue.pattern}`, 'regex', { pattern: String(issue.pattern) })
    case 'email':
      return worded('must be an e-mail address', 'email')
    case 'url':
      return worded('must be a URL', 'url')
    default:
      return worded('has the wrong format', 'invalid')
  }
}

const edgeText = (verb: string, rule: string, text: string): string =>
  worded(`must ${verb} with ${text}`, rule, { text })

/** Returns the text of a rule that has its own: the rule is still the one that is broken. */
export function ownText(issue: z.core.$ZodIssue): string {
  const isPattern = issue.code === 'invalid_format' && issue.format === 'regex'
  return isPattern
    ? worded(issue.message, 'regex', { pattern: String(issue.pattern) })
    : issue.message
}
