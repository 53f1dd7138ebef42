import type { Row, Values } from '../tested.js'
import { definitionOf, type Project } from './project.js'

/** A row as it is now, by the names of its fields. */
export async function stored(project: Project, key: string, { id }: Row): Promise<Values> {
  const { table, columns, id: primary } = definitionOf(project, key)
  const rows = project.db.selectFrom(table).selectAll().where(primary.name, '=', id)
  const row = await rows.executeTakeFirstOrThrow()
  return Object.fromEntries([...columns].map(([field, { name }]) => [field, row[name]]))
}
