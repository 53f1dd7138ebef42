import type { Entity } from '../../blueprint/types.js'
import type { Project, Surroundings } from '../../plan/project.js'
import { bulkFact } from '../bulk/check.js'
import type { FreeName } from '../graphql/names.js'
import { inputName, inputTypes } from '../graphql/schema-inputs.js'
import {
  type GraphqlFeature,
  input,
  type MemberView,
  nameOf,
  type Scope,
  type TypeView,
} from '../graphql/schema-scope.js'
import type { Key } from './check.js'
import { upsertFact } from './check.js'

/** `upsertProduct(by: sku, input: { … })`, and `upsertProductList` where there are lists in one request. */
export const upsertInGraphql: GraphqlFeature = {
  part: (project, free) => {
    const names = namesOf(project, free)
    return {
      mutations: (entity, scope) => mutationsOf(entity, names.get(entity.key), scope),
      types: (scope) =>
        project.entities.flatMap((entity) => typesOf(entity, names.get(entity.key), scope)),
    }
  },
  resolver: (entity, project) => resolverOf(entity, project),
}

/** Names of a repository's types. */
interface Names {
  /** Its keys. */
  readonly key: string
  /** The input that creates a record, or changes it. */
  readonly input: string
}

function namesOf(project: Project, free: FreeName): ReadonlyMap<string, Names> {
  return new Map(
    project.entities.flatMap((entity) => {
      const type = project.derived.graphql.types.get(entity.key)
      if (type === undefined || upsertFact.of(entity, project) === null) return []
      return [[entity.key, { key: free(`${type}Key`), input: free(`${type}UpsertInput`) }]]
    }),
  )
}

function mutationsOf(
  entity: Entity,
  names: Names | undefined,
  scope: Scope,
): readonly MemberView[] {
  if (names === undefined) return []
  const type = nameOf(entity, scope)
  const member = (text: string, method: string): MemberView => ({
    text: `${text} @field(resolver: "${type}Resolver@${method}")`,
    description: null,
  })
  const by = `by: ${names.key}!`
  const one = `upsert${type}(${by}, input: ${names.input}!): ${type}!`
  const many = `upsert${type}List(${by}, input: [${names.input}!]!): [${type}!]!`
  return [
    member(one, 'upsert'),
    ...(bulkFact.of(entity, scope.project) === null ? [] : [member(many, 'upsertList')]),
  ]
}

function typesOf(entity: Entity, names: Names | undefined, scope: Scope): readonly TypeView[] {
  if (names === undefined) return []
  const keys = upsertFact.of(entity, scope.project) ?? []
  const members = keys.map((key) => ({ text: memberOf(key, keys), description: null }))
  const all = [...besides(entity, scope), ...fieldsOf(entity, scope)]
  return [{ kind: 'enum', name: names.key, description: null, members }, input(names.input, all)]
}

/** `company_id_code`; `a_b__c` where `a` and `b_c` are a key as well: the server reads it so. */
function memberOf(key: Key, keys: readonly Key[]): string {
  const name = key.join('_')
  return keys.filter((each) => each.join('_') === name).length === 1 ? name : key.join('__')
}

/**
 * Returns the fields that either write takes; which one it is, and its required fields, is known
 * when the record is looked for.
 */
function fieldsOf(entity: Entity, scope: Scope): readonly MemberView[] {
  const types = inputTypes(entity, scope)
  const fields = new Map<string, MemberView>()
  for (const write of ['store', 'patch'] as const) {
    const name = inputName(entity, write, scope)
    for (const member of types.find((type) => type.name === name)?.members ?? []) {
      const [field = ''] = member.text.split(':')
      fields.set(field, { ...member, text: optional(member.text) })
    }
  }
  return [...fields.values()]
}

/** Lists the members of a record besides its fields: a new one has none. */
const besides = (entity: Entity, scope: Scope): readonly MemberView[] =>
  scope.parts
    .flatMap(({ inRows }) => inRows?.(entity, scope) ?? [])
    .map((text) => ({ text: optional(text), description: null }))

const optional = (text: string) => text.replace(/!( @|$)/, '$1')

function resolverOf(entity: Entity, project: Surroundings) {
  if (upsertFact.of(entity, project) === null) return null
  if (!project.derived.graphql.settings.schema.mutations) return null
  const bulk = bulkFact.of(entity, project)
  const options = (bulk?.max ?? null) === null ? '' : `, { max: ${bulk?.max} }`
  const folder = '#runtime/features/upsert'
  const repository = `${entity.name}Repository`
  return {
    imports: [
      { from: `${folder}/graphql.js`, names: ['upsertResolver'] },
      ...(bulk === null
        ? []
        : [{ from: `${folder}/many-graphql.js`, names: ['upsertManyResolver'] }]),
    ],
    lines: [
      `...upsertResolver(${repository}), // upsert`,
      ...(bulk === null ? [] : [`...upsertManyResolver(${repository}${options}), // upsertList`]),
    ],
  }
}
