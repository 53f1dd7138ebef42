/** Functions that policies write conditions with; `condition-sql.ts` turns them into SQL. */

import type { Scope } from '../model/entity.js'
import type { AnyModel } from '../model/model-types.js'
import type { Test } from '../model/sql-test.js'
import type { Combined, Condition } from './condition-types.js'

/** The operands of a composite; a symbol, so that no column can be mistaken for it. */
export const operands: unique symbol = Symbol('operands')

export interface Composite extends Combined<never> {
  readonly [operands]: readonly unknown[]
  readonly texts?: readonly string[]
}

export function combine(
  combines: Composite['combines'],
  parts: readonly unknown[],
  texts?: readonly string[],
): Composite {
  return texts === undefined
    ? { combines, [operands]: parts }
    : { combines, [operands]: parts, texts }
}

/** A function of a feature that writes its condition as SQL; a symbol for the same reason. */
export const written: unique symbol = Symbol('written')

export interface WrittenCondition {
  readonly [written]: (scope: Scope) => Test
}

/** At least one holds. @example any({ published_at: { isNull: false } }, { owner_id: user?.id }) */
export function any<Model extends AnyModel, Nothing extends null = never>(
  ...conditions: readonly (boolean | Condition<Model, NoInfer<Nothing>> | Condition<Model>)[]
): Combined<Model, Nothing> {
  return combine('any', conditions)
}

/** Every one holds. @example all({ is_open: true }, not({ owner_id: user?.id })) */
export function all<Model extends AnyModel, Nothing extends null = never>(
  ...conditions: readonly (boolean | Condition<Model, NoInfer<Nothing>> | Condition<Model>)[]
): Combined<Model, Nothing> {
  return combine('all', conditions)
}

/**
 * Holds where the condition is false; where it is unknown (NULL) this is unknown too, as in SQL.
 */
export function not<Model extends AnyModel, Nothing extends null = never>(
  condition: boolean | Condition<Model, NoInfer<Nothing>> | Condition<Model>,
): Combined<Model, Nothing> {
  return combine('not', [condition])
}

/** Made by `self`. */
export interface ColumnReference<Name extends string> {
  readonly column: Name
}

/** The columns of the model at hand; where none is at hand, any name. */
type ColumnOf<Model extends AnyModel> = [keyof Model['row']] extends [never]
  ? string
  : keyof Model['row'] & string

type SqlValue = string | number | boolean | Date | undefined

/** A column of the record itself, inside `sql`. */
export function self<Name extends string = string>(column: NoInfer<Name>): ColumnReference<Name> {
  return { column }
}

/** Made by `sql`. */
export interface SqlCondition<Model, Nothing = never> extends Combined<Model, Nothing> {
  readonly combines: 'sql'
}

/**
 * The way out, for what conditions cannot say: SQL that is true for the rows meant. Every value is
 * a parameter.
 * @example sql`length(${self('title')}) > ${3}`
 */
export function sql<Model extends AnyModel, Nothing extends null = never>(
  texts: TemplateStringsArray,
  ...parts: readonly (ColumnReference<ColumnOf<Model>> | SqlValue | NoInfer<Nothing>)[]
): SqlCondition<Model, Nothing> {
  return Object.assign(combine('sql', parts, texts), { combines: 'sql' as const })
}
