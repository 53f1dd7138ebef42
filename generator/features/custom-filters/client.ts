import { property } from '../../source/literal.js'
import type { Client, ClientPart } from '../client/names.js'
import type { MemberView } from '../client/type-text.js'
import type { CustomFilter } from './check.js'
import { customFiltersFact } from './check.js'
import { typeOfValue } from './declared-of.js'

/** `match: { popular: true }`, and `filters: { ready: true }`, which the client encodes. */
export const customFiltersInClient: ClientPart = {
  matched: ({ api }, entity) =>
    (customFiltersFact.of(entity, api.project)?.match ?? []).map((each) => memberOf(each)),
  asked: ({ api }, entity) => {
    const { filters = [] } = customFiltersFact.of(entity, api.project) ?? {}
    if (filters.length === 0) return []
    const members = filters.map((each) => {
      const { property: name, type } = memberOf(each)
      return `readonly ${name}?: ${type} | undefined`
    })
    return [
      {
        property: 'filters',
        isOptional: true,
        type: `{ ${members.join('; ')} }`,
        remark: 'All of them hold.',
      },
    ]
  },
  encodes: (client) => (hasFilters(client) ? [encoded] : []),
  templates: [
    {
      path: 'parts/encoded-filters.ts',
      at: 'helpers',
      view: (client) => (hasFilters(client) ? {} : null),
    },
  ],
}

const memberOf = (filter: CustomFilter): MemberView => ({
  property: property(filter.name),
  isOptional: true,
  type: typeOfValue(filter),
  remark: filter.description ?? filter.label ?? null,
})

const encoded = {
  name: 'filters',
  inQuery: 'encoded(filters)',
  inBody: 'askedFilters(filters)',
}

const hasFilters = ({ api }: Client): boolean =>
  api.project.entities.some(
    (entity) => (customFiltersFact.of(entity, api.project)?.filters ?? []).length > 0,
  )
