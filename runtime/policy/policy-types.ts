/**
 * What policies and hooks may speak of, as types only. A model names a row, the relations of that
 * row and its computed entries; `app/Models.ts` has one per repository.
 */

import type { Condition } from './condition-types.js'
import type { Inherited, Values } from '../model/inherited.js'
import type { Repository } from '../operations/repository.js'

export type { Combined, Condition } from './condition-types.js'

/** The least a model tells. Every `*Model` of `app/Models.ts` has this shape. */
export interface AnyModel {
  readonly row: object
  readonly relations: object
  /** `PerRecord` or `PerPage` of each computed entry. */
  readonly computed: object
}

/** A computed entry that is answered for one record at a time. */
export interface PerRecord<Answer> {
  readonly per: 'record'
  readonly answer: Answer
}

/** A computed entry that is answered for a whole page at once. */
export interface PerPage<Answer> {
  readonly per: 'page'
  readonly answer: Answer
}

/** A relation with at most one related record. */
export interface One<Model> {
  readonly to: 'one'
  readonly model: Model
}

/** A relation with any number of related records. */
export interface Many<Model> {
  readonly to: 'many'
  readonly model: Model
}

/** A relation through a table between, with the row of that table. */
export interface ManyToMany<Model, Pivot> {
  readonly to: 'manyToMany'
  readonly model: Model
  readonly pivot: Pivot
}

type Later<T> = T | Promise<T>

/**
 * `'blog_posts'` → `'BlogPosts'`: how attach, detach and sync methods are named after a relation.
 */
export type Studly<Key extends string> = Key extends `${infer Head}_${infer Tail}`
  ? `${Capitalize<Head>}${Studly<Tail>}`
  : Key extends `${infer Head}-${infer Tail}`
    ? `${Capitalize<Head>}${Studly<Tail>}`
    : Capitalize<Key>

/* ------------------------------------------------------------------------------------ policies */

type RowCondition<Model extends AnyModel> = Later<boolean | Condition<Model>>

type ManyToManyKey<Relations> = {
  [Key in keyof Relations]: Relations[Key] extends { readonly to: 'manyToMany' } ? Key : never
}[keyof Relations] &
  string

type RelatedRow<Relation> = Relation extends { readonly model: { readonly row: infer Row } }
  ? Row
  : never

type RelatedId<Relation> = RelatedRow<Relation> extends { readonly id: infer Id } ? Id : never

type PivotValues<Relation> = Relation extends { readonly pivot: infer Pivot }
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

/** Denies by default: a method left out does not compile, and refuses at run time. */
export type Policy<Model extends AnyModel, User> = BasePolicy<Model, User> &
  PivotMethods<Model, User>

/* --------------------------------------------------------------------------------------- hooks */

/** Who asks. */
export interface HookContext<User> {
  readonly user: User | null
}

/** An attach or detach: who asks, and for what. The rows are those the policy agreed to. */
export interface PivotRequest<Relation, User> extends HookContext<User> {
  readonly relation: string
  readonly ids: readonly RelatedId<Relation>[]
  /** In the order of `ids`. */
  readonly related: readonly RelatedRow<Relation>[]
  /** Pivot fields of the body that passed their rules; none on detach. */
  readonly values: PivotValues<Relation>
}

type PivotCallbacks<Model extends AnyModel, User> = {
  readonly [Key in ManyToManyKey<Model['relations']>]?:
    | Invokable<
        (
          request: PivotRequest<Model['relations'][Key], User>,
          repository: Repository<Model['row']>,
          row: Model['row'],
        ) => unknown
      >
    | Inherited<Key>
}

/** One function, or an object with one `__invoke`. */
export type Invokable<Run> = Run | { readonly __invoke: Run }

/** What the manifest says it answers; null where there is nothing to say of a record. */
type ComputedHook<Entry, Row, User> =
  Entry extends PerPage<infer Answer>
    ? Invokable<
        (context: HookContext<User>, rows: readonly Row[]) => Later<readonly (Answer | null)[]>
      >
    : Entry extends PerRecord<infer Answer>
      ? Invokable<(context: HookContext<User>, row: Row) => Later<Answer | null>>
      : never

type ComputedHooks<Model extends AnyModel, User> = {
  readonly [Key in keyof Model['computed']]: ComputedHook<
    Model['computed'][Key],
    Model['row'],
    User
  >
}

/**
 * Before-hooks run before the write and may change values or throw: what they return is merged over
 * the values they were given. After-hooks run once it is committed.
 */
export interface BaseHooks<Model extends AnyModel, User> {
  /** Columns the server writes itself, on store and on update, whatever the body says. */
  readonly fill?: {
    readonly [Column in keyof Model['row']]?:
      | ((context: HookContext<User>, values: Values<Model['row']>) => Later<Model['row'][Column]>)
      | Inherited<Column>
  }
  readonly beforeStore?: (
    context: HookContext<User>,
    values: Values<Model['row']>,
  ) => Later<Values<Model['row']> | void>
  readonly afterStore?: (context: HookContext<User>, row: Model['row']) => Later<void>
  readonly beforeUpdate?: (
    context: HookContext<User>,
    row: Model['row'],
    values: Values<Model['row']>,
  ) => Later<Values<Model['row']> | void>
  readonly afterUpdate?: (context: HookContext<User>, row: Model['row']) => Later<void>
  readonly beforeDelete?: (context: HookContext<User>, row: Model['row']) => Later<void>
  readonly afterDelete?: (context: HookContext<User>, row: Model['row']) => Later<void>
  /**
   * Done instead of attaching, once the policy and the rules agreed. What it returns is the answer
   * (200); nothing: 200 without a body.
   */
  readonly attachCallback?: PivotCallbacks<Model, User>
  /** The same instead of detaching. */
  readonly detachCallback?: PivotCallbacks<Model, User>
}

/** `computed` must answer every computed entry of the manifest; the rest is optional. */
export type Hooks<Model extends AnyModel, User> = BaseHooks<Model, User> &
  (keyof Model['computed'] extends never
    ? { readonly computed?: Record<never, never> }
    : { readonly computed: ComputedHooks<Model, User> })
