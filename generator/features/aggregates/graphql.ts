import type { Entity } from '../../blueprint/types.js'
import { storedAs } from '../../kinds/kinds.js'
import type { Project, Surroundings } from '../../plan/project.js'
import type { FreeName } from '../graphql/names.js'
import { lowerFirst } from '../graphql/names.js'
import { narrowingOf } from '../graphql/schema-roots.js'
import {
  type Directive,
  type GraphqlFeature,
  isClosed,
  type MemberView,
  nameOf,
  type Scope,
  typeOf,
  type TypeView,
} from '../graphql/schema-scope.js'
import type { AggregateFunction } from './check.js'
import { aggregatesFact } from './check.js'
import { groupsOf, selectableOf, type Named, type Selectable } from './declared.js'

const functions = ['sum', 'avg', 'min', 'max', 'countDistinct'] as const

/** `postAggregate(groupBy: ["status"]) { group { status } count sum { price } }` */
export const aggregatesInGraphql: GraphqlFeature = {
  part: (project, free) => {
    const names = namesOf(project, free)
    return {
      queries: (entity, scope) => queryOf(entity, names.get(entity.key), scope),
      types: (scope) =>
        project.entities.flatMap((entity) => typesOf(entity, names.get(entity.key), scope)),
      directives: [reads],
    }
  },
  resolver: (entity, project) => resolverOf(entity, project),
}

const reads: Directive = {
  name: 'reads',
  description: 'All rows of a table are read, whatever is answered.',
  text: 'directive @reads(rows: String!) on FIELD_DEFINITION',
}

/** Names of a repository's types. */
interface Names {
  readonly whole: string
  readonly group: string
  readonly of: Readonly<Record<AggregateFunction, string>>
}

function namesOf(project: Project, free: FreeName): ReadonlyMap<string, Names> {
  return new Map(
    project.entities.flatMap((entity) => {
      const type = project.derived.graphql.types.get(entity.key)
      if (type === undefined || aggregatesFact.of(entity, project) === null) return []
      const whole = free(`${type}Aggregate`)
      const of = {
        sum: free(`${whole}Sum`),
        avg: free(`${whole}Avg`),
        min: free(`${whole}Min`),
        max: free(`${whole}Max`),
        countDistinct: free(`${whole}CountDistinct`),
      }
      return [[entity.key, { whole, group: free(`${whole}Group`), of }] as const]
    }),
  )
}

function queryOf(entity: Entity, names: Names | undefined, scope: Scope): readonly MemberView[] {
  if (names === undefined) return []
  const type = nameOf(entity, scope)
  const { first, relations } = scope.project.derived.graphql.settings.schema
  const list = [
    ...(openGroups(entity, scope).length === 0 ? [] : ['groupBy: [String!]', 'tz: String']),
    ...[`first: Int = ${first}`, 'page: Int = 1', 'sort: [String!]'],
    ...(relations ? narrowingOf(entity, type, scope) : []),
    ...scope.parts.flatMap(({ listedAtRoot }) => listedAtRoot?.(entity, scope) ?? []),
  ]
  const field = `${lowerFirst(names.whole)}(${list.join(', ')}): [${names.whole}!]!`
  return [
    {
      text: `${field} @field(resolver: "${type}Resolver@aggregate") @reads(rows: "all")`,
      description: null,
    },
  ]
}

/** Lists the groups that some user may see. */
const openGroups = (entity: Entity, scope: Scope): readonly Named[] => {
  const declared = aggregatesFact.of(entity, scope.project)
  return declared === null
    ? []
    : groupsOf(declared, entity, scope.project).filter((each) => isOpen(each, entity, scope))
}

function openSelectable(entity: Entity, scope: Scope): readonly Selectable[] {
  const declared = aggregatesFact.of(entity, scope.project)
  return declared === null
    ? []
    : selectableOf(declared, entity, scope.project).filter((each) => isOpen(each, entity, scope))
}

function isOpen({ name, owner, column }: Named, entity: Entity, scope: Scope): boolean {
  const [head = ''] = name.split('.')
  const isThrough = owner !== entity || head !== name
  const isHeadClosed = isThrough && isClosed(entity, head, 'shown', scope)
  return !isHeadClosed && !isClosed(owner, column.name, 'shown', scope)
}

function typesOf(entity: Entity, names: Names | undefined, scope: Scope): readonly TypeView[] {
  if (names === undefined) return []
  const groups = openGroups(entity, scope)
  const selectable = openSelectable(entity, scope)
  const inside = functions.flatMap((of) => {
    const all = selectable.filter((each) => each.function === of)
    if (all.length === 0) return []
    const members = all.map((each) => `${memberName(each.name)}: ${valueType(each, scope)}`)
    return [{ of, type: typeOfMembers(names.of[of], members) }]
  })
  const keys = groups.map((each) => `${memberName(each.name)}: ${keyType(each, scope)}`)
  const whole = typeOfMembers(names.whole, [
    ...(keys.length === 0 ? [] : [`group: ${names.group}!`]),
    'count: Int!',
    ...inside.map(({ of, type }) => `${of}: ${type.name}!`),
  ])
  return [
    whole,
    ...(keys.length === 0 ? [] : [typeOfMembers(names.group, keys)]),
    ...inside.map(({ type }) => type),
  ]
}

const typeOfMembers = (name: string, members: readonly string[]): TypeView => ({
  ...{ kind: 'type', name, description: null },
  members: members.map((text) => ({ text, description: null })),
})

/** `category.name` is `category_name`. */
const memberName = (name: string) => name.replaceAll('.', '_')

/** Days of periods are texts, and those of what is grouped as it stands too. A Float rounds decimals. */
const keyType = ({ owner, column }: Named, scope: Scope): string =>
  storedAs(column).isTime || storedAs(column).name === 'decimal'
    ? 'String'
    : typeOf(owner.key, column, 'ID', scope)

function valueType({ owner, column, function: of }: Selectable, scope: Scope): string {
  if (of === 'countDistinct') return 'Int!'
  const { name } = storedAs(column)
  if (of === 'min' || of === 'max') {
    return name === 'decimal' ? 'String' : typeOf(owner.key, column, 'ID', scope)
  }
  // An Int has 32 bits, a Float rounds decimals.
  return name === 'integer' || name === 'float' ? 'Float' : 'String'
}

const resolverOf = (entity: Entity, project: Surroundings) =>
  aggregatesFact.of(entity, project) === null
    ? null
    : {
        imports: [
          { from: '#runtime/features/aggregates/graphql.js', names: ['aggregateResolver'] },
        ],
        lines: [`...aggregateResolver(${entity.name}Repository), // aggregate`],
      }
