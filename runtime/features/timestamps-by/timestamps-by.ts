import type { Extension } from '../../model/entity.js'
import { userId } from '../../policy/access.js'

/**
 * For a repository: `created_by_id` and `updated_by_id` hold the id of the signed-in user, and NULL where nobody is. What
 * bodies and hooks say of them does not count.
 * @example extensions: [timestampsBy]
 */
export const timestampsBy: Extension = {
  columns: ({ request }, _, { operation }) => {
    const id = userId(request)
    return operation === 'store' ? { created_by_id: id, updated_by_id: id } : { updated_by_id: id }
  },
}
