import type { Told } from '../../../kinds/kind.js'
import { kindOf } from '../../../kinds/kinds.js'
import { all, sqlText } from '../../../kinds/sql.js'
import type { Form, Group } from './form.js'

export type Bounds = Pick<Form, 'min' | 'max'>

/**
 * How one database stores the values of a kind, as SQL. `value` is an expression for a stored value, `text` one for a text;
 * neither is NULL. What is to be converted becomes a text, and the text a value again, so a kind is one row, not a row for
 * every other kind.
 */
export interface Stored {
  /** Writes the value of a text column: `48.50`, `2026-02-03`, `["a"]`. */
  text(value: string, form: Form): string
  /**
   * Writes the value of any other column; NULL where a value is no single word. Absent: the text.
   */
  word?(value: string, form: Form): string
  /** Its text as JSON. Absent: a string of JSON. */
  json?(value: string, form: Form): string
  /** Returns SQL that is true for a text that is exactly a value of this form. */
  fits(text: string, form: Form): string
  /** The stored value of a text that fits. */
  value(text: string, form: Form): string
  /**
   * Writes the rest of a text that does not fit, when the loss is accepted: fewer digits, fewer
   * letters; null or NULL: nothing.
   */
  cut?(text: string, form: Form): string | null
}

/** A conversion that does not go through a text. */
export interface Pair {
  /** Returns SQL that is true for a value that can be converted exactly; absent: each can. */
  fits?(value: string, from: Form, to: Form): string
  value(value: string, from: Form, to: Form): string
  /**
   * Writes the rest of each value that does not fit, when the loss is accepted; absent or NULL:
   * nothing.
   */
  cut?(value: string, from: Form, to: Form): string
}

export interface StoredForms {
  readonly forms: Readonly<Record<Group, Stored>>
  readonly pairs: Readonly<Partial<Record<`${Group} → ${Group}`, Pair>>>
  /** A text expression is long, and asked for often: gives it a short name where the database can. */
  named(text: string, expression: (name: string) => string): string
  /** A text as a string of JSON. */
  asJson(text: string): string
  /** Says that a text is JSON; PostgreSQL needs a function for that. */
  readonly prelude: string
}

export const unchanged = (value: string): string => value

export const sqlList = (texts: readonly string[]): string => texts.map(sqlText).join(', ')

export function between(expression: string, { min, max }: Bounds) {
  return [
    min === undefined ? undefined : `${expression} >= ${min}`,
    max === undefined ? undefined : `${expression} <= ${max}`,
  ]
}

export function toldOf({ kind }: Form): Told {
  const { told } = kindOf(kind)
  if (told === null) throw new TypeError(`nothing tells which texts are a ${kind}`)
  return told
}

/** Every kind that says which texts are a value of it: the one row of them all. */
export function toldIn(
  isOne: (told: Told, text: string) => string,
  without: (text: string, characters: string) => string,
): Stored {
  const kept = (text: string, { drops }: Told) => (drops === '' ? text : without(text, drops))
  return {
    text: unchanged,
    fits: (text, form) => {
      const told = toldOf(form)
      const value = kept(text, told)
      const [min, max] = told.lengths(form)
      return all(isOne(told, value), ...between(`length(${value})`, { min, max }))
    },
    value: (text, form) => kept(text, toldOf(form)),
  }
}

/** The number that true and false become, or come from. */
export const numberGroup = ({ kind }: Form) =>
  kind === 'decimal' || kind === 'float' || kind === 'bigInteger' ? kind : ('integer' as const)

/** Pairs of floats among themselves, and of true and false, which are 1 and 0 among numbers. */
export const numberPairs = (fromBoolean: Pair, toBoolean: Pair): StoredForms['pairs'] => ({
  'float → float': { fits: (v, _, to) => all('1 = 1', ...between(v, to)), value: unchanged },
  'boolean → integer': fromBoolean,
  'boolean → bigInteger': fromBoolean,
  'boolean → float': fromBoolean,
  'boolean → decimal': fromBoolean,
  'integer → boolean': toBoolean,
  'bigInteger → boolean': toBoolean,
  'float → boolean': toBoolean,
  'decimal → boolean': toBoolean,
})
