import { expect, test } from 'vitest'
import { openSqlite } from '../../../runtime/database/sqlite/open.js'
import { createEntity } from '../../../runtime/model/entity-columns.js'
import type { Definition } from '../../../runtime/model/entity.js'

test('a repository of passwords that does not say how they are hashed stops the start', () => {
  const database = openSqlite(':memory:')
  const columns = { id: 'integer', password: 'password' }
  const definition = { key: 'users', columns, database } as unknown as Definition
  expect(() => createEntity(definition)).toThrow(
    `'users' has a password, and no \`extensions: [hashedPasswords]\``,
  )
})
