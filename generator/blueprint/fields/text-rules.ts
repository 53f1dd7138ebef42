import { isFieldKind, kindOf } from '../../kinds/kinds.js'
import { passes } from '../../kinds/text/text-rules.js'
import type { FieldDefinition, TextRule } from '../../manifest/field.js'
import type { Place } from '../problems.js'
import { sampleFor } from '../sample-text.js'
import { slowness } from '../slow-patterns.js'
import type { Column } from '../types.js'
import { isBlank, refusesBlank } from './blank.js'
import { aSentence, show } from './shapes.js'

/**
 * What a field says of its text besides kind and length.
 *
 *     startsWith, endsWith    a text, not empty, without NUL
 *     regex                   the flag `u` alone, which is how JSON Schema reads a pattern; fast, whatever is sent
 *     sample                  a value of the kind, within its bounds, that passes all of these
 */
export function textRules(
  definition: FieldDefinition,
  place: Place,
): Pick<Column, 'rules' | 'sample'> {
  const { rules = [], sample } = definition
  const sound = rules.filter((rule) => isSound(rule, place))
  const isWrong = sound.length < rules.length
  if (sample !== undefined) checkSample(definition, sound, place)
  if (rules.length === 0) return sample === undefined ? {} : { sample }
  if (isWrong || sample !== undefined) return { rules: sound, sample: sample ?? '' }
  const found = sampleFor(definition, sound)
  if (found === undefined) reportNoSample(definition, place)
  return { rules: sound, sample: found ?? '' }
}

function isSound(rule: TextRule, { at, what, report }: Place): boolean {
  const wrong = rule.name === 'regex' ? wrongRegex(rule) : wrongText(rule.name, rule.text)
  if (wrong === null) return true
  report({ at: [...at, rule.name], message: `${what} has ${wrong.says}`, ...wrong })
  return false
}

interface Wrong {
  readonly rule: string
  readonly says: string
  readonly fix: string
}

function wrongText(name: string, text: unknown): Wrong | null {
  if (typeof text === 'string' && text !== '' && !text.includes('\0')) return null
  return {
    rule: 'text-rule',
    says: `.${name}(${show(text)}), and it takes a text without NUL, at least one character`,
    fix: `.${name}('ABC-')`,
  }
}

function wrongRegex(rule: TextRule & { readonly name: 'regex' }): Wrong | null {
  const { source, flags, says } = rule
  if (typeof source !== 'string' || typeof flags !== 'string') {
    const fix = String.raw`.regex(/^[A-Z]{3}-\d+$/u)`
    return { rule: 'text-rule', says: 'a .regex() of no regular expression', fix }
  }
  const written = `/${source}/${flags}`
  if (flags !== 'u') {
    return {
      rule: 'text-rule',
      says: `.regex(${written}), and the API's document can say one with the flag 'u' and no other`,
      fix: sameWithU(source, flags),
    }
  }
  if (says !== undefined && !aSentence.holds(says)) {
    const text = `.regex(${written}, { says: ${show(says)} }), which is not ${aSentence.says}`
    return { rule: 'text-rule', says: text, fix: "{ says: 'three letters, a dash and digits' }" }
  }
  const slow = slowness(source)
  if (slow === null) return null
  return { rule: 'slow-regex', says: `.regex(${written}), which ${slow.why}`, fix: slow.fix }
}

/** Writes each other flag as a part of the expression. */
function sameWithU(source: string, flags: string): string {
  if (flags.includes('i')) return 'name both cases: [A-Za-z]'
  if (flags.includes('m')) return 'say (^|\\n) and (\\n|$) where a line may begin and end'
  if (flags.includes('s')) return 'say [^] for any character, line breaks too'
  return isCompiled(source) ? `.regex(/${source}/u)` : 'add the flag u, and escape what it asks for'
}

function isCompiled(source: string): boolean {
  try {
    return new RegExp(source, 'u').source !== ''
  } catch {
    return false
  }
}

function checkSample(
  definition: FieldDefinition,
  rules: readonly TextRule[],
  { at, what, report }: Place,
): void {
  const { sample, kind } = definition
  const why = whyNoSample(definition, rules)
  if (why === null) return
  report({
    rule: 'wrong-sample',
    at: [...at, 'sample'],
    message: `${what} has .sample(${show(sample)}), and ${why}`,
    fix: `a value that ${kind}() with these rules takes, or leave .sample() out`,
  })
}

function whyNoSample(definition: FieldDefinition, rules: readonly TextRule[]): string | null {
  const { kind, sample, min = 0, max = Infinity } = definition
  const { preset } = kindOf(isFieldKind(kind) ? kind : 'field')
  const read = preset.read(sample)
  if (typeof read !== 'string') return `${kind}() takes ${preset.says}`
  if (read.length < min) return `.min(${min}) does not allow it`
  if (read.length > max) return `.max(${max}) does not allow it`
  if (refusesBlank(definition) && isBlank(read)) return 'a required text must not be blank'
  const broken = rules.find((rule) => !passes([rule], read))
  return broken === undefined ? null : `.${broken.name}() does not allow it`
}

function reportNoSample({ rules = [] }: FieldDefinition, { at, what, report }: Place): void {
  report({
    rule: 'no-sample',
    at: [...at, rules.at(-1)?.name ?? 'regex'],
    message: `${what} has rules, and svc finds no value that passes all of them: examples, tests and the seed need one`,
    fix: ".sample('…'), with a value that does; if there is none, other rules",
  })
}
