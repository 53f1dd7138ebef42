import { HttpError } from '../../errors.js'
import { getOwn } from '../../model/get-own.js'
import { type AnswerRule, englishAnswers } from './english.js'
import type { AnswerTexts } from './messages.js'

interface Shaped {
  readonly rule: AnswerRule
  readonly pattern: RegExp
}

const rules = Object.entries(englishAnswers) as [AnswerRule, string][] // as it is written there

const fixed = new Map(rules.map(([rule, text]) => [text, rule]))

/** Texts with values in them. */
const shaped: readonly Shaped[] = rules.flatMap(([rule, text]) => {
  if (!text.includes('{')) return []
  const source = text
    .replaceAll(/[.()]/g, String.raw`\$&`)
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => `(?<${name}>[^]{1,200}?)`)
  return [{ rule, pattern: new RegExp(`^${source}$`) }]
})

interface Found {
  readonly rule: AnswerRule
  readonly values: Readonly<Record<string, string>>
}

/**
 * Finds the server's rule of a text; null: it is somebody else's, or for the author of a client.
 */
function ruleOf(text: string): Found | null {
  const rule = fixed.get(text)
  if (rule !== undefined) return { rule, values: {} }
  for (const each of shaped) {
    const found = each.pattern.exec(text)
    if (found !== null) return { rule: each.rule, values: found.groups ?? {} }
  }
  return null
}

/**
 * The same answer with these texts in place of the English ones, its `errors` too; null: it has none
 * of them.
 *
 * @param texts Undefined: they are English as they are.
 */
export function answerIn(texts: AnswerTexts | undefined, error: HttpError): HttpError | null {
  let isSaid = false
  const say = (text: string): string => {
    const found = ruleOf(text)
    if (found === null) return text
    isSaid = true
    const template = texts === undefined ? undefined : getOwn(texts, found.rule)
    if (template === undefined) return text
    const { values } = found
    if (typeof template === 'function') return (template as (of: object) => string)(values)
    return template.replaceAll(/\{(\w+)\}/g, (whole, name) => getOwn(values, name) ?? whole)
  }
  const { status, message, errors, headers } = error
  // The message of a 422 is its first error, and how many more there are.
  const [first = ''] = Object.values(errors ?? {}).flat()
  const isFirst = first !== '' && message.startsWith(first)
  const said = isFirst ? say(first) + message.slice(first.length) : say(message)
  const named = Object.entries(errors ?? {}).map(([name, list]) => [name, list.map(say)] as const)
  if (!isSaid) return null
  return new HttpError(status, said, errors && Object.fromEntries(named), headers)
}
