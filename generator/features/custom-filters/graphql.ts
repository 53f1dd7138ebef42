import type { Entity } from '../../blueprint/types.js'
import type { Project } from '../../plan/project.js'
import type { FreeName } from '../graphql/names.js'
import {
  descriptionIn,
  type GraphqlFeature,
  input,
  type MemberView,
  type Scope,
} from '../graphql/schema-scope.js'
import type { CustomFilter } from './check.js'
import { customFiltersFact } from './check.js'

/** `postList(match: { popular: true }, filters: { ready: true })`. */
export const customFiltersInGraphql: GraphqlFeature = {
  part: (project, free) => {
    const names = namesOf(project, free)
    return {
      matched: (entity, scope) => (saidOf(entity, scope)?.match ?? []).map(memberIn(scope)),
      listed: (entity) => {
        const name = names.get(entity.key)
        return name === undefined ? [] : [`filters: ${name}`]
      },
      types: (scope) =>
        scope.project.entities.flatMap((entity) => {
          const name = names.get(entity.key)
          const filters = saidOf(entity, scope)?.filters ?? []
          return name === undefined ? [] : [input(name, filters.map(memberIn(scope)))]
        }),
    }
  },
}

const saidOf = (entity: Entity, { project }: Scope) => customFiltersFact.of(entity, project)

/** Names the filters of repositories that have some. */
const namesOf = (project: Project, free: FreeName): ReadonlyMap<string, string> =>
  new Map(
    project.entities.flatMap((entity) => {
      const { key } = entity
      const type = project.derived.graphql.types.get(key)
      const filters = customFiltersFact.of(entity, project)?.filters ?? []
      return type === undefined || filters.length === 0
        ? []
        : [[key, free(`${type}Filters`, 'Input')] as const]
    }),
  )

const types = {
  boolean: 'Boolean',
  number: 'Float',
  text: 'String',
  timestamp: 'String',
  select: 'String',
  multiSelect: '[String!]',
}

const memberIn =
  (scope: Scope) =>
  ({ name, kind, options, description }: CustomFilter): MemberView => {
    const some = kind === 'multiSelect' ? 'Some' : 'One'
    const listing = options === undefined ? [] : [`${some} of: ${options.join(', ')}`]
    const parts = [...(description === undefined ? [] : [description]), ...listing]
    return {
      text: `${name}: ${types[kind]}`,
      description: descriptionIn(parts.length === 0 ? undefined : parts.join('. '), scope),
    }
  }
