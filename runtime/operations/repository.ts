import { notFound } from '../errors.js'
import { type Access, accessTo, newRequest, visibleRows } from '../policy/access.js'
import { changePivots, type PivotOutcome } from '../features/pivots/change-pivots.js'
import { checkQuery } from '../features/relations/check-include.js'
import type { ChildList } from '../features/child-lists/child-lists.js'
import type { Definition, DefinitionOf, Row } from '../model/definition.js'
import { describeAll } from '../policy/parse-condition.js'
import { entityOf } from '../model/entity.js'
import { readId } from '../model/ids.js'
import type { AnyModel } from '../policy/policy-types.js'
import { type RelatedRecords, relatedTo } from '../features/relations/nested.js'
import { tellPolicyMistakes } from '../policy/policy-check.js'
import { emptyQuery, type IndexQuery, type ShowQuery } from '../query/parse-query.js'
import { countRecords, indexPage, listPage, readRow, showResource } from './read.js'
import type { Page, Resource } from '../model/resource.js'
import type { Input } from '../input/validation.js'
import { deleteResource, storeResource, updateResource } from './write.js'

export type { Resource } from '../model/resource.js'
export type { ChildList } from '../features/child-lists/child-lists.js'
export type { Input } from '../input/validation.js'

/**
 * The operations on one kind of record. Every surface calls these, so validation, policies and
 * serialization cannot disagree. `user` is the signed-in user's row, or null. What is refused is
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
  /** With `children`: gives them to the new record, all in one transaction. */
  store(user: unknown, input: Input, children?: readonly ChildList[]): Promise<Resource>
  /** PUT: validates every field; those not given become their default or null. */
  update(user: unknown, id: string, input: Input): Promise<Resource>
  /** PATCH: validates and writes the fields given; `children` as for `store`. */
  patch(user: unknown, id: string, input: Input, children?: readonly ChildList[]): Promise<Resource>
  delete(user: unknown, id: string): Promise<void>
  /**
   * The records one record is related to, under both policies: others do not exist there, and new
   * ones belong to it. 404 when there is no such relation, or no such record the user may see.
   */
  related(user: unknown, id: string, relation: string): Promise<RelatedRecords>
  /**
   * Adds related records of a many-to-many relation, or changes the pivot fields of those that are
   * there. The body holds their ids (or one id) under the relation's key, and pivot fields.
   */
  attach(user: unknown, id: string, relation: string, input: Input): Promise<PivotOutcome>
  /** The same, and takes away all others the user may see. */
  sync(user: unknown, id: string, relation: string, input: Input): Promise<PivotOutcome>
  /** Takes related records away. */
  detach(user: unknown, id: string, relation: string, input: Input): Promise<PivotOutcome>
  /** The row of a record the user may see, for code of your own; 404 like `show`. */
  find(user: unknown, id: string): Promise<Row>
  /** Throws what reading `query` would throw, whatever the records: for looking before a write. */
  check(user: unknown, query: ShowQuery): Promise<void>
  readonly definition: Definition
}

/** Any repository, as relations point at it. */
export type AnyRepository = Repository<unknown>

/**
 * Makes the repository of a definition. Nothing is looked up before the first request; in
 * development its policy is looked through once everything is loaded.
 */
export function defineRepository<Model extends AnyModel>(
  typed: DefinitionOf<Model>,
): Repository<Model['row']> {
  // The kernel calls policies and hooks with the user and rows it is given: their types are checked
  // where they are written.
  const definition = typed as unknown as Definition
  const access = (user: unknown) => accessTo(newRequest(user), entityOf(definition))
  if (definition.settings.explain !== undefined) {
    setImmediate(() => void tellPolicyMistakes(definition))
  }
  const repository: Repository<Model['row']> = {
    key: definition.key,
    index: async (user, query = emptyQuery) => indexPage(access(user), query),
    list: async (user, query = emptyQuery) => listPage(access(user), query),
    count: async (user, query = emptyQuery) => countRecords(access(user), query),
    show: async (user, id, query = emptyQuery) => showResource(access(user), id, query),
    store: async (user, input, children) => storeResource(access(user), input, children),
    update: async (user, id, input) => updateResource(access(user), id, input, 'whole'),
    patch: async (user, id, input, children) =>
      updateResource(access(user), id, input, 'part', children),
    delete: async (user, id) => deleteResource(access(user), id),
    // Its columns are those of the table the model describes.
    find: async (user, id) => findRow(access(user), id) as Promise<Model['row']>,
    check: async (user, query) => checkQuery(access(user), query),
    related: async (user, id, key) => relatedTo(access(user), id, key),
    attach: async (user, id, key, input) =>
      changePivots('attach', repository, access(user), id, key, input),
    sync: async (user, id, key, input) =>
      changePivots('sync', repository, access(user), id, key, input),
    detach: async (user, id, key, input) =>
      changePivots('detach', repository, access(user), id, key, input),
    definition,
  }
  return repository
}

async function findRow(access: Access, idText: string): Promise<Row> {
  const id = readId(access.entity.id, idText)
  const filter = describeAll(access.entity, [{ id }, id !== null && (await visibleRows(access))])
  const row = await readRow(access.entity, filter)
  if (row === null) throw notFound()
  return row
}
