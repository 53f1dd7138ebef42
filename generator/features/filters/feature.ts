import type { Entity } from '../../blueprint/types.js'
import { literal, property } from '../../source/literal.js'
import type { Feature } from '../../write/feature.js'
import { isReadOf } from '../reads/check.js'
import { hasRead, isReadIn } from '../reads/feature.js'
import { filtersReader } from './reader.js'
import { filtersRoutes } from './routes.js'

/** Lists filters and sorts at an address of its own. */
export const filters: Feature = {
  name: 'filters',
  reader: filtersReader,
  isOn: (project) => isReadIn(project, 'filters'),
  entitySlots: (entity, project) => {
    if (!hasRead(entity, project, 'filters')) return {}
    const said = textsOf(entity)
    const more = said.length === 0 ? '' : `, { ${said.join(', ')} }`
    return {
      imports: {
        'app/Http/Controllers/NameController.ts': [
          { from: '#runtime/features/filters/filters.js', names: ['filterRoutes'] },
        ],
      },
      controller_routes_first: [`.route('/', filterRoutes(${entity.name}Repository${more}))`],
    }
  },
  slots: () => ({}),
  texts: () => ({
    routes: [
      {
        route: '`/api/svc/<repository>/filters`',
        what: 'the filters and sorts of its lists; `only=matches,sortables,searchables,filters`',
      },
    ],
  }),
  entityRoutes: filtersRoutes,
  has: (entity, blueprint) =>
    isReadOf(blueprint, entity, 'filters')
      ? `a list of what can be asked (/${entity.key}/filters)`
      : null,
  client: async () => (await import('./client.js')).filtersInClient,
  document: async () => (await import('./document.js')).filtersInDocument,
}

/** What the manifest says of the columns that can be asked for, to people. */
function textsOf({ columns, match, sort, searchable }: Entity): readonly string[] {
  const asked = new Set([...match.map(({ column }) => column), ...sort, ...searchable])
  return columns.flatMap(({ name, label, placeholder, description }) => {
    const texts = Object.entries({ label, placeholder, description }).flatMap(([key, text]) =>
      text === undefined ? [] : [`${key}: ${literal(text)}`],
    )
    return texts.length === 0 || !asked.has(name)
      ? []
      : [`${property(name)}: { ${texts.join(', ')} }`]
  })
}
