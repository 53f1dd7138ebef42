import type { AnyRepository } from '../../operations/repository.js'
import { parametersInCall } from '../graphql/call-parameters.js'
import { deleteRecord, updateRecord } from '../graphql/records.js'
import type { ResolverClass } from '../graphql/resolver.js'

/** Update and delete of a repository whose records have versions: `version` is the one to change. */
export function versionedResolver(repository: AnyRepository): ResolverClass {
  const only = (version: number | null = null) => ({
    parameters: parametersInCall(repository.definition, { version }),
  })
  return {
    update: (_root, { id, input, version }, { user }, info) =>
      updateRecord(repository, user, id, input, info, only(version)),
    delete: (_root, { id, version }, { user }) => deleteRecord(repository, user, id, only(version)),
  }
}
