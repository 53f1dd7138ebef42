import type { Computed, Member } from './entries.js'
import type { BelongsTo, HasMany, OtherRelation, Relation } from './relations.js'
import type { GivenColumn, ReservedField, ReservedKey } from './reserved.js'

/**
 * The compiler's part of the checks. A mistake turns the type of the place where it stands into one sentence, which
 * the compiler then quotes; everything right keeps its type. Nothing here recurses: 500 repositories stay cheap.
 */

type MatchType =
  | 'text'
  | 'partial'
  | 'boolean'
  | 'integer'
  | 'number'
  | 'datetime'
  | 'between'
  | 'array'

export type Entry = Relation | Computed | Member

/** The model relationship an entry reads. */
type NameOf<Key, Value> =
  Value extends OtherRelation<string, infer Name> ? ([Name] extends [never] ? Key : Name) : never

/** The column a belongsTo makes. */
type ForeignKey<Key, Value> =
  Value extends BelongsTo<string, infer Column, string>
    ? [Column] extends [never]
      ? `${NameOf<Key, Value> & string}_id`
      : Column
    : never

/** What has a column: a has-many may stand among the fields, and has none. */
type FieldName<Fields> = {
  [Key in keyof Fields]: Fields[Key] extends Relation ? never : Key & string
}[keyof Fields]

/** Fields, foreign keys of belongsTo entries, and what every table has. */
export type ColumnOf<Fields, Related> =
  | FieldName<Fields>
  | { [Key in keyof Related]: ForeignKey<Key, Related[Key]> }[keyof Related]
  | GivenColumn

/** While `Written` is not known yet, an editor asks what it may be: every column. */
export type CheckColumn<Written, Column, Place extends string> = string extends Written
  ? Column
  : Written extends Column
    ? Written
    : `'${Written & string}' in ${Place} is not a column of this repository`

export type CheckColumns<Written extends readonly string[], Column, Place extends string> = {
  readonly [Index in keyof Written]: CheckColumn<Written[Index], Column, Place>
}

export type CheckMatch<Written, Column> = {
  readonly [Key in keyof Written]: Key extends Column
    ? MatchType
    : `'${Key & string}' in match is not a column of this repository`
}

export type CheckFields<Fields> = {
  readonly [Key in keyof Fields]: Key extends GivenColumn
    ? `every table has a column '${Key}' already`
    : Key extends ReservedField
      ? `'${Key}' cannot be the name of a field`
      : Fields[Key] extends Relation
        ? CheckListed<Key, Fields[Key]>
        : Fields[Key]
}

type CheckListed<Key, Value> = keyof HasMany extends keyof Value
  ? Value
  : `'${Key & string}' is a relation: it stands in related`

export type CheckRelated<Fields, Related> = {
  readonly [Key in keyof Related]: Related[Key] extends Member
    ? CheckMember<Key, ColumnOf<Fields, Related> | RelationName<Related>, Related[Key]>
    : Key extends KnownColumn<Fields, Related>
      ? `'${Key & string}' is a column of this repository and cannot be a relation too`
      : Related[Key]
}

/** Fields without literal names (none yet, or from a function) say nothing about what a key may not be. */
type KnownColumn<Fields, Related> = string extends keyof Fields ? never : ColumnOf<Fields, Related>

type RelationName<Related> = {
  [Key in keyof Related]: NameOf<Key, Related[Key]>
}[keyof Related]

type CheckMember<Key, Known, Value> = Key extends Known
  ? Value
  : `'${Key & string}' is neither a field nor a relation of this repository`

/** The repositories that the entries name. */
export type TargetsOf<Related> = {
  [Key in keyof Related]: Related[Key] extends Relation<infer Target>
    ? string extends Target
      ? never
      : Target
    : never
}[keyof Related]

export type CheckUriKey<Key> = Key extends ReservedKey
  ? `the URI key '${Key}' would shadow a route of the server`
  : Key

export type CheckRepositories<Repositories> = {
  readonly [Key in keyof Repositories]: CheckRepository<Key, Repositories[Key], keyof Repositories>
}

type CheckRepository<Key, Value, Keys> = Value extends { readonly uriKey?: infer UriKey }
  ? [UriKey] extends [never]
    ? Key extends ReservedKey
      ? `the URI key '${Key}' would shadow a route of the server`
      : CheckTargets<Key, Value, Keys>
    : CheckTargets<Key, Value, Keys>
  : CheckTargets<Key, Value, Keys>

type CheckTargets<Key, Value, Keys> = Value extends { readonly targets?: infer Targets }
  ? [Exclude<Targets, Keys | undefined>] extends [never]
    ? Value
    : `'${Key & string}' relates to '${Exclude<Targets, Keys | undefined> & string}', and there is no such repository`
  : Value
