import type { Entity } from '../../blueprint/types.js'
import type { Surroundings } from '../../plan/project.js'
import { literal } from '../../source/literal.js'
import type { Feature } from '../../write/feature.js'
import { csvLines } from '../csv-export/feature.js'
import { isReadOf } from '../reads/check.js'
import { hasRead, isReadIn } from '../reads/feature.js'
import { treesCheck } from './check.js'
import { treesInGraphql } from './graphql.js'
import { treesReader } from './reader.js'
import { searchRoutesOf } from './routes.js'

const folder = '#runtime/features/trees'

export const trees: Feature = {
  name: 'trees',
  check: treesCheck,
  reader: treesReader,
  isOn: (project) => isReadIn(project, 'trees'),
  slots: (project) => {
    const searched = project.entities.filter((entity) => hasRead(entity, project, 'trees'))
    const paths = searched.map(({ key }) => literal(`/${key}/search`))
    return {
      imports: {
        'app/Http/resources.ts': [{ from: `${folder}/only-reads.js`, names: ['onlyReads'] }],
      },
      resources_first: [
        '// Reads with a body.',
        `resources.on('POST', [${paths.join(', ')}], onlyReads)`,
      ],
    }
  },
  entitySlots: (entity, project) =>
    hasRead(entity, project, 'trees')
      ? {
          imports: {
            'app/Repositories/NameRepository.ts': [
              { from: `${folder}/trees.js`, names: ['trees'] },
            ],
            'app/Http/Controllers/NameController.ts': [
              { from: `${folder}/routes.js`, names: ['searchRoutes'] },
            ],
          },
          repository_extensions: ['trees'],
          controller_routes_first: [searchLine(entity, project)],
        }
      : {},
  has: (entity, blueprint) =>
    isReadOf(blueprint, entity, 'trees') ? `searches (POST /${entity.key}/search)` : null,
  entityRoutes: searchRoutesOf,
  graphql: treesInGraphql,
  client: async () => (await import('./client.js')).treesInClient,
  document: async () => (await import('./document.js')).treesInDocument,
}

/** Returns the line before the index, which also comes before a search. */
function searchLine(entity: Entity, project: Surroundings): string {
  const given = [`${entity.name}Repository`, ...csvLines(entity, project)]
  return `.route('/', searchRoutes(${given.join(', ')}))`
}
