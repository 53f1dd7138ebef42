/** What policies answer, as types only. */

import type { Inherited, Values } from '../model/inherited.js'
import type { AnyModel, Invokable, Later } from '../model/model-types.js'
import type { Condition } from './condition-types.js'

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

type RowCondition<Model extends AnyModel> = Later<boolean | Condition<Model>>

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
export interface BasePolicy<Model extends AnyModel, User> {
  /** Which rows exist for this user: the filter of every list, include, search and write. */
  readonly show: (user: User | null) => RowCondition<Model>
  readonly store: (user: User | null) => Later<boolean>
  /** Part of the WHERE of the write. */
  readonly update: (user: User | null) => RowCondition<Model>
  readonly delete: (user: User | null) => RowCondition<Model>
  /** A field or related entry that answers false is not shown, sorted, searched nor filtered by. */
  readonly canSee?: Gate<
    User,
    keyof Model['row'] | keyof Model['relations'] | keyof Model['computed']
  >
  /** A field that answers false is ignored in the body. */
  readonly canStore?: Gate<User, keyof Model['row']>
  readonly canUpdate?: Gate<User, keyof Model['row']>
  /** Asked for each pivot that attach would write; its values are those of the body and defaults. */
  readonly canAttach?: PivotGates<Model['relations'], User>
  /** Asked for each pivot that detach or sync would remove. */
  readonly canDetach?: PivotGates<Model['relations'], User>
  /** Asked for each pivot that sync would write. */
  readonly canSync?: PivotGates<Model['relations'], User>
}

/** Denies by default: a method left out does not compile, and denies at run time. */
export type Policy<Model extends AnyModel, User> = BasePolicy<Model, User> &
  PivotMethods<Model, User>
