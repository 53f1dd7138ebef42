import { notWhiteSpace } from '../../../../runtime/kinds/text.js'
import type { Column } from '../../../blueprint/types.js'
import type { Schema } from '../../../kinds/kind.js'
import { kindOf } from '../../../kinds/kinds.js'
import { valueOf } from '../../../source/literal.js'

/** The longest text that a test sends in order to be refused. */
const mostInTests = 100_000

/** A value of no form: no kind takes a space beside such a mark, and nobody calls an option so. */
const noValue = 'no value!'

const found = new Map<string, readonly string[]>()

/**
 * Values that the rule of a column refuses, as expressions of TypeScript: just beyond its bounds, and else of no form that it
 * takes. They come of what the API's document says of the column, which is not what the server reads.
 */
export function fieldRefused(column: Column): readonly string[] {
  const sent = kindOf(column.kind).document.sent(column)
  const alike = JSON.stringify(sent)
  const known = found.get(alike) ?? refusedBy(sent)
  found.set(alike, known)
  return known
}

function refusedBy(sent: Schema): readonly string[] {
  const schema = together(sent)
  const types = [schema['type']].flat()
  const isNullable = types[0] === undefined || types.includes('null')
  return [
    ...bounded(schema),
    ...(schema['pattern'] === notWhiteSpace.source ? [valueOf(' \t\n')] : []),
    ...((hasForm(schema) && !isTaken(noValue, schema)) ||
    types.includes('boolean') ||
    types[0] === 'number'
      ? [valueOf(noValue)]
      : []),
    ...(isNullable ? [] : ['null']),
  ]
}

/** Text or a number as one schema: what is said of one is nothing that the other has. */
function together({ anyOf, ...schema }: Schema): Schema {
  const parts = Array.isArray(anyOf) ? (anyOf as readonly Schema[]) : [] // schemas, as JSON
  const types = parts.flatMap(({ type = [] }) => type)
  return Object.assign({}, schema, ...parts, types.length === 0 ? {} : { type: types })
}

/** Its values look like something: an e-mail address, a day, one of some options. */
const hasForm = (schema: Schema) =>
  (['enum', 'format'].some((word) => word in schema) || patternsOf(schema).length > 0) &&
  schema['format'] !== 'password'

/** A field may say a form that takes nearly everything: `.regex(/^[^<>]*$/u)`. */
const isTaken = (text: string, schema: Schema): boolean =>
  !('enum' in schema || 'format' in schema) &&
  patternsOf(schema).every((pattern) => new RegExp(pattern, 'u').test(text))

/** That a text is not blank is no form. */
function patternsOf({ pattern, allOf }: Schema): readonly string[] {
  const parts: readonly Schema[] = Array.isArray(allOf) ? allOf : []
  return [pattern, ...parts.map((part) => part['pattern'])]
    .filter((each) => typeof each === 'string')
    .filter((each) => each !== notWhiteSpace.source)
}

/** The form of a value limits its length better. */
function bounded(schema: Schema): readonly string[] {
  const { minLength, maxLength, minimum, maximum } = schema
  const beyond = [
    ...(typeof minimum === 'number' ? [minimum - 1] : []),
    ...(typeof maximum === 'number' ? [maximum + 1] : []),
  ]
  const lengths = [
    ...(typeof minLength === 'number' && minLength > 0 ? [minLength - 1] : []),
    ...(typeof maxLength === 'number' && maxLength < mostInTests ? [maxLength + 1] : []),
  ]
  return [
    ...beyond.map(valueOf),
    ...(hasForm(schema)
      ? []
      : lengths.map((length) => (length === 0 ? "''" : `'x'.repeat(${length})`))),
    ...lists(schema),
  ]
}

function lists({ items, minItems, maxItems }: Schema): readonly string[] {
  if (items === undefined) return []
  const { enum: options = [] } = items as { readonly enum?: readonly string[] } // strings of a select
  const counts = [
    ...(typeof minItems === 'number' && minItems > 0 ? [minItems - 1] : []),
    ...(typeof maxItems === 'number' && maxItems < options.length ? [maxItems + 1] : []),
  ]
  return [[noValue], ...counts.map((count) => options.slice(0, count))].map(valueOf)
}
