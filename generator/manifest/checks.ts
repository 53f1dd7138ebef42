import type { Computed, Member } from './entries.js'
import type { Field } from './field.js'
import type { BelongsTo, HasMany, MorphTo, OtherRelation, Relation } from './relations.js'
import type { GivenColumn, ReservedField, ReservedKey } from './reserved.js'
import type {
  AnyOf,
  FeatureColumns,
  FeatureMatchEntries,
  FeatureMatches,
  FeatureSortEntries,
  FeatureSorts,
} from './words.js'

/**
 * The compiler's part of the checks. A mistake turns the type of the place where it stands into one sentence, which
 * the compiler then quotes; everything right keeps its type. Nothing here recurses: 500 repositories stay cheap.
 */

/** Match types of each likeness; a float among the numbers is left to `svc generate`. */
interface MatchTypes {
  readonly text: 'text' | 'partial' | 'array'
  readonly select: 'text' | 'array'
  readonly uuid: 'text' | 'array'
  readonly number: 'integer' | 'number' | 'text' | 'between' | 'array'
  readonly bigInteger: 'integer' | 'number' | 'text' | 'between' | 'array'
  readonly decimal: 'number' | 'between' | 'array'
  readonly boolean: 'boolean'
  readonly date: 'datetime' | 'between'
}
type MatchType = MatchTypes[keyof MatchTypes]

/** An item that does not belong into a list, and why. */
interface Misplaced {
  readonly title: Record<'json', 'does not read as a name'> & Unseen
  readonly sort: Record<'json', 'has no order that a list could have'> & Unseen
  readonly match: Record<'json', 'has a kind that nothing is compared with'> & Unseen
  readonly searchable: Record<Exclude<keyof MatchTypes, 'text' | 'select'>, NotText> &
    Record<'json', NotText> &
    Unseen
}
type NotText = 'is not text, and search looks into text'
type Unseen = Record<'hidden' | 'password', 'is hidden'>

/** The type that stands for a field's values; `string` when the field's type does not say. */
type LikenessOf<Value> = Value extends { readonly shown?: false }
  ? 'hidden'
  : Value extends { readonly like?: infer Like extends string }
    ? Like
    : string

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

/** The columns a morphTo makes. */
type MorphColumn<Key, Value> = keyof MorphTo extends keyof Value
  ? Value extends MorphTo<infer Morph>
    ? `${([Morph] extends [never] ? Key : Morph) & string}_${'type' | 'id'}`
    : never
  : never

/** Names with a column: a has-many may be among the fields, and has none. */
type FieldName<Fields> = {
  [Key in keyof Fields]: Fields[Key] extends Relation ? never : Key & string
}[keyof Fields]

/** Fields, foreign keys of belongsTo entries, and what every table has. */
export type ColumnOf<Fields, Related> =
  | FieldName<Fields>
  | { [Key in keyof Related]: ForeignKey<Key, Related[Key]> }[keyof Related]
  | { [Key in keyof Related]: MorphColumn<Key, Related[Key]> }[keyof Related]
  | GivenColumn

/** Columns of features may be there or not: none is offered, and `svc generate` says of one that it is not there. */
type Added<List> = List extends 'sort' ? AnyOf<FeatureColumns> | AnyOf<FeatureSorts> : never

/** While `Written` is not known yet, an editor asks what it may be: every column. */
export type CheckColumn<
  Written,
  Fields,
  Column,
  List extends keyof Misplaced,
> = string extends Written
  ? Column
  : Written extends Column | Added<List>
    ? Written extends keyof Fields
      ? CheckLikeness<Written, LikenessOf<Fields[Written]>, List>
      : Written
    : NotAColumn<Written & string, List>

type NotAColumn<
  Written extends string,
  List,
> = `'${Written}' in ${List & string} is not a column of this repository${Through<Written, List>}`

/** Columns of a belongsTo's record. */
type Through<Written, List> = Written extends `${infer Key}.${infer Column}`
  ? List extends 'sort'
    ? `: add sortable: ['${Column}'] to '${Key}'`
    : List extends 'searchable'
      ? `: add searchable: ['${Column}'] to '${Key}'`
      : ''
  : ''

