import { isInBlueprint } from '../../plan/feature.js'
import { literal } from '../../source/literal.js'
import type { Feature } from '../../write/feature.js'
import { nestedCreateCheck, nestedCreateFact } from './check.js'
import { childrenInGraphql } from './graphql.js'
import { writableOf } from './written.js'

export const nestedCreate: Feature = {
  name: 'nestedCreate',
  check: nestedCreateCheck,
  slots: ({ blueprint }) => ({
    config_limits: isInBlueprint('bulk', blueprint)
      ? []
      : [
          '/** Records that one request makes, with those below them; more is 413. */',
          'bulk_rows: 1_000,',
        ],
  }),
  entitySlots: (entity, project) => {
    const keys = writableOf(entity, project).map(({ key }) => literal(key))
    if (keys.length === 0) return {}
    return {
      imports: {
        'app/Repositories/NameRepository.ts': [
          { from: '#runtime/features/nested-create/nested-create.js', names: ['nestedCreate'] },
          { from: '#config/svc.js', names: ['config'] },
        ],
      },
      repository_extensions: [
        `nestedCreate({ relations: [${keys.join(', ')}], most: config.limits.bulk_rows })`,
      ],
    }
  },
  has: (entity, blueprint) => {
    const keys = nestedCreateFact.in(blueprint, entity)
    return keys === null ? null : `${keys.join(', ')} in the body of a new record`
  },
  graphql: childrenInGraphql,
  document: async () => (await import('./document.js')).childrenInDocument,
  client: async () => (await import('./client.js')).childrenInClient,
}
