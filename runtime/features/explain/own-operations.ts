import { HttpError } from '../../errors.js'
import type { Access, Entity, OwnOperation } from '../../model/entity.js'
import { existing } from '../../policy/access.js'
import { sayingOfRecord } from '../../query/extension-parameters.js'
import { parseShowQuery } from '../../query/parse-query.js'

/** Lists the operations of a repository besides show, store, update and delete. */
export const ownOperations = ({ extensions }: Pick<Entity, 'extensions'>): OwnOperation[] =>
  extensions.flatMap(({ operations = [] }) => operations)

export const ownOperation = (entity: Entity, name: string): OwnOperation | undefined =>
  ownOperations(entity).find((each) => each.name === name)

/** The access with which the operation finds a record. */
export const findingOf = (access: Access, name: string): Access =>
  ownOperation(access.entity, name)?.finding(access) ?? access

/**
 * What a record must be to be found, besides what `show` says; null: the user is denied whatever the
 * record.
 */
export async function existingIn(access: Access): Promise<readonly unknown[] | null> {
  try {
    return await Promise.all(existing(access.extensions, access))
  } catch (error) {
    if (error instanceof HttpError) return null
    throw error
  }
}

/** Lets an extension find the record of its operation. */
export const findingIn =
  (parameters: URLSearchParams) =>
  (access: Access): Access =>
    sayingOfRecord(access, parseShowQuery(parameters))
