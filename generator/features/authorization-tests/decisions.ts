import type { Column, Entity, Relation } from '../../blueprint/types.js'
import type { Project } from '../../plan/project.js'
import { ownRoutes } from '../../plan/routes/own-routes.js'
import type { Does, KnownRoute } from '../../plan/routes/routes.js'
import { apiFile, healthRoutes, usualRoutes } from '../../plan/routes/server-routes.js'
import { isRequired, sampleValue } from '../../plan/views/fields/sample.js'
import { rowOfUser } from '../../plan/views/tested.js'
import { literal, property, valueOf } from '../../source/literal.js'

export const decisionImports = [
  { from: '#runtime/testing/authorization/decided.js', names: ['Decided'], isType: true },
  { from: '#runtime/testing/authorization/roles.js', names: ['* as testing'], isType: true },
]

/** Lines of tests/repositories.ts: what roles.ts may say, and what svc decided to serve. */
export function decisionLines(project: Project): readonly string[] {
  const { auth, entities, derived } = project
  const { settings, types } = derived.graphql
  const keys = entities.map(({ key }) => literal(key))
  const user = rowOfUser(project)
  const named = [...types].map(([key, type]) => `${property(type)}: ${literal(key)}`)
  return [
    `export type Key = ${keys.join(' | ')}`,
    '',
    '// What roles.ts may say, in the words of this project.',
    `export type Roles = testing.Roles<${user}>`,
    ...['World', 'Bodies', 'Own'].map(
      (name) => `export type ${name} = testing.${name}<Key, ${user}>`,
    ),
    '',
    '/** Routes that svc decided to serve, for the tests to compare with the server. */',
    'export const decided: Decided = {',
    `keys: [${keys.join(', ')}],`,
    `signsIn: ${auth === null ? 'null' : literal(auth.key)},`,
    ...['routes: [', ...knownRoutes(project).map((route) => `[${decisionOf(route)}],`), '],'],
    ...['relations: {', ...entities.flatMap((each) => relationsOf(each, project)), '},'],
    ...['references: [', ...entities.flatMap(referencesOf).map((each) => `[${each}],`), '],'],
    ...(settings.enabled ? [`types: { ${named.join(', ')} },`] : []),
    '}',
  ]
}

/**
 * Lists svc's own routes as `svc routes` does, whatever routes/ and config/ make of them: the test
 * asks the server.
 */
function knownRoutes(project: Project): readonly KnownRoute[] {
  const files = [apiFile, ...project.features.flatMap(({ routesFile }) => routesFile ?? [])]
  return [
    ...files.flatMap((file) => usualRoutes(file, project)),
    ...healthRoutes,
    ...ownRoutes({ ...project, facts: {} }),
  ]
}

function decisionOf({ method, path, policy, does }: KnownRoute): string {
  return [method, path, ...wordsOf(does, policy !== null)].map(literal).join(', ')
}

function wordsOf(does: Does, asksPolicy: boolean): readonly string[] {
  switch (does.is) {
    case 'resource':
      return [does.operation, does.entity.key]
    case 'related':
      return [does.operation, does.entity.key, does.key]
    case 'health':
      return ['open']
    case 'feature':
      if (does.feature === 'signIn') return [asksPolicy ? 'profile' : 'signIn']
      if (does.feature === 'graphql') return ['graphql']
      if (does.entity === undefined || !asksPolicy) return ['open']
      return [does.operation, does.entity.key, ...(does.key === undefined ? [] : [does.key])]
  }
}

function relationsOf(entity: Entity, project: Project): readonly string[] {
  const written = (key: string, value: Readonly<Record<string, string>>) => {
    const parts = Object.entries(value).map(([name, text]) => `${name}: ${text}`)
    return `${literal(`${entity.key}.${key}`)}: { ${parts.join(', ')} },`
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

/** Finds the repository that a column of a body points at. */
function referencesOf({ key, columns }: Entity): readonly string[] {
  return columns.flatMap(({ name, references }) =>
    references === undefined ? [] : [key, name, references.entity].map(literal).join(', '),
  )
}
