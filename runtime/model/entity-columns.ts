import { type Column, columnOf } from './columns.js'
import type { Definition, Entity } from './entity.js'
import { getOwn } from './get-own.js'

/** Looks the columns of a definition up, and hands it to its relations. */
export function createEntity(definition: Definition): Entity {
  const { database } = definition
  const columns = new Map<string, Column>()
  for (const [name, kind] of Object.entries(definition.columns)) {
    const folded = getOwn(definition.folded?.columns, name) ?? null
    const enumType = getOwn(definition.enumTypes, name) ?? null
    const stored = getOwn(definition.columnNames, name) ?? name
    columns.set(name, columnOf(name, kind, database, { name: stored, folded, enumType }))
  }
  const id = columns.get('id')
  if (id === undefined) throw new TypeError(`'${definition.key}' has no column 'id'`)
  if (id.kind === 'uuid' && definition.newId === undefined) {
    throw new TypeError(`'${definition.key}' has UUIDs for ids, and no \`newId: newUuid\``)
  }
  const { dialect } = database
  const entity = { ...definition, dialect, columns, id, relations: null as Entity['relations'] }
  entity.relations = definition.relations?.(entity) ?? null
  return entity
}

/** A column that must exist: svc wrote the repository, and checked its names in the manifest. */
export function columnNamed(entity: Entity, name: string): Column {
  const column = entity.columns.get(name)
  if (column === undefined) throw new TypeError(`'${entity.key}' has no column '${name}'`)
  return column
}