type CheckLikeness<Written, Like, List extends keyof Misplaced> = Like extends keyof Misplaced[List]
  ? `'${Written & string}' in ${List} ${Misplaced[List][Like] & string}`
  : Written

export type CheckColumns<
  Written extends readonly unknown[],
  Fields,
  Column,
  List extends keyof Misplaced,
> = {
  readonly [Index in keyof Written]: Written[Index] extends string
    ? Written[Index] extends Others<Written, Index>
      ? `'${Written[Index]}' appears twice in ${List}`
      : CheckColumn<Written[Index], Fields, Column, List>
    : Written[Index]
}

/** An item of `sort`. */
export type Sorted = string | AnyOf<FeatureSortEntries>

/** The other items of the list, or never: when some of them are not known, nothing is reported. */
type Others<Written extends readonly unknown[], Index> = string extends Written[number]
  ? never
  : At<Written, Exclude<keyof Written & `${number}`, Index>>

type At<Written, Index> = Index extends keyof Written ? Written[Index] : never

/** Columns that can be equal to those of another record. */
export type ComparedColumn<Fields, Column> = Exclude<
  Column,
  {
    [Key in keyof Fields]: LikenessOf<Fields[Key]> extends 'json' ? Key : never
  }[keyof Fields]
>

export type CheckMatch<Written, Fields, Related, Column> = {
  readonly [Key in keyof Written]: Key extends Column | AnyOf<FeatureColumns>
    ? Key extends keyof Fields
      ? CheckMatched<Key, LikenessOf<Fields[Key]>>
      : Key extends 'created_at' | 'updated_at'
        ? MatchTypes['date']
        : MatchTypes['number']
    : Written[Key] extends AnyOf<FeatureMatchEntries>
      ? Written[Key]
      : CheckOtherMatch<Key, AnyOf<FeatureMatches<Key, Related & RelationsIn<Fields>>>>
}

type CheckOtherMatch<Key, Types> = [Types] extends [never]
  ? `'${Key & string}' in match is not a column of this repository`
  : Types

/** A has-many may stand among the fields. */
type RelationsIn<Fields> = {
  [Key in keyof Fields as Fields[Key] extends Relation ? Key : never]: Fields[Key]
}

type CheckMatched<Key, Like> = Like extends keyof MatchTypes
  ? MatchTypes[Like]
  : Like extends keyof Misplaced['match']
    ? `'${Key & string}' in match ${Misplaced['match'][Like]}`
    : MatchType

/** A select without options has no value. */
export type CheckOptions<Option> = [Option] extends [never]
  ? 'a list of one option at least'
  : readonly Option[]

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
  : `'${Key & string}' is a relation: it belongs in related`

export type CheckRelated<Fields, Related> = {
  readonly [Key in keyof Related]: Related[Key] extends Field
    ? `'${Key & string}' is a field: it belongs in fields`
    : Related[Key] extends Member
      ? CheckMember<Key, ColumnOf<Fields, Related> | RelationName<Related>, Related[Key]>
      : Key extends KnownColumn<Fields, Related>
        ? `'${Key & string}' is a column of this repository and cannot be a relation too`
        : CheckOwnColumn<Fields, Key, Related[Key]>
}

/** The column of a belongsTo is made by it alone, and can be empty when something empties it. */
type CheckOwnColumn<Fields, Key, Value> = 'emptied' extends keyof Value
  ? `'${Key & string}' is required, and onDelete: 'setNull' would empty it: add .nullable()`
  : string extends keyof Fields
    ? Value
    : [ForeignKey<Key, Value> & keyof Fields] extends [never]
      ? Value
      : `'${Key & string}' makes the column '${ForeignKey<Key, Value> & string}', which is among the fields already`

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
  readonly [Key in keyof Repositories]: Repositories[Key] extends { readonly type: 'repository' }
    ? CheckRepository<Key, Repositories[Key], keyof Repositories>
    : `'${Key & string}' is not a repository: wrap it in repository()`
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
