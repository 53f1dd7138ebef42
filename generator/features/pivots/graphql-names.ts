import { suffixOf } from '../../blueprint/names/names.js'
import type { Column, Entity, Pivot, Relation } from '../../blueprint/types.js'
import type { Project, Surroundings } from '../../plan/project.js'
import { isShown } from '../../plan/views/repository.js'
import { type FreeName, namesBeside } from '../graphql/names.js'
import { memberName } from '../graphql/settings.js'

/** Names of what the schema has of pivot tables. */
export interface PivotTypes {
  /** By table: the type of its fields, and the input of those that are written. */
  readonly tables: ReadonlyMap<string, PivotNames>
  /** By `companies.users`: the type of a related record with its pivot. */
  readonly edges: ReadonlyMap<string, string>
  /** By `companies.users`: the mutations. */
  readonly mutations: ReadonlyMap<string, readonly PivotMutation[]>
}

interface PivotNames {
  readonly shown: string
  readonly written: string
}

interface PivotMutation {
  readonly operation: (typeof operations)[number]
  readonly field: string
  /** The method of the resolver class. */
  readonly method: string
}

const operations = ['attach', 'sync', 'detach'] as const

export const shownFields = ({ fields }: Pivot): readonly Column[] => fields.filter(isShown)
export const writtenFields = ({ fields }: Pivot): readonly Column[] =>
  fields.filter(({ readonly }) => !readonly)

/** `CompanyUserPivot`, `CompanyUserPivotInput` and `CompanyUsersEdge`, unless types are called so. */
export function pivotTypesOf(project: Project, free: FreeName): PivotTypes {
  const { derived, entities } = project
  const names = derived.graphql.types
  const related = entities.flatMap((entity) => {
    const type = names.get(entity.key)
    const many = entity.relations.filter(({ target, pivot }) => pivot !== null && names.has(target))
    return type === undefined ? [] : many.map((relation) => ({ entity, type, relation }))
  })
  const used = new Set(related.map(({ relation }) => relation.pivot?.table))
  const tables = project.blueprint.pivots
    .filter(({ table }) => used.has(table))
    .map(({ table, name }) => {
      const shown = free(`${name}Pivot`)
      return [table, { shown, written: free(`${name}PivotInput`) }] as const
    })
  const edges = related
    .filter(({ entity, relation }) => hasEdges(entity, relation, project))
    .map(({ entity, type, relation: { key } }) => {
      return [`${entity.key}.${key}`, free(`${type}${suffixOf(key)}Edge`)] as const
    })
  const types = [...names.values()]
  const freeField = namesBeside(
    ['create', 'update', 'delete'].flatMap((verb) => types.map((type) => verb + type)),
  )
  const mutations = related.map(({ entity, type, relation: { key } }) => {
    const each = operations.map((operation) => {
      const method = `${operation}${suffixOf(key)}`
      return { operation, method, field: freeField(`${operation}${type}${suffixOf(key)}`) }
    })
    return [`${entity.key}.${key}`, each] as const
  })
  return { tables: new Map(tables), edges: new Map(edges), mutations: new Map(mutations) }
}

/** Returns true if the schema has anything of a repository's pivot tables. */
export function hasPivots({ relations }: Entity, { derived }: Surroundings): boolean {
  const { settings, types } = derived.graphql
  const many = relations.filter(({ pivot, target }) => pivot !== null && types.has(target))
  return settings.schema.relations && many.length > 0
}

export const edgesName = (key: string) => `${memberName(key)}_edges`

/** A pivot table without fields that are shown has nothing to read; a member of that name comes first. */
function hasEdges(entity: Entity, { key, pivot }: Relation, project: Project): boolean {
  if (pivot === null || shownFields(project.pivot(pivot.table)).length === 0) return false
  const { columns, relations, computed, morphs = [] } = entity
  const members = [...relations, ...computed, ...morphs].map((each) => memberName(each.key))
  return ![...columns.map(({ name }) => name), ...members].includes(edgesName(key))
}
