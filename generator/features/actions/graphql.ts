import { studly } from '../../blueprint/names/names.js'
import type { Column, Entity } from '../../blueprint/types.js'
import type { Project, Surroundings } from '../../plan/project.js'
import { answerTypeOf, type AnswerType } from '../graphql/answer-types.js'
import type { FreeName } from '../graphql/names.js'
import { lowerFirst } from '../graphql/names.js'
import {
  descriptionIn,
  type GraphqlFeature,
  input,
  type MemberView,
  nameOf,
  type Scope,
  typeOf,
  type TypeView,
} from '../graphql/schema-scope.js'
import {
  actionsFact,
  capitalized,
  type DeclaredAction,
  type DeclaredGetter,
  isRequired,
} from './check.js'

/** `publishPostList(ids, input)`, `publishPost(id, input)`, and getters as members of the type. */
export const actionsInGraphql: GraphqlFeature = {
  part: (project, free) => {
    const names = namesOf(project, free)
    const namesIn = (entity: Entity) => names.get(entity.key)
    return {
      shown: (entity, scope) =>
        namesIn(entity)?.getters.flatMap(({ getter, answer }) =>
          getter.on === 'one' ? [getterMember(entity, getter, answer, scope)] : [],
        ) ?? [],
      queries: (entity, scope) =>
        namesIn(entity)?.getters.flatMap(({ getter, answer }) =>
          getter.on === 'none' ? [getterQuery(entity, getter, answer, scope)] : [],
        ) ?? [],
      mutations: (entity, scope) =>
        namesIn(entity)?.actions.flatMap((each) =>
          mutationsOf(entity, each, namesIn(entity)?.key ?? '', scope),
        ) ?? [],
      types: (scope) =>
        project.entities.flatMap((entity) => typesOf(entity, namesIn(entity), scope)),
    }
  },
  resolver: (entity, project) => resolverOf(entity, project),
}

/** The types of a repository's actions and getters. */
interface Names {
  readonly actions: readonly { readonly action: DeclaredAction; readonly input: string }[]
  readonly getters: readonly { readonly getter: DeclaredGetter; readonly answer: AnswerType }[]
  /** A record by its id and what it says besides. */
  readonly key: string
}

function namesOf(project: Project, free: FreeName): ReadonlyMap<string, Names> {
  return new Map(
    project.entities.flatMap((entity) => {
      const type = project.derived.graphql.types.get(entity.key)
      const said = actionsFact.of(entity, project)
      if (type === undefined || said === null) return []
      const actions = said.actions.map((action) => ({
        action,
        input: free(`${type}${capitalized(action.name)}Input`),
      }))
      const getters = said.getters.map((getter) => ({
        getter,
        answer: answerTypeOf(getter.answer, `${type}${capitalized(getter.name)}`, free),
      }))
      return [[entity.key, { actions, getters, key: free(`${type}ActionKey`) }] as const]
    }),
  )
}

const resolved = (text: string, type: string, method: string, description: string | null) => ({
  text: `${text} @field(resolver: "${type}Resolver@${method}")`,
  description,
})

function getterMember(
  entity: Entity,
  { name, description, label }: DeclaredGetter,
  { type }: AnswerType,
  scope: Scope,
): MemberView {
  const text = descriptionIn(description ?? label, scope)
  return resolved(`${name}: ${type}`, nameOf(entity, scope), `get${capitalized(name)}`, text)
}

function getterQuery(
  entity: Entity,
  { name, description, label }: DeclaredGetter,
  answer: AnswerType,
  scope: Scope,
): MemberView {
  const type = nameOf(entity, scope)
  const text = descriptionIn(description ?? label, scope)
  const field = `${lowerFirst(type)}${capitalized(name)}: ${answer.type}`
  return resolved(field, type, `get${capitalized(name)}`, text)
}

function mutationsOf(
  entity: Entity,
  { action, input: inputType }: Names['actions'][number],
  key: string,
  scope: Scope,
): readonly MemberView[] {
  const { name, on, input: columns, description, label } = action
  const type = nameOf(entity, scope)
  const text = descriptionIn(description ?? label, scope)
  const bang = columns.some(isRequired) ? '!' : ''
  const sent = columns.length === 0 ? [] : [`input: ${inputType}${bang}`]
  const more = scope.parts.flatMap(({ changed }) => changed?.(entity, scope, 'other') ?? [])
  const ids = membersOf(entity, scope).length === 0 ? 'ids: [ID!]!' : `records: [${key}!]!`
  const member = (field: string, given: readonly string[], method: string) =>
    resolved(
      `${field}${given.length === 0 ? '' : `(${given.join(', ')})`}: JSON`,
      ...([type, method, text] as const),
    )
  const method = `run${capitalized(name)}`
  if (on === 'none') return [member(`${name}${studly(entity.key)}`, sent, method)]
  return [
    ...(on === 'many' ? [member(`${name}${type}List`, [ids, ...sent], `${method}List`)] : []),
    member(`${name}${type}`, ['id: ID!', ...more, ...sent], method),
  ]
}

/** Lists the members of each record besides its id. */
const membersOf = (entity: Entity, scope: Scope): readonly string[] =>
  scope.parts.flatMap(({ inRows }) => inRows?.(entity, scope) ?? [])

function typesOf(entity: Entity, names: Names | undefined, scope: Scope): readonly TypeView[] {
  if (names === undefined) return []
  const members = (texts: readonly string[]) => texts.map((text) => ({ text, description: null }))
  const inputs = names.actions.flatMap(({ action, input: name }) =>
    action.input.length === 0
      ? []
      : [
          input(
            name,
            action.input.map((column) => inputMember(entity, column, scope)),
          ),
        ],
  )
  const answers = names.getters.flatMap(({ answer: { objects } }) =>
    objects.map(({ name, members: texts }) => ({
      ...{ kind: 'type', name, description: null },
      members: members(texts),
    })),
  )
  const key = members(['id: ID!', ...membersOf(entity, scope)])
  return [...inputs, input(names.key, key), ...answers]
}

/** A column of no table: what the config says of types by name is not about it. */
const inputMember = (entity: Entity, column: Column, scope: Scope): MemberView => ({
  text: `${column.name}: ${typeOf(`${entity.key} action`, column, 'ID', scope)}${isRequired(column) ? '!' : ''}`,
  description: descriptionIn(column.description, scope),
})

function resolverOf(entity: Entity, project: Surroundings) {
  const said = actionsFact.of(entity, project)
  if (said === null) return null
  const { mutations } = project.derived.graphql.settings.schema
  const methods = [
    ...(mutations ? said.actions.map(({ name }) => name) : []),
    ...said.getters.map(({ name }) => name),
  ]
  if (methods.length === 0) return null
  return {
    imports: [{ from: '#runtime/features/actions/graphql.js', names: ['actionResolver'] }],
    lines: [`...actionResolver(${entity.name}Repository), // ${methods.join(', ')}`],
  }
}
