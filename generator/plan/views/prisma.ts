import { findModelRelations } from '../../migrations/schema/model-relations.js'
import { fieldName } from '../../migrations/schema/names.js'
import { tablesOf, type Table } from '../../migrations/schema/tables.js'
import { literal, property } from '../../source/literal.js'
import type { Project } from '../project.js'
import type { Slots } from '../render/slots.js'

export interface PrismaView {
  readonly isSqlite: boolean
  /** Some repository has a folded field. */
  readonly hasFolded: boolean
  /** Models through which a write reaches a folded column. */
  readonly models: readonly FoldedModel[]
  readonly slots: Slots
}

interface FoldedModel {
  readonly name: string
  /** `title: 'title_folded'` */
  readonly folded: readonly string[]
  /** `posts: 'Post'` */
  readonly relations: readonly string[]
}

export function hasFolded({ entities }: Pick<Project, 'entities'>): boolean {
  return entities.some(({ columns }) => columns.some(({ folded }) => folded !== undefined))
}

export function prismaView(project: Project): PrismaView {
  const isFolding = hasFolded(project)
  return {
    isSqlite: project.isSqlite,
    hasFolded: isFolding,
    models: isFolding ? foldedModels(project) : [],
    slots: project.slots,
  }
}

function foldedModels({ blueprint }: Project): readonly FoldedModel[] {
  const tables = tablesOf(blueprint)
  const relations = findModelRelations(blueprint)
  const ends = relations.flatMap(({ from, forward, to, inverse }) => [
    { table: from, field: forward, other: to },
    { table: to, field: inverse, other: from },
  ])
  const foldsOf = ({ columns }: Table) => columns.filter(({ folded }) => folded !== undefined)
  const reached = new Set(
    tables.filter((table) => foldsOf(table).length > 0).map(({ name }) => name),
  )
  // Ends when a round finds no table that leads to one of these.
  for (let before = 0; before < reached.size;) {
    before = reached.size
    for (const { table, other } of ends) if (reached.has(other)) reached.add(table)
  }
  const modelOf = new Map(tables.map(({ name, model }) => [name, model]))
  return tables
    .filter(({ name }) => reached.has(name))
    .map((table) => ({
      name: table.model,
      folded: foldsOf(table).map(
        ({ name, folded = '' }) => `${property(fieldName(name))}: ${literal(fieldName(folded))}`,
      ),
      relations: ends
        .filter(({ table: name, other }) => name === table.name && reached.has(other))
        .map(({ field, other }) => `${property(field)}: ${literal(modelOf.get(other) ?? other)}`),
    }))
}
