/** Types of the files of app/Actions, and of the policies that say who may run what is in them. */

import type { AnyModel, Later } from '../../model/model-types.js'
import type { AskingUser, Condition } from '../../policy/condition-types.js'
import type { RequestContext } from '../transactions/hook-types.js'
import type { InsideOf } from '../transactions/inside-hooks.js'

/** The actions and getters that the manifest declares for one repository. */
export interface DeclaredActions {
  readonly actions: object
  readonly getters: object
}

/**
 * The user, the request, and `db` and `repositories`: in an action, all that they do is part of its
 * transaction.
 */
export type ActionContext<User, Repositories, Db> = RequestContext<User> &
  InsideOf<Repositories, Db>

/** Of an action: what it is run on, and what it is sent. */
interface AnyAction {
  readonly on: 'many' | 'one' | 'none'
  readonly input: object
}

interface AnyGetter {
  readonly on: 'one' | 'none'
  readonly answer: unknown
}

/** The records that an action is run on, among its parameters. */
interface Subjects<Row> {
  readonly many: [rows: readonly Row[]]
  readonly one: [row: Row]
  readonly none: []
}

type Run<Row, Action, Context> = Action extends AnyAction
  ? (
      context: Context,
      ...given: [
        ...Subjects<Row>[Action['on']],
        ...(keyof Action['input'] extends never ? [] : [input: Action['input']]),
      ]
    ) => Later<unknown>
  : never

type Get<Row, Getter, Context> = Getter extends AnyGetter
  ? (context: Context, ...given: Subjects<Row>[Getter['on']]) => Later<Getter['answer']>
  : never

/** A part that the manifest says nothing of is not there. */
type Part<Name extends string, Declared, Answers> = keyof Declared extends never
  ? { readonly [Each in Name]?: never }
  : { readonly [Each in Name]: Answers }

/**
 * Every action and getter of the manifest, and nothing else. An action gets the records in the order
 * of the request, locked, as its policy admits them. What it throws rolls all back. PostgreSQL runs it
 * again after a deadlock, so what is done outside the database belongs behind the commit.
 */
export type Actions<Model extends AnyModel, Declared extends DeclaredActions, Context> = Part<
  'actions',
  Declared['actions'],
  {
    readonly [Name in keyof Declared['actions']]: Run<
      Model['row'],
      Declared['actions'][Name],
      Context
    >
  }
> &
  Part<
    'getters',
    Declared['getters'],
    {
      readonly [Name in keyof Declared['getters']]: Get<
        Model['row'],
        Declared['getters'][Name],
        Context
      >
    }
  >

type RowRule<Model extends AnyModel, User> = <Nothing extends null>(
  user: AskingUser<User, Nothing> | null,
) => Later<boolean | Condition<Model, Nothing> | Condition<Model>>

type UserRule<User> = (user: User | null) => Later<boolean>

/** Who may run an action: of one without records, there is no condition on a row. */
type RuleOf<Model extends AnyModel, User, Each> = Each extends { readonly on: 'none' }
  ? UserRule<User>
  : RowRule<Model, User>

/**
 * `runPublish` and `getStats`: a method for each action and getter. One that is missing does not
 * compile, and denies.
 */
export type ActionPolicy<Model extends AnyModel, User> = Model extends {
  readonly actions: infer Declared extends DeclaredActions
}
  ? {
      readonly [Name in keyof Declared['actions'] & string as `run${Capitalize<Name>}`]: RuleOf<
        Model,
        User,
        Declared['actions'][Name]
      >
    } & {
      readonly [Name in keyof Declared['getters'] & string as `get${Capitalize<Name>}`]: RuleOf<
        Model,
        User,
        Declared['getters'][Name]
      >
    }
  : unknown
