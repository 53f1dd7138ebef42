/** Types of the conditions on a model. */

import type { Inherited } from '../model/inherited.js'
import type { AnyModel, TestedRelation } from '../model/model-types.js'

/** An object without a test does not compile. */
export type AtLeastOne<Tests> = {
  [Name in keyof Tests]-?: Having<Tests, Name>
}[keyof Tests]

/** A name that every object has (`toString`) must hold a test here. */
type Having<Tests, Name extends keyof Tests> = Name extends keyof Object
  ? Omit<Tests, Name> & Readonly<Record<Name, Exclude<Tests[Name], Inherited<Name>>>>
  : Tests & Readonly<Record<Name, unknown>>

/**
 * The user as policies see them: `Nothing` is the type of what is NULL in their columns.
 * `{ team_id: user?.team_id }` compiles, and finds no row where that is NULL; `{ team_id: null }` does
 * not, for a `null` that is written out is no `Nothing`.
 */
export type AskingUser<User, Nothing extends null> = {
  readonly [Name in keyof User]: ValueOfTheirs<User[Name], Nothing>
}

type ValueOfTheirs<Value, Nothing extends null> = Value extends null
  ? Nothing
  : Value extends object
    ? AskingUser<Value, Nothing>
    : Value

/** JSON and lists have no order and no equality the databases agree on. */
interface NullTests {
  /** True tests for NULL, false for any value. */
  readonly isNull?: boolean | undefined
}

interface ValueTests<Value, Nothing> extends NullTests {
  readonly equals?: Value | Nothing | undefined
  readonly not?: Value | Nothing | undefined
  readonly in?: readonly (Value | Nothing | undefined)[] | undefined
  readonly notIn?: readonly (Value | Nothing | undefined)[] | undefined
}

interface OrderTests<Value, Nothing> extends ValueTests<Value, Nothing> {
  readonly lt?: Value | Nothing | undefined
  readonly lte?: Value | Nothing | undefined
  readonly gt?: Value | Nothing | undefined
  readonly gte?: Value | Nothing | undefined
}

/** The text tests are literal and case-sensitive: `%` is a percent sign. */
interface TextTests<Value, Nothing> extends OrderTests<Value, Nothing> {
  readonly contains?: string | Nothing | undefined
  readonly startsWith?: string | Nothing | undefined
  readonly endsWith?: string | Nothing | undefined
}

type ColumnTest<Value, Nothing> = [Value] extends [string]
  ? Value | AtLeastOne<TextTests<Value, Nothing>>
  : [Value] extends [number]
    ? Value | AtLeastOne<OrderTests<Value, Nothing>>
    : [Value] extends [boolean]
      ? Value | AtLeastOne<ValueTests<Value, Nothing>>
      : AtLeastOne<NullTests>

export type ColumnTests<Row, Nothing> = {
  readonly [Column in keyof Row]?:
    | ColumnTest<NonNullable<Row[Column]>, Nothing>
    | Inherited<Column>
    | Nothing
    | undefined
}

type RelationTest<Relation, Nothing> = Relation extends TestedRelation
  ? AtLeastOne<(Relation & { readonly nothing: Nothing })['tests']>
  : never

/** Nothing rather than `{}` without relations: only so does TypeScript refuse an unknown column. */
type RelationTests<Relations, Nothing> = keyof Relations extends never
  ? unknown
  : {
      readonly [Relation in keyof Relations]?:
        | RelationTest<Relations[Relation], Nothing>
        | Inherited<Relation>
    }

export type Tests<Model extends AnyModel, Nothing> = ColumnTests<Model['row'], Nothing> &
  RelationTests<Model['relations'], Nothing>

/** Made by `any`, `all`, `not` and `sql`; `holds` is of the server's own: true, or false where the condition is unknown. */
export interface Combined<Model, Nothing = never> {
  readonly combines: 'any' | 'all' | 'not' | 'sql' | 'holds'
  /** Keeps a condition on one model from being used on another; never set. */
  readonly model?: Model
  /** The type that stands for null; never set. */
  readonly nothing?: Nothing
}

/**
 * Which rows: data, compiled into the SQL. Columns and relations written side by side must all
 * hold. A comparison with `undefined` or with NULL is neither true nor false (SQL's rule), and only
 * true admits a row; NULL itself is `{ published_at: { isNull: true } }`. `undefined` and `null` in
 * any place admit none, negated neither; nor does `{}`, which does not compile: every row is
 * `true`, any related record `{ comments: { some: true } }`. A test that tests nothing (`{ title:
 * {} }`) is thrown.
 */
export type Condition<Model extends AnyModel, Nothing = never> =
  | AtLeastOne<Tests<Model, Nothing>>
  | Combined<Model, Nothing>
