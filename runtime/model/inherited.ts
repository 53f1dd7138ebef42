/** Types for objects with a key per column, which may be called `constructor` or `toString`. */

/**
 * What stands under a name that is left out: every object has `toString` and the like, so
 * TypeScript finds a function there and not nothing. Nothing for all other names.
 */
export type Inherited<Name> = Name extends keyof Object ? Function : never

/** Some of a row's columns. One that is left out may turn out to be a function objects inherit. */
export type Values<Row> = { readonly [Column in keyof Row]?: Row[Column] | Inherited<Column> }

/** The same of something about each of them. */
export type PerName<Names extends PropertyKey, Value> = {
  readonly [Name in Names]?: Value | Inherited<Name>
}
