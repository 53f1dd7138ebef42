import type { Entity } from '../../blueprint/types.js'
import type { KnownRoute } from '../../plan/routes/routes.js'
import { property } from '../../source/literal.js'
import { pathText, remarkOf, type OperationView } from '../client/function-view.js'
import { matchedValue } from '../client/match-members.js'
import {
  encodedOptions,
  hasCursors,
  hasIncluded,
  type Client,
  type ClientPart,
  type EncodedOption,
} from '../client/names.js'
import { readingOf } from '../client/reading.js'
import { maybe, type MemberView } from '../client/type-text.js'
import { filterType } from '../operators/client.js'
import { comparedColumns, hasLists } from '../operators/comparisons.js'
import { hasRead } from '../reads/feature.js'
import { searchOperation } from './document.js'
import { searchedBy } from './routes.js'
import { treeWords } from './words.js'

export const treesInClient: ClientPart = {
  templates: [
    { path: 'parts/request-search.ts', at: 'requests', view: searchView },
    { path: 'parts/walk-search.ts', at: 'walks', view: searchView },
  ],
  where: (client, entity) => (isSearched(client, entity) ? membersOf(client, entity) : []),
  searchedWith: (client, entity) =>
    hasRead(entity, client.api.project, 'trees') ? whereOf(client, entity) : null,
  functions: (client, route) => searchFunctions(client, route),
}

export interface SearchView {
  /** `include` may be more than a list of paths. */
  readonly hasIncluded: boolean
  readonly encoded: readonly EncodedOption[]
  /** Some lists are walked from where a page ended. */
  readonly hasCursors: boolean
}

function searchView(client: Client): SearchView {
  return {
    hasIncluded: hasIncluded(client),
    encoded: encodedOptions(client),
    hasCursors: client.api.project.entities.some((entity) => hasCursors(client, entity)),
  }
}

const isSearched = ({ api }: Client, entity: Entity) =>
  hasRead(entity, api.project, 'trees') && comparedColumns(entity).length > 0

function membersOf(client: Client, entity: Entity): readonly MemberView[] {
  const where = `${client.name(entity)}Where`
  const member = (name: string, type: string): MemberView => {
    return { property: property(name), isOptional: true, type: maybe(name, type), remark: null }
  }
  const columns = comparedColumns(entity).filter(([{ name }]) => !treeWords.includes(name))
  return [
    member('any', `readonly ${where}[]`),
    member('all', `readonly ${where}[]`),
    member('not', where),
    ...columns.map(([column, comparisons]) => {
      const value = matchedValue(column)
      const list = value.includes('|') ? `(${value})[]` : `${value}[]`
      const lists = hasLists(comparisons) ? [`readonly ${list}`] : []
      return member(column.name, [value, ...lists, filterType(comparisons, value)].join(' | '))
    }),
  ]
}

/** Returns the further type of a list's query, where it is sent in a body. */
export const whereOf = (client: Client, entity: Entity): string =>
  isSearched(client, entity)
    ? ` & { readonly where?: ${client.name(entity)}Where | undefined }`
    : ''

/** A page of what is found, all of it one after the other, and a page from a cursor on. */
function searchFunctions(client: Client, route: KnownRoute): readonly OperationView[] {
  const entity = searchedBy(route)
  const { generics, record, listQuery, walkedQuery } = readingOf(client, [entity])
  const { summary } = searchOperation(client.api, entity)
  const where = whereOf(client, entity)
  const at = pathText(route.path)
  const search: OperationView = {
    ...{ name: 'search', generics, remark: remarkOf(route, summary) },
    parameters: ['api: Api', `query: ${listQuery}${where} = {}`],
    answer: `Promise<Omit<Page<${record}>, 'links'>>`,
    call: `requestSearch(api, ${at}, query)`,
  }
  const isWalkedOn = hasCursors(client, entity)
  const each: OperationView = {
    ...{ ...search, name: 'searchEach', remark: remarkOf(route, `${summary}, page after page`) },
    parameters: ['api: Api', `query: ${walkedQuery}${where} = {}`],
    answer: `Each<${record}>`,
    call: `${isWalkedOn ? 'walkSearchOn' : 'walkSearch'}(api, ${at}, query)`,
  }
  if (!isWalkedOn) return [search, each]
  return [
    search,
    each,
    {
      ...search,
      name: 'searchFrom',
      remark: remarkOf(route, `${summary}, from a cursor on; an empty one is the first page`),
      parameters: ['api: Api', 'cursor: string', `query: ${walkedQuery} & FromCursor${where} = {}`],
      answer: `Promise<Omit<CursorPage<${record}>, 'links'>>`,
      call: `requestSearch(api, ${at}, { ...query, cursor })`,
    },
  ]
}
