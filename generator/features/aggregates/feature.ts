import type { Blueprint, Entity } from '../../blueprint/types.js'
import type { Advice } from '../../plan/advice/advice.js'
import { literal } from '../../source/literal.js'
import type { Feature } from '../../write/feature.js'
import { aggregatesCheck, aggregatesFact } from './check.js'
import { groupsOf } from './declared.js'
import { aggregatesInGraphql } from './graphql.js'
import { aggregatesReader } from './reader.js'
import { aggregateRoutesOf } from './routes.js'

const folder = '#runtime/features/aggregates'

export const aggregates: Feature = {
  name: 'aggregates',
  check: aggregatesCheck,
  reader: aggregatesReader,
  entitySlots: (entity, project) => {
    const said = aggregatesFact.of(entity, project)
    if (said === null) return {}
    const list = (names: readonly string[]) => `[${names.map(literal).join(', ')}]`
    const options = `{ groupBy: ${list(said.groupBy)}, of: ${list(said.of)} }`
    return {
      imports: {
        'app/Repositories/NameRepository.ts': [
          { from: `${folder}/aggregates.js`, names: ['aggregates'] },
        ],
        'app/Http/Controllers/NameController.ts': [
          { from: `${folder}/routes.js`, names: ['aggregateRoutes'] },
        ],
      },
      repository_extensions: [`aggregates(${options})`],
      controller_routes_first: [`.route('/', aggregateRoutes(${entity.name}Repository))`],
    }
  },
  entityRoutes: aggregateRoutesOf,
  has: (entity, blueprint) => {
    const said = aggregatesFact.in(blueprint, entity)
    if (said === null) return null
    const groups = said.groupBy.length === 0 ? '' : ` by ${said.groupBy.join(', ')}`
    return `aggregates${groups}${said.of.length === 0 ? '' : ` of ${said.of.join(', ')}`}`
  },
  advice: (blueprint) => blueprint.entities.flatMap((entity) => unindexed(entity, blueprint)),
  graphql: aggregatesInGraphql,
  client: async () => (await import('./client.js')).aggregatesInClient,
  document: async () => (await import('./document.js')).aggregatesInDocument,
}

/** Groups that no index has in their order: all rows are sorted for them. */
function unindexed(entity: Entity, blueprint: Blueprint): readonly Advice[] {
  const said = aggregatesFact.in(blueprint, entity)
  if (said === null) return []
  const entityOf = (key: string) => blueprint.entities.find((each) => each.key === key) ?? entity
  return groupsOf(said, entity, { entity: entityOf })
    .filter(({ owner, column }) => owner === entity && !hasIndex(entity, column))
    .map(({ column: { name } }) => ({
      rule: 'unindexed-group',
      at: entity.source,
      message: `grouping '${entity.key}' by '${name}' reads and sorts every row`,
      fix: `indexes: [['${name}']] in '${entity.key}', where it has many rows`,
    }))
}

const hasIndex = (
  { indexes = [], unique = [] }: Entity,
  { name, indexed, unique: isUnique, role }: Entity['columns'][number],
) =>
  indexed || isUnique || role === 'id' || [...indexes, ...unique].some(([first]) => first === name)
