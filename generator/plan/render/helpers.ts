import { literal } from '../../source/literal.js'

/**
 * Helpers of templates besides each and if. Strict mode does not guard arguments, so these refuse
 * `undefined`.
 */
export const helpers: Readonly<Record<string, (value: unknown) => string>> = {
  list: (values) => strings('list', values).join(', '),
  quote: (value) => literal(string('quote', value)),
  quoteList: (values) => strings('quoteList', values).map(literal).join(', '),
}

function string(helper: string, value: unknown): string {
  if (typeof value === 'string') return value
  throw new Error(`{{${helper}}} wants a string and was given ${typeof value}`)
}

function strings(helper: string, values: unknown): readonly string[] {
  if (Array.isArray(values)) return values.map((value) => string(helper, value))
  throw new Error(`{{${helper}}} wants a list and was given ${typeof values}`)
}
