import type { Feature } from '../../write/feature.js'
import { isReadOf } from '../reads/check.js'
import { hasRead, isReadIn } from '../reads/feature.js'
import { comparedColumns } from './comparisons.js'
import { operatorsInGraphql } from './graphql.js'

const folder = '#runtime/features/operators'

export const operators: Feature = {
  name: 'operators',
  isOn: (project) => isReadIn(project, 'operators'),
  entitySlots: (entity, project) =>
    hasRead(entity, project, 'operators') && comparedColumns(entity).length > 0
      ? {
          imports: {
            'app/Repositories/NameRepository.ts': [
              { from: `${folder}/operators.js`, names: ['operators'] },
            ],
          },
          repository_extensions: ['operators'],
        }
      : {},
  has: (entity, blueprint) => {
    if (!isReadOf(blueprint, entity, 'operators')) return null
    const names = comparedColumns(entity).map(([{ name }]) => name)
    return names.length === 0 ? null : `comparisons of ${names.join(', ')}`
  },
  graphql: operatorsInGraphql,
  client: async () => (await import('./client.js')).operatorsInClient,
  document: async () => (await import('./document.js')).operatorsInDocument,
}
