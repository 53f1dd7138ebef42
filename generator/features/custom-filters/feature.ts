import type { Entity } from '../../blueprint/types.js'
import type { Project } from '../../plan/project.js'
import { literal, property, remark, valueOf } from '../../source/literal.js'
import type { Feature } from '../../write/feature.js'
import {
  customFiltersCheck,
  type CustomFilter,
  type CustomFilters,
  type CustomSorter,
  customFiltersFact,
} from './check.js'
import { typeOfValue } from './declared-of.js'
import { customFiltersInGraphql } from './graphql.js'
import { customFiltersReader } from './reader.js'
import { filtersView } from './view.js'
import { filter, matcher, sorter } from './words.js'

const folder = '#runtime/features/custom-filters'

/** Matchers, sorters and filters that the developer's own file answers. */
export const customFilters: Feature = {
  name: 'customFilters',
  vocabulary: { filter, matcher, sorter },
  check: customFiltersCheck,
  reader: customFiltersReader,
  outputs: [
    {
      of: 'entity',
      path: 'app/Filters/NameFilters.ts',
      owner: 'you',
      view: filtersView,
      when: (entity, project) => customFiltersFact.of(entity, project) !== null,
    },
  ],
  slots: (project) => ({
    imports: {
      'app/Models.ts': [
        { from: `${folder}/filter-types.js`, names: ['Filters', 'FilterValues'], isType: true },
      ],
    },
    models_last: modelLines(project),
  }),
  texts: () => ({
    changes: [
      {
        what: 'what a filter, a matcher or a sorter of your own finds',
        where: '`app/Filters/`',
      },
    ],
    ownFiles: [
      {
        files: '`app/Filters/`',
        so: 'what a filter, a matcher or a sorter of the manifest finds: a condition, which joins the policy',
      },
    ],
  }),
  entitySlots: (entity, project) => {
    const said = customFiltersFact.of(entity, project)
    if (said === null) return {}
    const isDeleted = project.deleted.has(filtersPath(entity))
    const answers = isDeleted ? '{}' : `${entity.name}Filters`
    return {
      imports: {
        'app/Repositories/NameRepository.ts': [
          { from: `${folder}/custom-filters.js`, names: ['customFilters'] },
          ...(isDeleted ? [] : [{ from: `#app/Filters/${answers}.js`, names: [answers] }]),
        ],
      },
      repository_extensions: [`customFilters(${answers}, ${declaredText(said)})`],
    }
  },
  has: (entity, blueprint) => {
    const said = customFiltersFact.in(blueprint, entity)
    if (said === null) return null
    const named = (all: readonly { readonly name: string }[], word: string) =>
      all.length === 0 ? [] : [`${word} ${all.map(({ name }) => name).join(', ')}`]
    const { match, sort, filters } = said
    const parts = [...named(match, 'match'), ...named(sort, 'sort'), ...named(filters, 'filters')]
    return `answers of its own in app/Filters: ${parts.join('; ')}`
  },
  yours: (entity, blueprint) =>
    customFiltersFact.in(blueprint, entity) === null ? [] : [filtersPath(entity)],
  graphql: customFiltersInGraphql,
  client: async () => (await import('./client.js')).customFiltersInClient,
  document: async () => (await import('./document.js')).customFiltersInDocument,
}

const filtersPath = ({ name }: Entity) => `app/Filters/${name}Filters.ts`

/** `{ match: { popular: { kind: 'boolean' } } }` */
function declaredText({ match, sort, filters }: CustomFilters): string {
  const part = (name: string, all: readonly (CustomFilter | CustomSorter)[]) =>
    all.length === 0
      ? []
      : [
          `${name}: { ${all.map(({ name: key, ...said }) => `${property(key)}: ${valueOf(said)}`).join(', ')} }`,
        ]
  return `{ ${[...part('match', match), ...part('sort', sort), ...part('filters', filters)].join(', ')} }`
}

/** Types of the files of app/Filters. */
function modelLines(project: Project): readonly string[] {
  const { entities } = project
  const values = entities.flatMap((entity) => {
    const said = customFiltersFact.of(entity, project)
    return said === null ? [] : [valuesText(entity, said)]
  })
  return [
    ...values,
    [
      '/** What one repository answers of what requests ask, besides columns. */',
      'export type FiltersFor<Model extends AnyModel, Values extends FilterValues> = Filters<Model, Values, CurrentUser>',
    ].join('\n'),
  ]
}

function valuesText({ name, plural }: Entity, { match, sort, filters }: CustomFilters): string {
  return [
    `/** What requests send that app/Filters/${name}Filters.ts answers of ${remark(plural)}. */`,
    `export interface ${name}FilterValues {`,
    `  match: ${membersText(match)}`,
    `  sort: ${sort.length === 0 ? 'never' : sort.map((each) => literal(each.name)).join(' | ')}`,
    `  filters: ${membersText(filters)}`,
    '}',
    '',
  ].join('\n')
}

const membersText = (all: readonly CustomFilter[]): string =>
  all.length === 0
    ? '{}'
    : `{ ${all.map((each) => `${property(each.name)}: ${typeOfValue(each)}`).join('; ')} }`
