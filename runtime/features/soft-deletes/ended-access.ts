import type { Extension } from '../../model/entity.js'
import { revokeAccess } from '../sign-in/accounts.js'

/** For the users: who is deleted is signed out for good, whatever becomes of their record. */
export const endedAccess: Extension = {
  within: ({ entity: { table } }, { operation, id }) => {
    if (operation !== 'delete' || id === null) return null
    return { write: (connection) => revokeAccess(connection, { table, userId: id }) }
  },
}
