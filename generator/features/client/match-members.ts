import type { Column, Entity, Match } from '../../blueprint/types.js'
import { kindOf, storedAs } from '../../kinds/kinds.js'
import { literal, property } from '../../source/literal.js'
import { comparedBy, type Client } from './names.js'
import { maybe, type MemberView } from './type-text.js'

/** By what lists of a repository are matched. */
export const allMatches = (client: Client, entity: Entity): readonly MemberView[] => [
  ...entity.match.flatMap((match) => matchMembers(entity, match, client)),
  ...[...client.parts.values()].flatMap(({ matched }) => matched?.(client, entity) ?? []),
]

/** Found by, and with a minus not by. */
function matchMembers(
  entity: Entity,
  { column: name, type }: Match,
  client: Client,
): readonly MemberView[] {
  const column = entity.columns.find((each) => each.name === name)
  if (column === undefined) return []
  return matchedMembers(client, entity, { name, column, type })
}

/** Returns the match members of columns, under the names that lists have for them. */
export function matchedMembers(
  client: Client,
  entity: Entity,
  {
    name,
    column,
    type,
  }: { readonly name: string; readonly column: Column; readonly type: Match['type'] },
): readonly MemberView[] {
  const text = matchType(column, type)
  const compared = comparedBy(client, entity, column, matchedValue(column))
  const pairs = [[name, [text, ...compared].join(' | ')] as const, [`-${name}`, text] as const]
  return pairs.map(([each, said]) => ({
    property: property(each),
    isOptional: true,
    type: maybe(each, said),
    remark: null,
  }))
}

function matchType(column: Column, type: Match['type']): string {
  const value = matchedValue(column)
  if (type === 'partial') return 'string | null'
  if (type === 'boolean') return 'boolean | null'
  if (type === 'between') return `Range<${value}>`
  return type === 'datetime' ? `${value} | Range<${value}>` : `Some<${value}>`
}

/** One value of a parameter. */
export function matchedValue({ kind, role, options = [], owners = [] }: Column): string {
  if (role === 'morphType') return owners.map(({ entity }) => literal(entity)).join(' | ')
  if (role !== 'field' && role !== 'timestamp')
    return storedAs({ kind }).key?.makes === null ? 'string | number' : 'string'
  return options.length === 0 ? kindOf(kind).client : options.map(literal).join(' | ')
}
