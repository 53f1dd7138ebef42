import type { Entity } from '../../../blueprint/types.js'
import type { Project } from '../../../plan/project.js'
import { inputTypes } from '../schema-inputs.js'
import { outputMembers } from '../schema-members.js'
import { mutationsOf, queriesOf } from '../schema-roots.js'
import {
  descriptionIn,
  type Directive,
  type MemberView,
  nameOf,
  type Scope,
  scopeOf,
  type TypeView,
} from '../schema-scope.js'
import type { Union } from '../unions.js'

export interface GraphqlSchemaView {
  readonly scalars: readonly string[]
  readonly directives: readonly Directive[]
  readonly queries: readonly MemberView[]
  readonly mutations: readonly MemberView[]
  readonly types: readonly (TypeView & { readonly union: string | null })[]
}

export function graphqlSchemaView(project: Project): GraphqlSchemaView {
  const scope = scopeOf(project)
  const { output, schema } = project.derived.graphql.settings
  const entities = project.entities.filter(({ key }) => scope.names.has(key))
  const queries = entities.flatMap((entity) => queriesOf(entity, scope))
  const mutations = schema.mutations ? entities.flatMap((entity) => mutationsOf(entity, scope)) : []
  const records = entities.flatMap((entity) => typesOf(entity, scope))
  const types = [
    ...records,
    ...(schema.relations ? scope.unions.map(unionType) : []),
    ...namedTypes(scope, [...records.flatMap(({ members }) => members), ...queries, ...mutations]),
  ]
  const byName = output.sort === 'name'
  const sort = <Item>(items: readonly Item[], name: (item: Item) => string) =>
    byName ? items.toSorted((a, b) => (name(a) < name(b) ? -1 : 1)) : items
  const hasDirective = (name: string) =>
    [...queries, ...types.flatMap(({ members }) => members)].some(({ text }) =>
      text.includes(`@${name}(`),
    )
  return {
    scalars: scalarsIn(types, [...queries, ...mutations]),
    directives: scope.parts
      .flatMap(({ directives = [] }) => directives)
      .filter(({ name }) => hasDirective(name)),
    queries: sort(queries, ({ text }) => text),
    mutations: sort(mutations, ({ text }) => text),
    types: sort(types, ({ name }) => name).map((each) => ({ union: null, ...each })),
  }
}

const unionType = ({ name, types }: Union): TypeView => ({
  kind: 'union',
  name,
  description: null,
  members: [],
  union: types.join(' | '),
})

function typesOf(entity: Entity, scope: Scope): readonly TypeView[] {
  const record = {
    kind: 'type',
    name: nameOf(entity, scope),
    description: descriptionIn(entity.description, scope),
    members: outputMembers(entity, scope),
  }
  return [record, ...inputTypes(entity, scope)]
}

/** Lists the other types that these members name, or that one of those names. */
function namedTypes(scope: Scope, members: readonly MemberView[]): readonly TypeView[] {
  const plain = (kind: string, name: string, texts: readonly string[]): TypeView => ({
    kind,
    name,
    description: null,
    members: texts.map((text) => ({ text, description: null })),
  })
  const candidates = [
    ...scope.parts.flatMap((part) => part.types?.(scope) ?? []),
    ...[...scope.answers.values()].flatMap(({ objects }) =>
      objects.map(({ name, members: texts }) => plain('type', name, texts)),
    ),
    ...[...scope.enums.values()].map(({ name, values }) => plain('enum', name, values)),
  ]
  const byName = new Map(candidates.map((type) => [type.name, type]))
  const found = new Set<TypeView>()
  const add = (list: readonly MemberView[]) => {
    for (const word of list.flatMap(({ text }) => text.match(/\w+/g) ?? [])) {
      const type = byName.get(word)
      if (type === undefined || found.has(type)) continue
      found.add(type)
      add(type.members)
    }
  }
  add(members)
  return [...byName.values()].filter((type) => found.has(type))
}

const builtIn = new Set(['String', 'Int', 'Float', 'Boolean', 'ID'])

/** Types that are named and not declared: JSON, and those of the config. */
function scalarsIn(types: readonly TypeView[], roots: readonly MemberView[]): readonly string[] {
  const declared = new Set(types.map(({ name }) => name))
  const named = [{ members: roots }, ...types].flatMap(({ members }) =>
    members.map(({ text }) => /: \[*(\w+)[!\]]*(?: @.*)?$/.exec(text)?.[1] ?? 'String'),
  )
  return [...new Set(named)].filter((name) => !builtIn.has(name) && !declared.has(name)).toSorted()
}
