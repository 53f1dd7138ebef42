import type { Field } from '../../manifest/field.js'

/** What an action is run on: several records, one record, or none. */
export type ActionOn = 'many' | 'one' | 'none'

export interface ActionOptions {
  /**
   * `'many'` (unless you say): records that a request names, or all that a list would find. `'one'`: the record in the path.
   * `'none'`: no record.
   */
  readonly on?: ActionOn
  /** What a request sends with it: fields, as in a repository. */
  readonly input?: Readonly<Record<string, Field>>
  /** It cannot be undone: `/docs` and the typed client ask before they run it. */
  readonly destructive?: boolean
  /** Its name for people. */
  readonly label?: string
  /** One sentence for people. */
  readonly description?: string
}

export interface Action {
  readonly type: 'action'
  readonly definition: ActionOptions
}

export interface GetterOptions {
  /** `'one'` (unless you say): the record in the path. `'none'`: no record. */
  readonly on?: 'one' | 'none'
  /** Its name for people. */
  readonly label?: string
  /** One sentence for people. */
  readonly description?: string
}

export interface Getter<Answer = unknown> {
  readonly type: 'getter'
  readonly definition: GetterOptions
  /** TypeScript of the answer, as svc reads it in the manifest's file. */
  readonly answer?: string
  /** The answer's type, for the compiler; never set. */
  readonly of?: Answer
}

/**
 * An operation on records that is more than a change of their fields: `POST /posts/actions/publish`. `app/Actions` has its code,
 * which runs in one transaction, and the policy a method `runPublish`, which says on which records a user may run it.
 *
 * @example actions: { publish: action({ on: 'many', input: { at: dateTime().nullable() }, label: 'Publish' }) }
 */
export function action(definition: ActionOptions = {}): Action {
  return Object.freeze({ type: 'action', definition: Object.freeze({ ...definition }) })
}

/**
 * A question about a record, or about none, that `app/Actions` answers: `GET /posts/7/getters/stats`. The policy has a method
 * `getStats`. The type is what it answers; it is written out here, for it is carried into `app/Models.ts`.
 *
 * @example getters: { stats: getter<{ words: number }>({ on: 'one' }) }
 */
export function getter<Answer = unknown>(definition: GetterOptions = {}): Getter<Answer> {
  return Object.freeze({ type: 'getter', definition: Object.freeze({ ...definition }) })
}

declare module '../../manifest/words.js' {
  interface RepositoryWords {
    /** Operations on its records beside those that every repository has; `app/Actions` has their code. */
    readonly actions?: Readonly<Record<string, Action>>
    /** Questions about its records that `app/Actions` answers. */
    readonly getters?: Readonly<Record<string, Getter>>
  }
}
