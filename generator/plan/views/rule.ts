import type { Column } from '../../blueprint/types.js'
import { literal } from '../literal.js'

/** The rule a value from a request must pass, and the function of `rules.ts` it begins with. */
export interface Rule {
  readonly use: string
  readonly text: string
}

/*
 *  column            rule
 *  required          text().max(160)
 *  with a default    boolean().optional()
 *  nullable          dateTime().nullish()
 *  foreign           reference('integer')
 *  decimal           decimal(10, 2, { min: 0 })
 *  textarea, json    textarea(5000), json(2000)
 */
export function ruleOf(column: Column): Rule {
  const isForeign = column.role === 'foreign'
  const use = isForeign ? 'reference' : column.kind
  const first = isForeign ? literal(column.kind) : argumentsOf(column)
  const bounds = isForeign || column.kind === 'decimal' ? '' : chained(column)
  return { use, text: `${use}(${first})${bounds}${presence(column)}` }
}

function argumentsOf(column: Column): string {
  if (column.kind === 'decimal') {
    const bounds = limits(column).map(([name, value]) => `${name}: ${value}`)
    const size = `${column.precision}, ${column.scale}`
    return bounds.length === 0 ? size : `${size}, { ${bounds.join(', ')} }`
  }
  if (holdsMax(column)) return column.max === undefined ? '' : String(column.max)
  if (column.options === undefined) return ''
  return `[${column.options.map(literal).join(', ')}]`
}

/** Kinds with a bound of their own take another one in its place. */
const holdsMax = ({ kind }: Column) => kind === 'textarea' || kind === 'json'

function chained(column: Column): string {
  return limits(column)
    .filter(([name]) => name === 'min' || !holdsMax(column))
    .map(([name, value]) => `.${name}(${value})`)
    .join('')
}

function limits({ min, max }: Column): readonly (readonly [string, number])[] {
  const both = [['min', min] as const, ['max', max] as const]
  return both.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
}

function presence(column: Column): string {
  if (column.nullable) return '.nullish()'
  return column.default === undefined ? '' : '.optional()'
}
