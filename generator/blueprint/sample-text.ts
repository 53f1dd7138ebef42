import { createRequire } from 'node:module'
import { isFieldKind, kindOf } from '../kinds/kinds.js'
import { passes } from '../kinds/text/text-rules.js'
import type { FieldDefinition, TextRule } from '../manifest/field.js'
import { isBlank, refusesBlank } from './fields/blank.js'

type Library = typeof import('../libraries/fast-check.cjs')

/** Only where the manifest has a regular expression. */
let library: Library | undefined
function fastCheck(): Library {
  // `createRequire` answers any; the types are those of the package.
  library ??= createRequire(import.meta.url)('../libraries/fast-check.cjs') as Library
  return library
}

/** A text that a field with these rules takes, the plainest that is found; undefined: none is. */
export function sampleFor(
  definition: FieldDefinition,
  rules: readonly TextRule[],
): string | undefined {
  const { min = 0 } = definition
  const kind = kindOf(isFieldKind(definition.kind) ? definition.kind : 'field')
  const max = definition.max ?? kind.usualMax ?? Infinity
  const start = textOf(rules, 'startsWith')
  const end = textOf(rules, 'endsWith')
  const usual = String(kind.sample({ name: 'example', nullable: false, min, max }))
  const isOne = (text: string) =>
    text.length >= min &&
    text.length <= max &&
    !(refusesBlank(definition) && isBlank(text)) &&
    kind.preset.read(text) === text &&
    passes(rules, text)
  const between = [
    usual,
    '',
    ...fillers.map((each) => each.padEnd(min - start.length - end.length, '0')),
  ]
  const around = (text: string) => [
    text,
    `${start}${text}${end}`,
    `${start}${text}`,
    `${text}${end}`,
  ]
  return [...between, ...rules.flatMap(matching)].flatMap(around).find(isOne)
}

/** Texts to put between the beginning and the end: of codes, addresses, names. */
const fillers = ['1', 'example', 'somebody', 'Example', 'x', 'example.com', '0']

const textOf = (rules: readonly TextRule[], name: 'startsWith' | 'endsWith') =>
  rules.map((rule) => (rule.name === name ? rule.text : '')).join('')

const tried = 300

/** Texts that match, those of plain letters and digits first, and short ones before. */
function matching(rule: TextRule): readonly string[] {
  if (rule.name !== 'regex') return []
  const { sample, stringMatching } = fastCheck()
  try {
    const texts = stringMatching(new RegExp(rule.source, rule.flags))
    const found = sample(texts, { numRuns: tried, seed: 1 })
    return found.toSorted((one, other) => costOf(one) - costOf(other))
  } catch {
    return [] // The manifest gives a text where none is known, for a look-around say.
  }
}

const costOf = (text: string) => text.length + 100 * text.replaceAll(/[A-Za-z0-9 -]/g, '').length
