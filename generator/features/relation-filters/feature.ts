import { matchTypeText } from '../../plan/views/repository.js'
import { property } from '../../source/literal.js'
import type { Feature } from '../../write/feature.js'
import { hasRead } from '../reads/feature.js'
import { indexAdvice } from './advice.js'
import { relationFiltersCheck, relationFiltersFact, type RelationFilter } from './check.js'
import { columnOf, relationFiltersOf } from './filters-of.js'
import { relationFiltersInGraphql } from './graphql.js'

export const relationFilters: Feature = {
  name: 'relationFilters',
  check: relationFiltersCheck,
  entitySlots: (entity, project) => {
    const filters = relationFiltersOf(entity, project)
    if (filters.length === 0) return {}
    const isCompared = hasRead(entity, project, 'operators')
    const hasColumns = filters.some((filter) => columnOf(filter) !== null)
    const more = isCompared && hasColumns ? ', { comparing }' : ''
    return {
      imports: {
        'app/Repositories/NameRepository.ts': [
          ...(more === ''
            ? []
            : [{ from: '#runtime/features/operators/comparing.js', names: ['comparing'] }]),
          {
            from: '#runtime/features/relation-filters/relation-filters.js',
            names: ['relationFilters'],
          },
        ],
      },
      repository_extensions: [`relationFilters({ ${filters.map(lineOf).join(', ')} }${more})`],
    }
  },
  has: (entity, blueprint) => {
    const filters = relationFiltersFact.in(blueprint, entity)
    return filters && `filters by related records: ${filters.map(({ name }) => name).join(', ')}`
  },
  advice: indexAdvice,
  graphql: relationFiltersInGraphql,
  client: async () => (await import('./client.js')).relationFiltersInClient,
  document: async () => (await import('./document.js')).relationFiltersInDocument,
}

const lineOf = (filter: RelationFilter): string =>
  `${property(filter.name)}: ${matchTypeText(columnOf(filter) ?? undefined, filter.type)}`
