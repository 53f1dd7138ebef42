import type { Input } from '../input/validation.js'
import type { Entity, WriteOptions } from '../model/entity.js'
import type { Page, Resource } from '../model/resource.js'
import type { IndexQuery, ShowQuery } from '../query/query.js'

/**
 * The operations on one kind of record. Every surface calls these, so validation, policies and
 * serialization cannot disagree. `user` is the signed-in user's row, or null. What is denied is
 * thrown as an HttpError.
 */
export interface Repository<Row> {
  /** URI key. */
  readonly key: string
  /** One page of the records the user may see; `indexQuery` of query/in-code writes a query. */
  index(user: unknown, query?: IndexQuery): Promise<Page>
  /** The records of that page alone: no `meta`, and nothing is counted. */
  list(user: unknown, query?: IndexQuery): Promise<Resource[]>
  /** Counts the records that the user may see and the query matches. */
  count(user: unknown, query?: IndexQuery): Promise<number>
  /** One of them; 404 when it does not exist or is not visible, which is the same. See `showQuery`. */
  show(user: unknown, id: string, query?: ShowQuery): Promise<Resource>
  /** `options`: what this write does besides, in its transaction say. */
  store(user: unknown, input: Input, options?: WriteOptions): Promise<Resource>
  /** PUT: validates every field; those not given become their default or null. */
  update(user: unknown, id: string, input: Input, options?: WriteOptions): Promise<Resource>
  /** PATCH: validates and writes the fields given. */
  patch(user: unknown, id: string, input: Input, options?: WriteOptions): Promise<Resource>
  delete(user: unknown, id: string, options?: WriteOptions): Promise<void>
  /** The row of a record the user may see, for code of your own; 404 like `show`. */
  find(user: unknown, id: string): Promise<Row>
  /** Throws what reading `query` would throw, whatever the records: for looking before a write. */
  check(user: unknown, query: ShowQuery): Promise<void>
  readonly definition: Entity
}

/** Any repository, as relations point at it. */
export type AnyRepository = Repository<unknown>
