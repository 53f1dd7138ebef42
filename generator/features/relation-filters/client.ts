import { literal, property } from '../../source/literal.js'
import { matchedMembers } from '../client/match-members.js'
import type { ClientPart } from '../client/names.js'
import { maybe, type MemberView } from '../client/type-text.js'
import { columnOf, relationFiltersOf } from './filters-of.js'

/** `match: { 'seller.name': 'Ada', reviews: true }`, each with a minus, too. */
export const relationFiltersInClient: ClientPart = {
  matched: (client, entity) =>
    relationFiltersOf(entity, client.api.project).flatMap((filter) => {
      const { name, type, asks } = filter
      const column = columnOf(filter)
      if (column !== null && type !== 'exists') {
        return matchedMembers(client, entity, { name, column, type })
      }
      if (asks.kind === 'id') return pair(name, 'Some<string | number>')
      if (asks.kind !== 'type') return pair(name, 'boolean')
      return pair(name, `Some<${asks.morph.targets.map(literal).join(' | ')}>`)
    }),
}

const pair = (name: string, type: string): readonly MemberView[] =>
  [name, `-${name}`].map((each) => ({
    property: property(each),
    isOptional: true,
    type: maybe(each, type),
    remark: null,
  }))
