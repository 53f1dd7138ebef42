import { getOwn } from '../../model/get-own.js'
import { SetupError } from '../../setup-error.js'
import { type AnswerRule, english, englishAnswers, type Rule } from './english.js'

/** The names in braces of a text. */
type Named<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Named<Rest>
  : never

/**
 * A sentence with names in braces, such as `{max}`, or a function of the same: where a language has
 * one word for 1 and another for 2.
 */
type Said<Of extends Rule> =
  | string
  | ((values: Readonly<Record<Named<(typeof english)[Of]> | 'field', string>>) => string)

export type Texts = { readonly [Of in Rule]: Said<Of> }

export type AnswerTexts = {
  readonly [Of in AnswerRule]:
    | string
    | ((values: Readonly<Record<Named<(typeof englishAnswers)[Of]>, string>>) => string)
}

/** The label of a field, or its label and texts of its own. */
export type FieldTexts = string | ({ readonly label: string } & Partial<Texts>)

/** The texts of one language. None may be missing. */
export interface LanguageTexts<Fields> {
  readonly texts: Texts
  readonly answers: AnswerTexts
  readonly fields: {
    readonly [Repository in keyof Fields]: {
      readonly [Field in Fields[Repository] & string]: FieldTexts
    }
  }
}

/** The texts of one language, without the names of one project. */
export interface AnyLanguage {
  readonly texts: Texts
  readonly answers: AnswerTexts
  readonly fields: Readonly<Record<string, Readonly<Record<string, FieldTexts>>>>
}

/** A name that no rule has would be shown as it stands: that stops the start. */
export function checkTexts(messages: Readonly<Record<string, AnyLanguage>>): void {
  for (const [language, { texts, answers, fields }] of Object.entries(messages)) {
    const own = Object.entries(fields).flatMap(([repository, all]) =>
      Object.entries(all).map(([field, each]) => [`fields.${repository}.${field}`, each] as const),
    )
    for (const [place, all] of [['texts', texts] as const, ...own]) {
      if (typeof all === 'string') continue
      for (const [rule, text] of Object.entries(all)) check(`${language}.${place}`, rule, text)
    }
    for (const [rule, text] of Object.entries(answers)) {
      check(`${language}.answers`, rule, text, englishAnswers, [])
    }
  }
}

function check(
  place: string,
  rule: string,
  text: unknown,
  texts: Readonly<Record<string, string>> = english,
  always: readonly string[] = ['field'],
): void {
  const inEnglish = getOwn(texts, rule)
  if (typeof text !== 'string' || inEnglish === undefined) return
  const known = new Set([...always, ...namesIn(inEnglish)])
  const wrong = namesIn(text).find((name) => !known.has(name))
  if (wrong === undefined) return
  throw new SetupError(
    `config/messages.ts: ${place}.${rule} names {${wrong}}\n` +
      `  known  ${[...known].map((name) => `{${name}}`).join(', ') || 'none'}\n` +
      `  fix    name one of these, or leave {${wrong}} out`,
  )
}

export const namesIn = (text: string): string[] =>
  [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
