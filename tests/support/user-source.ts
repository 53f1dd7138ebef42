import { defineConfig, settingsOf } from '../../runtime/config/server-config.js'
import type { Database } from '../../runtime/database/types.js'
import { hashedPasswords } from '../../runtime/features/sign-in/password.js'
import { userSource } from '../../runtime/features/sign-in/users.js'
import type { StorageKind } from '../../runtime/model/columns.js'
import { createEntity } from '../../runtime/model/entity-columns.js'

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
    extensions: [hashedPasswords],
  }
  return userSource<User>({ definition: createEntity(entity) })
}
