import type { GraphQLResolveInfo } from 'graphql'
import { HttpError } from '../../errors.js'
import { nullPrototypeObject } from '../../model/get-own.js'
import type { AnyRepository, Input, Resource } from '../../operations/repository.js'
import { withChildren } from '../child-lists/child-lists.js'
import { splitIds } from './ids.js'
import { listQuery, type RelatedQuery, relatedQuery, showQuery } from './look-ahead.js'
import { Failed } from './read-member.js'
import type { ResolverClass } from './resolver.js'

/** The resolvers of a repository that has no file of its own in `Resolvers/`. */
export function standardResolver(repository: AnyRepository): ResolverClass {
  return {
    show: (_root, { id }, { user }, info) => repository.show(user, id, showQuery(info)),
    index: (_root, args, { user }, info) => repository.list(user, listQuery(args, info)),
    total: (_root, args, { user }) => repository.count(user, listQuery(args)),
    create: (_root, { input }, { user }, info) => createRecord(repository, user, input, info),
    update: (_root, { id, input }, { user }, info) =>
      updateRecord(repository, user, id, input, info),
    delete: (_root, { id }, { user }) => deleteRecord(repository, user, id),
  }
}

/** Stores through the repository, and answers the record with what is selected of it. */
export async function createRecord(
  repository: AnyRepository,
  user: unknown,
  input: Input,
  info: GraphQLResolveInfo,
): Promise<Resource> {
  const { values, children } = splitIds(input, info)
  await checkSelection(repository, user, info)
  const made = await repository.store(user, values, withChildren(children))
  return withRelated(repository, user, made, info)
}

/** Writes the given fields through the repository, and answers the record. */
export async function updateRecord(
  repository: AnyRepository,
  user: unknown,
  id: string,
  input: Input,
  info: GraphQLResolveInfo,
): Promise<Resource> {
  const { values, children } = splitIds(input, info)
  await checkSelection(repository, user, info)
  const changed = await repository.patch(user, id, values, withChildren(children))
  return withRelated(repository, user, changed, info)
}

/** Deletes through the repository; true, or an error. */
export async function deleteRecord(
  repository: AnyRepository,
  user: unknown,
  id: string,
): Promise<boolean> {
  await repository.delete(user, id)
  return true
}

/** What cannot be answered is refused before anything is written. */
async function checkSelection(
  repository: AnyRepository,
  user: unknown,
  info: GraphQLResolveInfo,
): Promise<void> {
  const query = relatedQuery(info)
  if (hasRelated(query)) await repository.check(user, query)
}

const hasRelated = ({ include }: RelatedQuery) => include.length > 0

/**
 * A record that was written may be one its writer does not see: then it comes alone. It was
 * written, so what fails now fails where it was asked for.
 */
async function withRelated(
  repository: AnyRepository,
  user: unknown,
  resource: Resource,
  info: GraphQLResolveInfo,
): Promise<Resource> {
  const query = relatedQuery(info)
  if (!hasRelated(query)) return resource
  try {
    const { relationships = {} } = await repository.show(user, resource.id, query)
    return { ...resource, relationships }
  } catch (error) {
    const relationships = nullPrototypeObject()
    const isHidden = error instanceof HttpError && error.status === 404
    if (isHidden) return { ...resource, relationships }
    for (const { key, as = key } of query.include) relationships[as] = new Failed(error)
    return { ...resource, relationships }
  }
}
