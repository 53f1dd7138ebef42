import type { Column, Entity } from '../../blueprint/types.js'
import { lowerFirst } from '../graphql/names.js'
import { literal, property } from '../literal.js'
import { reservedFields } from '../prisma/names.js'
import type { Project } from '../project.js'
import { edgesText, fieldEdges, usualLists } from './field-edges.js'
import { isShown } from './repository.js'
import { isVaried } from './sample.js'
import { testedEntities } from './tested-entities.js'

export interface EdgesView {
  /** Row type of the signed-in user, or null. */
  readonly user: string | null
  readonly hasGraphql: boolean
  /** Lists of GraphQL are sorted and matched. */
  readonly hasLists: boolean
  readonly hasTexts: boolean
  readonly factories: readonly string[]
  /** Lists that several fields share, each with its values as TypeScript. */
  readonly lists: readonly { readonly name: string; readonly values: string }[]
  readonly repositories: readonly EdgesOfRepository[]
}

interface EdgesOfRepository {
  readonly name: string
  /** Its model in Prisma's client. */
  readonly model: string
  /** Its field in the GraphQL schema, as TypeScript; `null` where it has none. */
  readonly query: string
  readonly fields: readonly {
    readonly property: string
    readonly values: string
    readonly list: string | null
  }[]
}

export function edgesView(project: Project): EdgesView {
  const tested = testedEntities(project)
  const repositories = tested.map((entity) => edgesOf(entity, project))
  const all = repositories.flatMap(({ fields }) => fields)
  const { enabled, schema } = project.graphql.settings
  return {
    user: project.auth?.name ?? null,
    hasGraphql: enabled,
    hasLists: enabled && schema.relations,
    hasTexts: all.some(({ values }) => values.includes('long(')),
    lists: usualLists(new Set(all.flatMap(({ list }) => list ?? []))),
    factories: tested.map(({ name }) => `make${name}`).toSorted(),
    repositories,
  }
}

function edgesOf(entity: Entity, project: Project): EdgesOfRepository {
  const type = project.graphqlTypes.get(entity.key)
  const most = rowsOf(entity)
  const fields = entity.columns.filter((column) => isTried(column, entity, project))
  return {
    name: entity.name,
    model: lowerFirst(entity.name),
    query: type === undefined ? 'null' : literal(lowerFirst(type)),
    fields: fields.map((column) => ({
      property: property(column.name),
      ...edgesText(column, most),
    })),
  }
}

/** What every door writes, and both surfaces show. */
function isTried(column: Column, { key }: Entity, { graphql }: Project): boolean {
  if (column.role !== 'field' || column.readonly || !isShown(column)) return false
  if (reservedFields.has(column.name)) return false
  return graphql.closed.get(key)?.shown.has(column.name) !== true
}

/** Where few values are possible and no two rows may have the same, there are few rows. */
function rowsOf({ columns }: Entity): number {
  const few = columns.filter(
    (column) => column.unique && column.role === 'field' && !isVaried(column),
  )
  return Math.min(...few.map((column) => fieldEdges(column).length))
}
