import { type Column, columnOf } from './columns.js'
import type { Definition, Entity } from './entity.js'
import { getOwn } from './get-own.js'

/** Looks the columns of a definition up, and hands it to its relations. */
export function createEntity(definition: Definition): Entity {
  const { database } = definition
  const columns = new Map<string, Column>()
  for (const [name, kind] of Object.entries(definition.columns)) {
    const enumType = getOwn(definition.enumTypes, name) ?? null
    const stored = getOwn(definition.columnNames, name) ?? name
    columns.set(name, columnOf(name, kind, database, { name: stored, enumType }))
  }
  const id = columns.get('id')
  if (id === undefined) throw new TypeError(`'${definition.key}' has no column 'id'`)
  requireHashes(definition, columns)
  const { dialect } = database
  const { extensions = [] } = definition
  const relations = null as Entity['relations']
  const entity = { ...definition, dialect, columns, id, relations, extensions }
  entity.relations = definition.relations?.(entity) ?? null
  return entity
}

/**
 * Throws for a password that would be stored as it was sent: the repository is wrong, not the
 * request.
 */
function requireHashes(
  { key, extensions = [] }: Definition,
  columns: ReadonlyMap<string, Column>,
): void {
  const found = [...columns.values()].find(({ storage }) => storage.isSecret)
  if (found === undefined) return
  if (extensions.some(({ says }) => says?.stores?.[found.kind] !== undefined)) return
  throw new TypeError(`'${key}' has a password, and no \`extensions: [hashedPasswords]\``)
}

/** A column that must exist: svc wrote the repository, and checked its names in the manifest. */
export function columnNamed(entity: Entity, name: string): Column {
  const column = entity.columns.get(name)
  if (column === undefined) throw new TypeError(`'${entity.key}' has no column '${name}'`)
  return column
}
