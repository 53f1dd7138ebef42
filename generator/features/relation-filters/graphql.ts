import { studly } from '../../blueprint/names/names.js'
import type { Entity } from '../../blueprint/types.js'
import type { Project } from '../../plan/project.js'
import type { FreeName } from '../graphql/names.js'
import { matchMember } from '../graphql/schema-inputs.js'
import {
  type GraphqlFeature,
  type GraphqlPart,
  input,
  isClosed,
  type MemberView,
  type Scope,
  type TypeView,
} from '../graphql/schema-scope.js'
import type { RelationFilter } from './check.js'
import { columnOf, relationFiltersOf } from './filters-of.js'

/**
 * An input for each relation: `match: { seller: { name: "Ada" }, reviews: { exists: false } }`, and beside it
 * `where: { seller: { name: { startsWith: "La" } } }`.
 */
export const relationFiltersInGraphql: GraphqlFeature = {
  part: (project, free) => {
    const matches = namesOf(project, free, 'Match')
    const wheres = namesOf(project, free, 'Where')
    return partOf(matches, wheres)
  },
}

/** By URI key and path, `products.seller`. */
type Names = ReadonlyMap<string, string>

function namesOf(project: Project, free: FreeName, ending: string): Names {
  const names = new Map<string, string>()
  for (const entity of project.entities) {
    const type = project.derived.graphql.types.get(entity.key)
    for (const { name } of type === undefined ? [] : relationFiltersOf(entity, project)) {
      for (const path of headsOf(name)) {
        const key = `${entity.key}.${path}`
        if (!names.has(key))
          names.set(key, free(`${type}${studly(path.replaceAll('.', '_'))}${ending}`, 'Input'))
      }
    }
  }
  return names
}

/**
 * Lists the beginnings of `seller.company.name`: `seller`, and `seller.company`; for `seller`,
 * itself: it has a member `exists`.
 */
function headsOf(name: string): readonly string[] {
  const segments = name.split('.')
  return segments.map((_, at) => segments.slice(0, at + 1).join('.'))
}

/** Objects in objects, down to the columns. */
interface Tree {
  readonly filters: RelationFilter[]
  readonly below: Map<string, Tree>
}

function treeOf(filters: readonly RelationFilter[]): Tree {
  const root: Tree = { filters: [], below: new Map() }
  for (const filter of filters) {
    const segments = filter.name.split('.')
    const heads = filter.asks.kind === 'exists' ? segments : segments.slice(0, -1)
    let here = root
    for (const head of heads) {
      const below = here.below.get(head) ?? { filters: [], below: new Map() }
      here.below.set(head, below)
      here = below
    }
    here.filters.push(filter)
  }
  return root
}

function partOf(matches: Names, wheres: Names): GraphqlPart {
  const types = new Map<string, TypeView>()
  const inputsOf = (
    names: Names,
    tree: Tree,
    path: string,
    leaf: (filter: RelationFilter) => readonly MemberView[],
  ): readonly MemberView[] =>
    [...tree.below].map(([key, below]) => {
      const place = `${path}.${key}`
      const name = names.get(place) ?? place
      // A column of this name says more than whether there is one.
      const hasOwn = below.filters.some(({ name: each }) => each.endsWith('.exists'))
      const leaves = below.filters.filter(({ asks }) => !(hasOwn && asks.kind === 'exists'))
      const members = [...leaves.flatMap(leaf), ...inputsOf(names, below, place, leaf)]
      types.set(name, input(name, members))
      return member(`${key}: ${name}`)
    })
  return {
    matched: (entity, scope) => {
      const tree = treeOf(openFilters(entity, scope))
      return inputsOf(matches, tree, entity.key, (filter) => [matchedBy(filter, scope)])
    },
    compared: (entity, scope, comparisonOf) => {
      const typeOf = ({ asks }: RelationFilter) =>
        'column' in asks ? comparisonOf(asks.owner, asks.column) : null
      const compared = openFilters(entity, scope).filter((filter) => typeOf(filter) !== null)
      types.clear()
      const members = inputsOf(wheres, treeOf(compared), entity.key, (filter) => [
        member(`${columnOf(filter)?.name}: ${typeOf(filter)}`),
      ])
      return { members, types: [...types.values()] }
    },
    types: (scope) => {
      types.clear()
      for (const entity of scope.project.entities) {
        const tree = treeOf(openFilters(entity, scope))
        inputsOf(matches, tree, entity.key, (filter) => [matchedBy(filter, scope)])
      }
      return [...types.values()]
    },
  }
}

function matchedBy({ asks }: RelationFilter, scope: Scope): MemberView {
  if ('column' in asks) return matchMember(asks.owner, asks.column.name, scope)
  return member(asks.kind === 'exists' ? 'exists: Boolean' : `${asks.kind}: String`)
}

/** Lists the filters that some user may send. */
const openFilters = (entity: Entity, scope: Scope): readonly RelationFilter[] =>
  relationFiltersOf(entity, scope.project).filter((filter) => isOpen(filter, scope))

function isOpen({ name, places, relations, asks }: RelationFilter, scope: Scope): boolean {
  // The input has a member of that name already.
  if (name.split('.')[0] === 'not') return false
  const steps = [...relations, ...('morph' in asks ? [asks.morph] : [])]
  const last = places.at(-1) ?? ''
  return (
    places.every((key) => scope.names.has(key)) &&
    steps.every(({ key }, at) => !isClosedTo(scope, places[at] ?? '', key)) &&
    !('column' in asks && asks.owner === last && isClosedTo(scope, last, asks.column.name))
  )
}

const isClosedTo = (scope: Scope, key: string, name: string): boolean =>
  isClosed(scope.project.entity(key), name, 'shown', scope)

const member = (text: string): MemberView => ({ text, description: null })
