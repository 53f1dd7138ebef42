import type { Extension } from '../../model/entity.js'
import { revokeAccess } from '../sign-in/accounts.js'

/** For the users: who is deleted is signed out for good, whatever becomes of their record. */
export const endedAccess: Extension = {
  write: ({ access: { entity } }) => ({
    within: ({ id, write }) => {
      if (write.operation !== 'delete' || id === null) return null
      const { table } = entity
      return { write: (connection) => revokeAccess(connection, { table, userId: id }) }
    },
  }),
}
