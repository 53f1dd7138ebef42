import type { Column, Entity, Relation } from '../../blueprint/types.js'
import { literal, property, valueOf } from '../literal.js'
import type { Project } from '../project.js'
import {
  documentRoute,
  healthRoutes,
  metricsRoute,
  routesOf,
  usualApi,
  apiPath,
  type Does,
  type KnownRoute,
  type Route,
} from '../server-routes.js'
import { isRequired, sampleValue } from './sample.js'

export interface MatrixView {
  /** Row type of the signed-in user, or null. */
  readonly user: string | null
  /** Roles of a new project, each with the expression that makes its user. */
  readonly roles: readonly { readonly name: string; readonly make: string }[]
  /** Names of the repositories, and of one whose rows belong to users, to show how rows are named. */
  readonly keys: readonly string[]
  readonly keyType: string
  readonly example: { readonly key: string; readonly make: string; readonly owner: string } | null
  readonly authKey: string
  readonly decisions: readonly string[]
  readonly relations: readonly string[]
  readonly references: readonly string[]
  readonly hasGraphql: boolean
  /** `Post: 'posts'`: the GraphQL types. */
  readonly types: readonly string[]
}

export function matrixView(project: Project): MatrixView {
  const { auth, entities, graphql, graphqlTypes } = project
  const { enabled } = graphql.settings
  return {
    user: auth?.name ?? null,
    roles: rolesOf(auth),
    keys: entities.map(({ key }) => key),
    keyType: entities.map(({ key }) => literal(key)).join(' | '),
    example: exampleOf(project),
    authKey: auth?.key ?? '',
    decisions: knownRoutes(project).map(decisionOf),
    relations: entities.flatMap((entity) => relationsOf(entity, project)),
    references: entities.flatMap(referencesOf),
    hasGraphql: enabled,
    types: [...graphqlTypes].map(([key, type]) => `${property(type)}: ${literal(key)}`),
  }
}

/** A guest, a user, and one for each boolean such as `is_admin` and each option of a select `role`. */
function rolesOf(auth: Entity | null): MatrixView['roles'] {
  const guest = { name: 'guest', make: 'null' }
  if (auth === null) return [guest]
  const make = (values: string) => `make${auth.name}(${values})`
  const marked = auth.columns.flatMap(({ name, kind, role, options = [] }) => {
    const as = /^is_([a-z]\w*)$/.exec(name)?.[1]
    const isField = role === 'field'
    if (isField && as !== undefined && (kind === 'boolean' || kind === 'toggle')) {
      return [{ name: property(as), make: make(`{ ${name}: true }`) }]
    }
    if (!isField || name !== 'role' || kind !== 'select') return []
    return options.map((option) => ({
      name: property(option),
      make: make(`{ role: ${literal(option)} }`),
    }))
  })
  const taken = new Set(['guest', 'user'])
  const others = marked.filter(({ name }) => !taken.has(name) && taken.add(name))
  return [guest, { name: 'user', make: make('') }, ...others]
}

function exampleOf({ auth, entities }: Project): MatrixView['example'] {
  if (auth === null) return null
  for (const { key, name, columns } of entities) {
    const owner = columns.find(({ references }) => references?.entity === auth.key)
    if (key === auth.key || owner === undefined) continue
    return { key: property(key), make: `make${name}`, owner: property(owner.name) }
  }
  return null
}

/** What `svc routes` lists of svc's own, whatever routes/ registers of it: the test asks what is served. */
function knownRoutes({ blueprint, graphql: { settings } }: Project): readonly KnownRoute[] {
  const api = usualApi(blueprint).flatMap((served) =>
    served.is === 'unread' ? [] : routesOf(served, apiPath, blueprint),
  )
  const graphql = settings.enabled
    ? routesOf({ is: 'svcGraphql', below: '' }, '/graphql', blueprint)
    : []
  const measured = blueprint.metrics === true ? [metricsRoute] : []
  const document = blueprint.openapi === true ? [documentRoute] : []
  return [...api, ...graphql, ...healthRoutes, ...measured, ...document].filter(isKnown)
}

const isKnown = (route: Route): route is KnownRoute => 'does' in route

function decisionOf({ method, path, policy, does }: KnownRoute): string {
  return [method, path, ...wordsOf(does, policy !== null)].map(literal).join(', ')
}

function wordsOf(does: Does, asksPolicy: boolean): readonly string[] {
  switch (does.is) {
    case 'resource':
      return [does.operation, does.entity.key, '']
    case 'related':
      return [does.operation, does.entity.key, does.key]
    case 'pivot':
      return [does.operation, does.entity.key, does.relation.key]
    case 'auth':
      return [asksPolicy ? 'profile' : 'signIn', '', '']
    case 'graphql':
      return ['graphql', '', '']
    default:
      return ['open', '', '']
  }
}

function relationsOf(entity: Entity, project: Project): readonly string[] {
  const written = (key: string, value: Readonly<Record<string, string>>) => {
    const parts = Object.entries(value).map(([name, text]) => `${name}: ${text}`)
    return `${literal(`${entity.key}.${key}`)}: { ${parts.join(', ')} }`
  }
  return [
    ...entity.relations.map((each) => written(each.key, relationOf(each, project))),
    ...(entity.morphs ?? []).map(({ key, targets, foreignKey, morphType }) => {
      const all = `[${targets.map(literal).join(', ')}]`
      return written(key, {
        is: "'pointer'",
        targets: all,
        column: literal(foreignKey),
        type: literal(morphType),
      })
    }),
  ]
}

function relationOf(
  { kind, target, foreignKey, morphType, pivot }: Relation,
  project: Project,
): Readonly<Record<string, string>> {
  const targets = `[${literal(target)}]`
  const type = morphType === null ? {} : { type: literal(morphType) }
  if (pivot === null) {
    const is = kind === 'belongsTo' ? "'pointer'" : "'pointedAt'"
    return { is, targets, column: literal(foreignKey), ...type }
  }
  const { table, relatedKey } = pivot
  const between = { table: literal(table), relatedColumn: literal(relatedKey) }
  const { sides, fields } = project.pivot(table)
  const isText = sides.some(
    ({ column, kind: stored }) => column === foreignKey && stored === 'text',
  )
  const more = { ...between, ...(isText ? { isText: 'true' } : {}), ...pivotValues(fields) }
  return { is: "'pivot'", targets, column: literal(foreignKey), ...type, ...more }
}

/** Pivot fields that a row between cannot do without. */
function pivotValues(fields: readonly Column[]): Readonly<Record<string, string>> {
  const required = fields.filter((field) => isRequired(field))
  if (required.length === 0) return {}
  const all = Object.fromEntries(required.map((field) => [field.name, sampleValue(field)]))
  return { values: valueOf(all) }
}

/** Which repository a column of a body names a record of. */
function referencesOf({ key, columns }: Entity): readonly string[] {
  return columns.flatMap(({ name, references }) =>
    references === undefined ? [] : [key, name, references.entity].map(literal).join(', '),
  )
}
