import type { z } from 'zod'
import type { StorageKind } from '../model/columns.js'
import type { Input } from '../input/validation.js'
import {
  type Access,
  createEntity,
  type Definition,
  type Entity,
  type MatchType,
} from '../model/entity.js'
import { notFound } from '../errors.js'
import { readId } from '../model/ids.js'
import type { PerName, Values } from '../model/inherited.js'
import type { AnyModel } from '../model/model-types.js'
import type { Page, Resource } from '../model/resource.js'
import { accessTo, newRequest, visibleWithId } from '../policy/access.js'
import { logPolicyMistakes } from '../policy/policy-check.js'
import type { Policy } from '../policy/policy-types.js'
import { emptyQuery, type IndexQuery, type ShowQuery } from '../query/query.js'
import type { Hooks } from './hook-types.js'
import { countRecords, includedBy, indexPage, listPage, readRow, showResource } from './read.js'
import { deleteResource, storeResource, type Together, updateResource } from './write.js'

export type { Resource } from '../model/resource.js'
export type { Input } from '../input/validation.js'

/**
 * The operations on one kind of record. Every surface calls these, so validation, policies and
 * serialization cannot disagree. `user` is the signed-in user's row, or null. What is denied is
 * thrown as an HttpError.
 */
export interface Repository<Row> {
  /** URI key. */
  readonly key: string
  /** One page of the records the user may see. */
  index(user: unknown, query?: IndexQuery): Promise<Page>
  /** The records of that page alone: no `meta`, and nothing is counted. */
  list(user: unknown, query?: IndexQuery): Promise<Resource[]>
  /** How many records the user may see and the query matches. */
  count(user: unknown, query?: IndexQuery): Promise<number>
  /** One of them; 404 when it does not exist or is not visible, which is the same. */
  show(user: unknown, id: string, query?: ShowQuery): Promise<Resource>
  /** `together` is written in the same transaction, or nothing is. */
  store(user: unknown, input: Input, together?: Together): Promise<Resource>
  /** PUT: validates every field; those not given become their default or null. */
  update(user: unknown, id: string, input: Input): Promise<Resource>
  /** PATCH: validates and writes the fields given; `together` as for `store`. */
  patch(user: unknown, id: string, input: Input, together?: Together): Promise<Resource>
  delete(user: unknown, id: string): Promise<void>
  /** The row of a record the user may see, for code of your own; 404 like `show`. */
  find(user: unknown, id: string): Promise<Row>
  /** Throws what reading `query` would throw, whatever the records: for looking before a write. */
  check(user: unknown, query: ShowQuery): Promise<void>
  readonly definition: Entity
}

/** Any repository, as relations point at it. */
export type AnyRepository = Repository<unknown>

type ColumnOf<Model extends AnyModel> = keyof Model['row'] & string

/** A definition, typed by the model of its rows. */
export interface DefinitionOf<Model extends AnyModel> extends Omit<
  Definition,
  | 'title'
  | 'policy'
  | 'hooks'
  | 'columns'
  | 'attributes'
  | 'rules'
  | 'defaults'
  | 'unique'
  | 'searchable'
  | 'match'
  | 'sort'
> {
  readonly title?: ColumnOf<Model>
  readonly policy: Policy<Model, never>
  readonly hooks?: Hooks<Model, never>
  readonly columns: Readonly<Record<ColumnOf<Model>, StorageKind>>
  readonly attributes: readonly ColumnOf<Model>[]
  readonly rules: PerName<ColumnOf<Model>, z.ZodType>
  readonly defaults?: Values<Model['row']>
  readonly unique?: readonly ColumnOf<Model>[]
  readonly searchable?: readonly ColumnOf<Model>[]
  readonly match?: PerName<ColumnOf<Model>, MatchType>
  readonly sort?: readonly ColumnOf<Model>[]
}

/**
 * Makes the repository of a definition. Nothing is looked up before the first request; in
 * development its policy is checked once everything is loaded.
 */
export function defineRepository<Model extends AnyModel>(
  typed: DefinitionOf<Model>,
): Repository<Model['row']> {
  // The kernel calls policies and hooks with the user and rows it is given: their types are checked
  // where they are written.
  const entity = createEntity(typed as unknown as Definition)
  const access = (user: unknown) => accessTo(newRequest(user), entity)
  if (entity.settings.explain !== undefined) setImmediate(() => void logPolicyMistakes(entity))
  return {
    key: entity.key,
    index: async (user, query = emptyQuery) => indexPage(access(user), query),
    list: async (user, query = emptyQuery) => listPage(access(user), query),
    count: async (user, query = emptyQuery) => countRecords(access(user), query),
    show: async (user, id, query = emptyQuery) => showResource(access(user), id, query),
    store: async (user, input, together) => storeResource(access(user), input, together),
    update: async (user, id, input) => updateResource(access(user), id, input, 'whole'),
    patch: async (user, id, input, together) =>
      updateResource(access(user), id, input, 'part', together),
    delete: async (user, id) => deleteResource(access(user), id),
    // Its columns are those of the table the model describes.
    find: async (user, id) => findRow(access(user), id) as Promise<Model['row']>,
    check: async (user, query) => includedBy(access(user), query)?.check(),
    definition: entity,
  }
}

async function findRow(access: Access, idText: string) {
  const id = readId(access.entity.id, idText)
  const row = id === null ? null : await readRow(access.entity, await visibleWithId(access, id))
  if (row === null) throw notFound()
  return row
}
