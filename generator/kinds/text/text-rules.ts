import type { TextRule } from '../../manifest/field.js'
import type { ColumnFacts, Kind, Schema } from '../kind.js'
import { literal } from '../literal.js'

/**
 * Rules of a text field besides its kind and its length: `.startsWith('ABC-')`,
 * `.regex(/^[A-Z]{3}-\d+$/u)`.
 */

/** Directly behind the function of its kind: of a blank text nothing else is said. */
export const blankCheckOf = ({ notBlank }: ColumnFacts): string =>
  notBlank === true ? '.check(notBlank)' : ''

/** Behind the function of its kind, as zod has them: `.regex(/^[A-Z]{3}-\d+$/u, 'must be a code')`. */
export const chainOf = ({ rules = [] }: ColumnFacts): string => rules.map(callOf).join('')

function callOf(rule: TextRule): string {
  if (rule.name !== 'regex') return `.${rule.name}(${literal(rule.text)})`
  const says = rule.says === undefined ? '' : `, ${literal(`must be ${rule.says}`)}`
  return `.regex(${String(new RegExp(rule.source, rule.flags))}${says})`
}

export const passes = (rules: readonly TextRule[], text: string): boolean =>
  rules.every((rule) =>
    rule.name === 'regex'
      ? new RegExp(rule.source, rule.flags).test(text)
      : text[rule.name](rule.text),
  )

/** As a `pattern` of JSON Schema. */
export function patternOf(rule: TextRule): string {
  if (rule.name === 'regex') return rule.source
  const text = rule.text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)
  return rule.name === 'startsWith' ? `^${text}` : `${text}$`
}

/** A schema has one `pattern`, so where there are several each has a schema of its own. */
function ruledSchema(schema: Schema, { rules = [], sample }: ColumnFacts): Schema {
  const { pattern, ...rest } = schema
  const patterns = [...(typeof pattern === 'string' ? [pattern] : []), ...rules.map(patternOf)]
  const [first = ''] = patterns
  return {
    ...rest,
    ...(patterns.length === 1
      ? { pattern: first }
      : { allOf: patterns.map((each) => ({ pattern: each })) }),
    ...(sample === undefined ? {} : { examples: [sample] }),
  }
}

/** Digits of `randomInt`, which takes a range of 48 bits; fewer than the first of them are too few. */
const [fewestDigits, mostDigits] = [5, 12]

/**
 * TypeScript of such a text that is another one each time: the sample, with other digits in the place of its last ones. Every
 * one of some that are tried must pass.
 */
function variedText({ sample = '', rules = [], min = 0, max = Infinity }: ColumnFacts) {
  const [, start = '', end = ''] = /^(.*?)\d*(\D*)$/su.exec(sample) ?? []
  const places = [
    [start, end],
    ...rules.map(({ name }): [string, string] =>
      name === 'startsWith' ? [sample, ''] : ['', sample],
    ),
    [sample, ''],
  ] as const
  for (const [before, after] of places) {
    for (let digits = mostDigits; digits >= fewestDigits; digits -= 1) {
      const made = (digit: number) => `${before}${String(digit).repeat(digits)}${after}`
      const { length } = made(1)
      if (min > length || length > max) continue
      if (!tried.every((digit) => passes(rules, made(digit)))) continue
      const number = `\${randomInt(${10 ** (digits - 1)}, ${10 ** digits})}`
      return `\`${inTemplate(before)}${number}${inTemplate(after)}\``
    }
  }
  return null
}

const tried = [1, 2, 3, 4, 5, 6, 7, 8, 9]

const inTemplate = (text: string) =>
  literal(text)
    .slice(1, -1)
    .replaceAll("\\'", "'")
    .replaceAll(/`|\$\{/g, String.raw`\$&`)

/** UTF-16 units of `awkward` in runtime/testing/values/edges.ts. */
const awkwardLength = 17

/** In the order in which the database sorts them, so of those that begin alike and end as they like. */
function edgesOf(column: ColumnFacts, isPlain: boolean): readonly string[] {
  const { rules = [], sample = '', min = 0, max = 1000 } = column
  const [first, ...others] = rules
  const start = first?.name === 'startsWith' ? first.text : ''
  if (!isPlain || start === '' || others.length > 0) return [literal(sample)]
  const rest = max - start.length
  const least = min - start.length
  const awkward = least <= awkwardLength && awkwardLength < rest ? ['${awkward}'] : []
  return [...awkward, `\${long(${rest})}`].map((each) => `\`${inTemplate(start)}${each}\``)
}

/** The kind, in whose fields the rules hold as well. */
export function withTextRules<Of extends Kind>(kind: Of): Of {
  const isRuled = ({ rules = [] }: ColumnFacts) => rules.length > 0
  const sampleOf = (column: ColumnFacts) => column.sample ?? kind.sample(column)
  const { document, varied, edges, seed } = kind
  return Object.assign({}, kind, {
    document: {
      ...document,
      sent: (column) =>
        isRuled(column) ? ruledSchema(document.sent(column), column) : document.sent(column),
    },
    sample: sampleOf,
    varied: (column) => (isRuled(column) ? variedText(column) : (varied?.(column) ?? null)),
    edges: {
      usual: edges.usual,
      of: (column) => (isRuled(column) ? edgesOf(column, kind.told === null) : edges.of(column)),
    },
    seed: (column) => (column.sample === undefined ? seed(column) : literal(column.sample)),
  } satisfies Partial<Kind>)
}
