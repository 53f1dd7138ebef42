/** Types of policies and hooks for many-to-many relations. */

import type { Inherited, Values } from '../../model/inherited.js'
import type { AnyModel, Later } from '../../model/model-types.js'
import type { HookContext, Invokable } from '../../operations/hook-types.js'
import type { Repository } from '../../operations/repository-type.js'
import type { AskingUser, Condition } from '../../policy/condition-types.js'

/**
 * `'blog_posts'` → `'BlogPosts'`: how attach, detach and sync methods are named after a relation.
 */
type Studly<Key extends string> = Key extends `${infer Head}_${infer Tail}`
  ? `${Capitalize<Head>}${Studly<Tail>}`
  : Key extends `${infer Head}-${infer Tail}`
    ? `${Capitalize<Head>}${Studly<Tail>}`
    : Capitalize<Key>

type ManyToManyKey<Relations> = {
  [Key in keyof Relations]: Relations[Key] extends { readonly pivot: object } ? Key : never
}[keyof Relations] &
  string

type RelatedRow<Relation> = Relation extends { readonly model: { readonly row: infer Row } }
  ? Row
  : never

type RelatedId<Relation> = RelatedRow<Relation> extends { readonly id: infer Id } ? Id : never

type PivotValues<Relation> = Relation extends { readonly pivot: infer Pivot }
  ? Values<Pivot>
  : never

type PivotGates<Model extends AnyModel, User> = {
  readonly [Key in ManyToManyKey<Model['relations']>]?:
    | Invokable<PivotGate<Model, User, PivotValues<Model['relations'][Key]>>>
    | Inherited<Key>
}

/** A condition is about the record whose relation is changed. */
type PivotGate<Model extends AnyModel, User, Pivot> = <Nothing extends null>(
  user: AskingUser<User, Nothing> | null,
  pivot: Pivot,
) => Later<boolean | Condition<Model, Nothing> | Condition<Model>>

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

/** A policy's answers about its many-to-many relations: a method left out does not compile. */
export type PivotPolicy<Model extends AnyModel, User> = PivotMethods<Model, User> & {
  /**
   * Asked for each pivot that attach would write: a new one with the values of the body and
   * defaults, one that is there already as it is, and as it would be.
   */
  readonly canAttach?: PivotGates<Model, User>
  /** Asked for each pivot that detach or sync would remove. */
  readonly canDetach?: PivotGates<Model, User>
  /** Asked for each pivot that sync would write, in the same way. */
  readonly canSync?: PivotGates<Model, User>
}

/** An attach or detach: who asks, and for what. The rows are those the policy agreed to. */
interface PivotRequest<Relation, User> extends HookContext<User> {
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

/** Hooks of many-to-many relations. */
export interface PivotHooks<Model extends AnyModel, User> {
  /**
   * Done instead of attaching, once the policy and the rules agreed. What it returns is the answer
   * (200); nothing: 200 without a body.
   */
  readonly attachCallback?: PivotCallbacks<Model, User>
  /** Runs instead of detaching. */
  readonly detachCallback?: PivotCallbacks<Model, User>
}
