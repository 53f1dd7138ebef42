import type { Row } from '../tested.js'
import type { Relation } from './decided.js'
import { definitionOf, type Project } from './project.js'

interface End {
  readonly key: string
  readonly row: Row
}

/** Makes two rows related, straight in the database. */
export async function link(
  project: Project,
  relation: Relation,
  parent: End,
  related: End,
): Promise<void> {
  if (relation.table !== undefined) return linkInTable(project, relation, parent, related)
  const [holder, pointed] = relation.is === 'pointer' ? [parent, related] : [related, parent]
  const { table, columns, id: primary } = definitionOf(project, holder.key)
  const { name = relation.column, kind } = columns.get(relation.column) ?? {}
  // A morph over ids of both kinds holds texts.
  const id = kind === 'text' ? String(pointed.row.id) : pointed.row.id
  const pointer = { ...typeOf(relation, pointed), [name]: id }
  const update = project.db.updateTable(table).set(pointer)
  await update.where(primary.name, '=', holder.row.id).execute()
}

async function linkInTable(
  { db }: Project,
  relation: Relation,
  parent: End,
  related: End,
): Promise<void> {
  const { column, table = '', relatedColumn = '', isText = false, values = {} } = relation
  const id = isText ? String(parent.row.id) : parent.row.id
  const ids = { [column]: id, [relatedColumn]: related.row.id }
  const insert = db.insertInto(table).values({ ...typeOf(relation, parent), ...ids, ...values })
  // The world may have linked them.
  await insert.onConflict((known) => known.doNothing()).execute()
}

const typeOf = ({ type }: Relation, { key }: End) => (type === undefined ? {} : { [type]: key })
