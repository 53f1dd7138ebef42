import { defineConfig, settingsOf } from '../../runtime/config/server-config.js'
import type { Database } from '../../runtime/database/types.js'
import { userSource } from '../../runtime/features/sign-in/users.js'
import type { StorageKind } from '../../runtime/model/columns.js'
import { createEntity } from '../../runtime/model/entity-columns.js'
import { newUuid } from '../../runtime/model/new-uuid.js'

/** Users of a table `users` with these columns, without a repository of an emitted project. */
export function usersOf<User>(database: Database, columns: Readonly<Record<string, StorageKind>>) {
  const names = { key: 'users', name: 'User', table: 'users' }
  const settings = settingsOf(defineConfig({}))
  const entity = {
    database,
    settings,
    ...names,
    policy: {},
    columns,
    attributes: [],
    rules: {},
    newId: newUuid,
  }
  return userSource<User>({ definition: createEntity(entity) })
}
