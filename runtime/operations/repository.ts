import { notFound } from '../errors.js'
import { createEntity } from '../model/entity-columns.js'
import type { Access, Definition, Operation, WriteOptions } from '../model/entity.js'
import { readId } from '../model/ids.js'
import type { Values } from '../model/inherited.js'
import type { AnyModel, HooksOf } from '../model/model-types.js'
import { accessTo, newRequest, visibleWithId } from '../policy/access.js'
import { logPolicyMistakes } from '../policy/policy-check.js'
import type { PolicyOf } from '../policy/policy-types.js'
import { emptyQuery } from '../query/query.js'
import { forWrite } from '../query/request-parts.js'
import { confirmingStores, jsonIndexes, jsonShows } from './json-reads.js'
import {
  countRecords,
  includedBy,
  indexJson,
  indexPage,
  listPage,
  readRow,
  showJson,
  showResource,
} from './read.js'
import type { Repository } from './repository-type.js'
import { deleteResource, storeResource, updateResource } from './write/one.js'

export type { Extension, WriteOptions } from '../model/entity.js'
export type { Resource } from '../model/resource.js'
export type { Input } from '../input/validation.js'
export type { AnyRepository, Repository } from './repository-type.js'

/** A definition, typed by the model of its rows. */
export interface DefinitionOf<Model extends AnyModel> extends Omit<
  Definition<keyof Model['row'] & string>,
  'policy' | 'hooks' | 'defaults'
> {
  readonly policy: PolicyOf<Model>
  readonly hooks?: HooksOf<Model>
  readonly defaults?: Values<Model['row']>
}

/**
 * Makes the repository of a definition. Nothing is looked up before the first request; in
 * development its policy is checked once everything is loaded.
 */
export function defineRepository<Model extends AnyModel>(
  typed: DefinitionOf<Model>,
): Repository<Model['row']> {
  // The runtime calls policies and hooks with the user and rows it is given: their types are
  // checked where they are written.
  const entity = createEntity(typed as unknown as Definition)
  const access = (user: unknown) => accessTo(newRequest(user), entity)
  const writing = (user: unknown, operation: Operation, options?: WriteOptions) =>
    forWrite(access(user), operation, options)
  if (entity.settings.explain !== undefined) setImmediate(() => void logPolicyMistakes(entity))
  // Awaited, because a promise that is only returned takes two turns more.
  const index: Repository<unknown>['index'] = async (user, query = emptyQuery) =>
    await indexPage(access(user), query)
  const show: Repository<unknown>['show'] = async (user, id, query = emptyQuery) =>
    await showResource(access(user), id, query)
  jsonIndexes.set(index, (user, query) => indexJson(access(user), query))
  jsonShows.set(show, (user, id, query) => showJson(access(user), id, query))
  const store: Repository<unknown>['store'] = async (user, input, options) =>
    await storeResource(writing(user, 'store', options), input)
  confirmingStores.add(store)
  return {
    key: entity.key,
    index,
    list: async (user, query = emptyQuery) => await listPage(access(user), query),
    count: async (user, query = emptyQuery) => await countRecords(access(user), query),
    show,
    store,
    update: async (user, id, input, options) =>
      await updateResource(writing(user, 'update', options), id, input, 'whole'),
    patch: async (user, id, input, options) =>
      await updateResource(writing(user, 'update', options), id, input, 'part'),
    delete: async (user, id, options) => await deleteResource(writing(user, 'delete', options), id),
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
