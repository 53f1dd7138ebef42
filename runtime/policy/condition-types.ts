/** What conditions may say of a model, as types only. */

import type { Inherited } from '../model/inherited.js'
import type { AnyModel, Many, ManyToMany, One, OwnTests } from '../model/model-types.js'

/** What tests nothing does not compile. */
type AtLeastOne<Tests> = {
  [Name in keyof Tests]-?: Having<Tests, Name>
}[keyof Tests]

/** What every object has under a name tests nothing: there it must be a test. */
type Having<Tests, Name extends keyof Tests> = Name extends keyof Object
  ? Omit<Tests, Name> & Readonly<Record<Name, Exclude<Tests[Name], Inherited<Name>>>>
  : Tests & Readonly<Record<Name, unknown>>

/** Only NULL or not: JSON and lists have no order and no equality the databases agree on. */
interface NullTests {
  readonly equals?: null
  readonly not?: null
}

interface ValueTests<Value> {
  readonly equals?: Value | null | undefined
  readonly not?: Value | null | undefined
  readonly in?: readonly (Value | undefined)[] | undefined
  readonly notIn?: readonly (Value | undefined)[] | undefined
}

interface OrderTests<Value> extends ValueTests<Value> {
  readonly lt?: Value | undefined
  readonly lte?: Value | undefined
  readonly gt?: Value | undefined
  readonly gte?: Value | undefined
}

/** The text tests are literal and case-sensitive: `%` is a percent sign. */
interface TextTests<Value> extends OrderTests<Value> {
  readonly contains?: string | undefined
  readonly startsWith?: string | undefined
  readonly endsWith?: string | undefined
}

type ColumnTest<Value> = [Value] extends [string]
  ? Value | AtLeastOne<TextTests<Value>>
  : [Value] extends [number]
    ? Value | AtLeastOne<OrderTests<Value>>
    : [Value] extends [boolean]
      ? Value | AtLeastOne<ValueTests<Value>>
      : AtLeastOne<NullTests>

type ColumnTests<Row> = {
  readonly [Column in keyof Row]?:
    | ColumnTest<NonNullable<Row[Column]>>
    | Inherited<Column>
    | null
    | undefined
}

type RelationTest<Relation> =
  Relation extends One<infer Model extends AnyModel>
    ? AtLeastOne<ToOneTests<Model>>
    : Relation extends Many<infer Model extends AnyModel>
      ? AtLeastOne<ToManyTests<TrueOrCondition<Model>>>
      : Relation extends ManyToMany<infer Model extends AnyModel, infer Pivot>
        ? AtLeastOne<ToManyTests<TrueOrPivotCondition<Model, Pivot>>>
        : Relation extends OwnTests<infer Tests>
          ? AtLeastOne<Tests>
          : never

/** What holds for a related record; true: any record. */
type TrueOrCondition<Model extends AnyModel> = true | Condition<Model> | undefined

type TrueOrPivotCondition<Model extends AnyModel, Pivot> =
  | true
  | Combined<Model>
  | AtLeastOne<Tests<Model> & { readonly pivot?: AtLeastOne<ColumnTests<Pivot>> | undefined }>
  | undefined

interface ToOneTests<Model extends AnyModel> {
  readonly is?: TrueOrCondition<Model> | null
  readonly isNot?: TrueOrCondition<Model> | null
}

/** `every` holds for a record without any. */
interface ToManyTests<Inner> {
  readonly some?: Inner
  readonly none?: Inner
  readonly every?: Inner
}

/** Nothing rather than `{}` without relations: only then does TypeScript refuse an unknown column. */
type RelationTests<Relations> = keyof Relations extends never
  ? unknown
  : {
      readonly [Relation in keyof Relations]?:
        | RelationTest<Relations[Relation]>
        | Inherited<Relation>
    }

type Tests<Model extends AnyModel> = ColumnTests<Model['row']> & RelationTests<Model['relations']>

/** Made by `any`, `all`, `not` and `sql`. */
export interface Combined<Model> {
  readonly combines: 'any' | 'all' | 'not' | 'sql'
  /** Keeps a condition on one model from being used on another; never set. */
  readonly model?: Model
}

/**
 * Which rows: data, compiled into the SQL. Columns and relations written side by side must all
 * hold. A comparison with `undefined` or with NULL is neither true nor false (SQL's rule), and only
 * true admits a row. `undefined` in any place admits none, negated neither; nor does `{}`, which
 * does not compile: every row is `true`, any related record `{ comments: { some: true } }`. A test
 * that tests nothing (`{ title: {} }`) is thrown.
 */
export type Condition<Model extends AnyModel> = AtLeastOne<Tests<Model>> | Combined<Model>
