import type { Extension } from '../../model/entity.js'
import { userId } from '../../policy/access.js'

/**
 * For a repository: `created_by_id` and `updated_by_id` hold the id of the signed-in user, and NULL where nobody is. What
 * bodies and hooks say of them does not count.
 * @example extensions: [timestampsBy]
 */
export const timestampsBy: Extension = {
  write: ({ access: { request } }) => ({
    values: ({ write: { operation } }) => {
      const id = userId(request)
      if (operation === 'store') return { created_by_id: id, updated_by_id: id }
      return operation === 'update' ? { updated_by_id: id } : {}
    },
  }),
}
