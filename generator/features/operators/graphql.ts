import type { Column, Entity } from '../../blueprint/types.js'
import type { Project } from '../../plan/project.js'
import type { FreeName } from '../graphql/names.js'
import { openMatches } from '../graphql/schema-inputs.js'
import {
  type GraphqlFeature,
  type GraphqlPart,
  input,
  type MemberView,
  type Scope,
  typeOf,
  type TypeView,
} from '../graphql/schema-scope.js'
import { hasRead } from '../reads/feature.js'
import {
  comparedColumns,
  comparisonsOf,
  hasLists,
  listWords,
  textWords,
  words,
  type Comparisons,
} from './comparisons.js'

/** A feature's part of the argument `where`. */
interface Comparing {
  readonly has: (entity: Entity, project: Project) => boolean
  /** Words of its own, which columns are not called there. */
  readonly words: readonly string[]
  /** Members of the input of that name, beside columns. */
  readonly members: (where: string) => readonly string[]
}

/** `postList(where: { price: { gte: "5" } })`, beside `match`. */
export const comparisonsInGraphql = (feature: Comparing): GraphqlFeature => ({
  part: (project, free) => {
    const names = whereNames(project, free, feature)
    const inputs = inputsOf.get(free) ?? new Map<string, string>()
    inputsOf.set(free, inputs)
    const inputOf = (base: string) => {
      const name = inputs.get(base) ?? free(base, 'Input')
      inputs.set(base, name)
      return name
    }
    return partOf(names, inputOf, feature)
  },
})

/** One name for each input of a schema, whichever feature asks, and however often. */
const inputsOf = new WeakMap<FreeName, Map<string, string>>()

/** Comparisons are members of trees where the project has those. */
export const operatorsInGraphql = comparisonsInGraphql({
  has: (entity, project) =>
    hasRead(entity, project, 'operators') && !hasRead(entity, project, 'trees'),
  words: [],
  members: () => [],
})

function partOf(
  names: ReadonlyMap<string, string>,
  inputOf: (base: string) => string,
  feature: Comparing,
): GraphqlPart {
  const compared = new Map<string, TypeView>()
  const whereOf = (entity: Entity, scope: Scope) => {
    const name = names.get(entity.key)
    if (name === undefined) return null
    const comparisonOf = (owner: string, column: Column): string | null => {
      const comparisons = comparisonsOf(column)
      if (comparisons === null) return null
      const type = comparedType(owner, column, scope)
      const input = inputOf(baseName(type, comparisons))
      compared.set(input, inputType(input, type, comparisons))
      return input
    }
    const own = openColumns(entity, scope)
      .filter(([column]) => !feature.words.includes(column.name))
      .map(([column]) => member(`${column.name}: ${comparisonOf(entity.key, column)}`))
    const others = scope.parts.flatMap((part) => part.compared?.(entity, scope, comparisonOf) ?? [])
    const members = [...own, ...others.flatMap((each) => each.members)]
    return members.length === 0
      ? null
      : { name, members, types: others.flatMap(({ types }) => types) }
  }
  return {
    listed: (entity, scope) => {
      const where = whereOf(entity, scope)
      return where === null ? [] : [`where: ${where.name}`]
    },
    types: (scope) => {
      const wheres = scope.project.entities.flatMap((entity) => {
        const where = whereOf(entity, scope)
        if (where === null) return []
        const more = feature.members(where.name).map(member)
        return [input(where.name, [...more, ...where.members]), ...where.types]
      })
      return [...wheres, ...compared.values()]
    },
  }
}

const inputType = (name: string, type: string, comparisons: Comparisons): TypeView =>
  input(name, membersOf(type, comparisons))

const whereNames = (
  project: Project,
  free: FreeName,
  { has }: Comparing,
): ReadonlyMap<string, string> =>
  new Map(
    project.entities
      .filter((entity) => has(entity, project))
      .flatMap(({ key }) => {
        const type = project.derived.graphql.types.get(key)
        return type === undefined ? [] : [[key, free(`${type}Where`, 'Input')] as const]
      }),
  )

function openColumns(entity: Entity, scope: Scope): readonly (readonly [Column, Comparisons])[] {
  const open = new Set(openMatches(entity, scope).map(({ column }) => column))
  return comparedColumns(entity).filter(([{ name }]) => open.has(name))
}

/** A float has 15 digits. */
function comparedType(owner: string, column: Column, scope: Scope): string {
  const type = typeOf(owner, column, 'ID', scope)
  const isRounded = type === 'Float' && (column.precision ?? 0) > 15
  return isRounded ? 'String' : type
}

/** `IntComparison`; of texts and ids there are several, by what they may be compared with. */
function baseName(type: string, comparisons: Comparisons): string {
  if (comparisons === 'text') return type === 'String' ? 'TextComparison' : `${type}TextComparison`
  const isText = type === 'String' || type === 'ID'
  return `${isText && comparisons === 'order' ? 'Ordered' : ''}${type}Comparison`
}

function membersOf(type: string, comparisons: Comparisons): readonly MemberView[] {
  return [
    ...words[comparisons].map((word) => `${word}: ${type}`),
    ...(hasLists(comparisons) ? listWords.map((word) => `${word}: [${type}!]`) : []),
    ...(comparisons === 'text' ? textWords.map((word) => `${word}: String`) : []),
    'isNull: Boolean',
  ].map(member)
}

const member = (text: string): MemberView => ({ text, description: null })
