import { expect, test } from 'vitest'
import { openSqlite } from '../../runtime/database/sqlite/open.js'
import { createEntity } from '../../runtime/model/entity-columns.js'
import type { Definition } from '../../runtime/model/entity.js'
import { newUuid } from '../../runtime/model/new-uuid.js'

test('a repository of UUIDs that does not say who makes them stops the start', () => {
  const database = openSqlite(':memory:')
  const definition = { key: 'tags', columns: { id: 'uuid' }, database } as unknown as Definition
  expect(() => createEntity(definition)).toThrow(
    `'tags' has UUIDs for ids, and no \`newId: newUuid\``,
  )
  expect(createEntity({ ...definition, newId: newUuid }).id.kind).toBe('uuid')
})
