import type { Column, Entity } from '../../blueprint/types.js'
import { property } from '../literal.js'
import type { Project } from '../project.js'
import { isRequired, sampleExpression } from './sample.js'

export interface FactoriesView {
  /** Names of `node:crypto` and row types that the factories use. */
  readonly crypto: readonly string[]
  readonly rows: readonly string[]
  readonly factories: readonly FactoryView[]
  readonly hasUnique: boolean
}

interface FactoryView {
  readonly name: string
  readonly table: string
  /** `title: 'Title'`, for each column a row cannot do without. */
  readonly values: readonly string[]
}

export function factoriesView(project: Project): FactoriesView {
  const factories = project.entities.map((entity) => factoryView(entity, project))
  const text = factories.flatMap(({ values }) => values).join()
  const hasUnique = text.includes('unique(')
  const crypto = ['randomInt', 'randomUUID'].filter(
    (name) => text.includes(name) || (name === 'randomUUID' && hasUnique),
  )
  const rows = project.entities.map(({ name }) => name).toSorted()
  return { crypto, rows, factories, hasUnique }
}

function factoryView(entity: Entity, project: Project): FactoryView {
  const key = entity.id === 'uuid' ? ['id: randomUUID()'] : []
  const values = entity.columns
    .filter(isRequired)
    .map((column) => `${property(column.name)}: ${valueFor(column, project)}`)
  return { name: entity.name, table: entity.table, values: [...key, ...values] }
}

function valueFor(column: Column, project: Project): string {
  if (column.references === undefined) return sampleExpression(column)
  const { name } = project.entity(column.references.entity)
  return `${member('values', column.name)} ?? (await make${name}()).id`
}

const member = (object: string, name: string) =>
  property(name) === name ? `${object}.${name}` : `${object}[${property(name)}]`
