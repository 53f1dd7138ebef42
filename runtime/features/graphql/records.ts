import type { GraphQLResolveInfo } from 'graphql'
import { HttpError } from '../../errors.js'
import { nullPrototypeObject } from '../../model/get-own.js'
import type { AnyRepository, Input, Resource, WriteOptions } from '../../operations/repository.js'
import { relatedQuery } from './look-ahead.js'
import { Failed } from './read-member.js'
import { inputReaderOf } from './record-type.js'

/** Stores through the repository, and answers the record with what is selected of it. */
export function createRecord(
  repository: AnyRepository,
  user: unknown,
  input: Input,
  info: GraphQLResolveInfo,
  options?: WriteOptions,
): Promise<Resource> {
  return writeRecord(repository, user, input, info, (values, more) =>
    repository.store(user, values, joined(options, more)),
  )
}

/** Writes the given fields through the repository, and answers the record. */
export function updateRecord(
  repository: AnyRepository,
  user: unknown,
  id: string,
  ...[input, info, options]: [Input, GraphQLResolveInfo, WriteOptions?]
): Promise<Resource> {
  return writeRecord(repository, user, input, info, (values, more) =>
    repository.patch(user, id, values, joined(options, more)),
  )
}

/** Joins the options of a call with those of its input. */
export const joined = (options: WriteOptions | undefined, more: WriteOptions): WriteOptions =>
  options === undefined
    ? more
    : Object.assign({}, options, {
        extensions: [...(options.extensions ?? []), ...(more.extensions ?? [])],
      })

/** Deletes through the repository; true, or an error. */
export async function deleteRecord(
  repository: AnyRepository,
  user: unknown,
  id: string,
  options?: WriteOptions,
): Promise<boolean> {
  await repository.delete(user, id, options)
  return true
}

/**
 * A selection that cannot be answered is an error before anything is written. Once it is written,
 * the record is answered: what fails then fails where it was asked for, and a record that its
 * writer does not see comes alone.
 */
export async function writeRecord(
  repository: AnyRepository,
  user: unknown,
  input: Input,
  info: GraphQLResolveInfo,
  write: (values: Input, more: WriteOptions) => Promise<Resource>,
): Promise<Resource> {
  const read = inputReaderOf(info.schema)?.(input, info) ?? { values: input }
  const query = relatedQuery(info)
  const { include } = query
  if (include.length > 0) await repository.check(user, query)
  const written = await write(read.values, read)
  if (include.length === 0) return written
  try {
    const { relationships = {} } = await repository.show(user, written.id, query)
    return Object.assign({}, written, { relationships })
  } catch (error) {
    const relationships = nullPrototypeObject()
    const isHidden = error instanceof HttpError && error.status === 404
    for (const { key, as = key } of isHidden ? [] : include) relationships[as] = new Failed(error)
    return Object.assign({}, written, { relationships })
  }
}
