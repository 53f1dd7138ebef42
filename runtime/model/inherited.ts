/** Types for objects with a key per column, which may be called `constructor` or `toString`. */

/**
 * For a column called `toString`, say: an object that leaves it out still has the function it
 * inherits, so TypeScript must allow that. For all other names: never.
 */
export type Inherited<Name> = Name extends keyof Object ? Function : never

/** Some of a row's columns, each of its own type. */
export type Values<Row> = { readonly [Column in keyof Row]?: Row[Column] | Inherited<Column> }

/** Something about each of these names, by name. */
export type PerName<Names extends PropertyKey, Value> = {
  readonly [Name in Names]?: Value | Inherited<Name>
}
