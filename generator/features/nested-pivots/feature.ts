import { isInBlueprint } from '../../plan/feature.js'
import { literal } from '../../source/literal.js'
import type { Feature } from '../../write/feature.js'
import { nestedPivotsCheck, nestedPivotsFact } from './check.js'
import { namedInGraphql } from './graphql.js'
import { namedIn } from './written.js'

export const nestedPivots: Feature = {
  name: 'nestedPivots',
  check: nestedPivotsCheck,
  slots: ({ blueprint }) => ({
    config_limits:
      isInBlueprint('bulk', blueprint) || isInBlueprint('nestedCreate', blueprint)
        ? []
        : [
            '/** Records that one request makes, with the related ones that it makes; more is 413. */',
            'bulk_rows: 1_000,',
          ],
  }),
  entitySlots: (entity, project) => {
    const keys = namedIn(entity, project).map(({ key }) => literal(key))
    if (keys.length === 0) return {}
    return {
      imports: {
        'app/Repositories/NameRepository.ts': [
          { from: '#runtime/features/nested-pivots/nested-pivots.js', names: ['nestedPivots'] },
          { from: '#config/svc.js', names: ['config'] },
        ],
      },
      repository_extensions: [
        `nestedPivots({ relations: [${keys.join(', ')}], most: config.limits.bulk_rows })`,
      ],
    }
  },
  has: (entity, blueprint) => {
    const keys = nestedPivotsFact.in(blueprint, entity) ?? []
    return keys.length === 0 ? null : `${keys.join(', ')} in the body of a record`
  },
  graphql: namedInGraphql,
  document: async () => (await import('./document.js')).namedInDocument,
  client: async () => (await import('./client.js')).namedInClient,
}
