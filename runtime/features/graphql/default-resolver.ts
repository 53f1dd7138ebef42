import type { AnyRepository } from '../../operations/repository.js'
import { listQuery, showQuery } from './look-ahead.js'
import { createRecord, deleteRecord, updateRecord } from './records.js'
import type { ResolverClass } from './resolver.js'

/** The resolvers of a repository that has no file of its own in `Resolvers/`. */
export function defaultResolver(repository: AnyRepository): ResolverClass {
  return {
    show: (_root, { id }, { user }, info) => repository.show(user, id, showQuery(info)),
    index: (_root, args, { user }, info) => repository.list(user, listQuery(args, info)),
    total: (_root, args, { user }, info) => repository.count(user, listQuery(args, info)),
    create: (_root, { input }, { user }, info) => createRecord(repository, user, input, info),
    update: (_root, { id, input }, { user }, info) =>
      updateRecord(repository, user, id, input, info),
    delete: (_root, { id }, { user }) => deleteRecord(repository, user, id),
  }
}
