import type { Send } from '../client.js'
import type { Row } from '../tested.js'

/** Types of a project's tests/roles.ts, by its repositories and its users. */

/** Rows by the names they have in the matrix. */
export type Rows = Readonly<Record<string, Row>>

type Per<Key extends string, Value> = { readonly [Repository in Key]?: Value }

/** By name; null: nobody is signed in. */
export type Roles<User> = Readonly<Record<string, () => User | null | Promise<User | null>>>

/** `user` is who asks; for a guest, somebody who is not signed in. */
export type World<Key extends string, User> = Per<Key, (user: User) => Rows | Promise<Rows>>

/** The user, and the records. */
export interface Scene<Key extends string = string, User = Row> {
  /** Null: nobody is signed in. */
  readonly user: User | null
  readonly send: Send
  /** The same rows in each call; `'related'` are others, to be found below or beside them. */
  readonly rows: (key: Key, which?: 'related') => Promise<Rows>
}

type Given<Value, Key extends string, User> = (scene: Scene<Key, User>) => Value | Promise<Value>

export type Bodies<Key extends string, User> = Per<
  Key,
  {
    readonly store?: Given<object, Key, User>
    /** Values for PUT and PATCH. */
    readonly update?: Given<object, Key, User>
  }
>

interface Request {
  /** Without, that of the route. */
  readonly path?: string
  readonly body?: object
  /** Arguments of a GraphQL field. */
  readonly arguments?: Readonly<Record<string, unknown>>
}

export type Own<Key extends string, User> = Readonly<
  Record<string, string | Request | Given<Request, Key, User>>
>
