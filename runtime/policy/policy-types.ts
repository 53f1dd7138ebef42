/** What policies answer, as types only. */

import type { Inherited, Values } from '../model/inherited.js'
import type { AnyModel, Invokable, Later } from '../model/model-types.js'
import type { AskingUser, Condition } from './condition-types.js'

export type { Combined, Condition } from './condition-types.js'
export type { AnyModel, Many, ManyToMany, One, PerPage, PerRecord } from '../model/model-types.js'

/**
 * `'blog_posts'` → `'BlogPosts'`: how attach, detach and sync methods are named after a relation.
 */
export type Studly<Key extends string> = Key extends `${infer Head}_${infer Tail}`
  ? `${Capitalize<Head>}${Studly<Tail>}`
  : Key extends `${infer Head}-${infer Tail}`
    ? `${Capitalize<Head>}${Studly<Tail>}`
    : Capitalize<Key>

/** Which rows: all, none, or those a condition admits. */
type RowCondition<Model extends AnyModel, Nothing> = Later<
  boolean | Condition<Model, Nothing> | Condition<Model>
>

type RowRule<Model extends AnyModel, User> = <Nothing extends null>(
  user: AskingUser<User, Nothing> | null,
) => RowCondition<Model, Nothing>

export type ManyToManyKey<Relations> = {
  [Key in keyof Relations]: Relations[Key] extends { readonly to: 'manyToMany' } ? Key : never
}[keyof Relations] &
  string

export type RelatedRow<Relation> = Relation extends { readonly model: { readonly row: infer Row } }
  ? Row
  : never

export type RelatedId<Relation> =
  RelatedRow<Relation> extends { readonly id: infer Id } ? Id : never

export type PivotValues<Relation> = Relation extends { readonly pivot: infer Pivot }
  ? Values<Pivot>
  : never

type Gate<User, Keys extends PropertyKey> = {
  readonly [Key in Keys]?: ((user: User | null) => boolean) | Inherited<Key>
}

type PivotGates<Relations, User> = {
  readonly [Key in ManyToManyKey<Relations>]?:
    | Invokable<(user: User | null, pivot: PivotValues<Relations[Key]>) => Later<boolean>>
    | Inherited<Key>
}

type PivotMethods<Model extends AnyModel, User> = {
  readonly [Key in ManyToManyKey<Model['relations']> as `${'attach' | 'detach'}${Studly<Key>}`]: (
    user: User | null,
    row: Model['row'],
    related: RelatedRow<Model['relations'][Key]>,
  ) => Later<boolean>
} & {
  readonly [Key in ManyToManyKey<Model['relations']> as `sync${Studly<Key>}`]: (
    user: User | null,
    row: Model['row'],
    ids: readonly RelatedId<Model['relations'][Key]>[],
  ) => Later<boolean>
}

/** What every policy answers, whatever its relations. */
export interface BasePolicy<Model extends AnyModel, User, Rule = RowRule<Model, User>> {
  /** Which rows exist for this user: the filter of every list, include, search and write. */
  readonly show: Rule
  /** Which rows this user may add: a condition is tested on the row that would be stored. */
  readonly store: Rule
  /**
   * Which rows this user may change, and into what: it holds for the row before and for the row
   * after. Part of the WHERE of the write.
   */
  readonly update: Rule
  /** What a row may be changed into, where that is something else than `update` says. */
  readonly updateTo?: Rule
  readonly delete: Rule
  /** A field or related entry that answers false is not shown, sorted, searched nor filtered by. */
  readonly canSee?: Gate<
    User,
    keyof Model['row'] | keyof Model['relations'] | keyof Model['computed']
  >
  /** A field that answers false is ignored in the body. */
  readonly canStore?: Gate<User, keyof Model['row']>
  readonly canUpdate?: Gate<User, keyof Model['row']>
  /**
   * Asked for each pivot that attach would write: a new one with the values of the body and
   * defaults, one that is there already as it is, and as it would be.
   */
  readonly canAttach?: PivotGates<Model['relations'], User>
  /** Asked for each pivot that detach or sync would remove. */
  readonly canDetach?: PivotGates<Model['relations'], User>
  /** Asked for each pivot that sync would write, in the same way. */
  readonly canSync?: PivotGates<Model['relations'], User>
}

/** Denies by default: a method left out does not compile, and denies at run time. */
export type Policy<Model extends AnyModel, User, Rule = RowRule<Model, User>> = BasePolicy<
  Model,
  User,
  Rule
> &
  PivotMethods<Model, User>

/** A policy of a model, to code that knows no user: its rules were checked where they stand. */
export type PolicyOf<Model extends AnyModel> = Policy<Model, never, (user: never) => unknown>
