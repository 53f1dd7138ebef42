import { literal } from '../../source/literal.js'
import type { Feature } from '../../write/feature.js'
import { countsCheck, countsFact } from './check.js'
import { countsReader } from './reader.js'

export const counts: Feature = {
  name: 'counts',
  check: countsCheck,
  reader: countsReader,
  entitySlots: (entity, project) => {
    const said = countsFact.of(entity, project)
    if (said === null) return {}
    const list = (names: readonly string[]) => `[${names.map(literal).join(', ')}]`
    const sort = said.sort.length === 0 ? '' : `, { sort: ${list(said.sort)} }`
    return {
      imports: {
        'app/Repositories/NameRepository.ts': [
          { from: '#runtime/features/counts/counts.js', names: ['counts'] },
        ],
      },
      repository_extensions: [`counts(${list(said.names)}${sort})`],
    }
  },
  has: (entity, blueprint) => {
    const said = countsFact.in(blueprint, entity)
    return said === null ? null : `counts of ${said.names.join(', ')} (withCount=)`
  },
  client: async () => (await import('./client.js')).countsInClient,
  document: async () => (await import('./document.js')).countsInDocument,
}
