import { formatProblems } from '../../blueprint/problems.js'
import { Refusal } from '../../blueprint/refusal.js'
import type { Blueprint, Column, Entity, Relation } from '../../blueprint/types.js'
import { nearest } from '../../manifest/nearest.js'
import { formMark } from '../../migrations/rows/conversions/form.js'
import { hooksPath, policyPath } from '../../plan/project.js'
import { ownVersion } from '../../source/package-files.js'
import type { Features } from '../context.js'
import { exitCodes } from '../failure.js'
import { readBlueprint } from '../read-blueprint.js'

/** `key`: of the repository that is asked for; absent: all. */
export async function describeManifest(
  root: string,
  features: Features,
  key?: string,
): Promise<{ lines: readonly string[]; json: object; exitCode: number }> {
  const read = await readBlueprint(root, features)
  if ('problems' in read) {
    const { problems } = read
    return { lines: [formatProblems(problems)], json: { problems }, exitCode: exitCodes.problems }
  }
  const { entities, pivots, features: facts, tables: _, ...blueprint } = read.blueprint
  const repositories = entities.filter((entity) => key === undefined || entity.key === key)
  if (repositories.length === 0) throw unknown(key ?? '', read.blueprint)
  return {
    lines: repositories.flatMap((entity) => linesOf(entity, features, read.blueprint)),
    json: {
      svckit: ownVersion,
      ...blueprint,
      ...facts,
      pivots,
      repositories: repositories.map(shown),
    },
    exitCode: exitCodes.done,
  }
}

/** What the database keeps is said by the schema. */
function shown(entity: Entity): Omit<Entity, 'kept'> {
  const { kept: _, ...rest } = entity
  return rest
}

function unknown(key: string, { entities }: Blueprint): Refusal {
  const known = entities.map((entity) => entity.key)
  const meant = nearest(key, known)
  const fix = meant === undefined ? '' : `\n  fix    svc describe ${meant}`
  return new Refusal(`There is no repository '${key}'.\n  known  ${known.join(', ')}${fix}`)
}

function linesOf(entity: Entity, features: Features, blueprint: Blueprint): readonly string[] {
  const { key, name, table, source, isPublic, columns, relations, morphs = [] } = entity
  const owned = columns.filter(({ role }) => role === 'field')
  const links = [
    ...relations.map(relationText),
    ...morphs.map((morph) => `${morph.key} morphTo ${morph.targets.join(', ')}`),
    ...entity.computed.map((each) => `${each.key} computed`),
    ...entity.members.map((each) => `${each.key} member`),
  ]
  const rows = [
    ['fields', owned.map(fieldText)],
    ['related', links],
    ['search', inOne(entity.searchable)],
    ['match', inOne(entity.match.map(({ column, type }) => `${column} ${type}`))],
    ['sort', inOne(entity.sort)],
    ['unique', (entity.unique ?? []).map((group) => group.join(' and '))],
    ['has', features.flatMap(({ has }) => has?.(entity, blueprint) ?? [])],
    ['yours', yoursOf(entity, features, blueprint)],
  ] as const
  return [
    `${key}  ${name}, table ${table}, ${source}${isPublic ? ', read without a token' : ''}`,
    ...rows.flatMap(([title, texts]) => listed(title, texts)),
    '',
  ]
}

const yoursOf = (entity: Entity, features: Features, blueprint: Blueprint): readonly string[] => [
  policyPath(entity),
  ...(entity.hasHooks ? [hooksPath(entity)] : []),
  ...features.flatMap(({ yours }) => yours?.(entity, blueprint) ?? []),
]

const inOne = (texts: readonly string[]) => (texts.length === 0 ? [] : [texts.join(', ')])

const listed = (title: string, texts: readonly string[]): readonly string[] =>
  texts.map((text, at) => `  ${(at === 0 ? title : '').padEnd(8)} ${text}`)

function fieldText({ name, ...column }: Column): string {
  const words = [
    ...(column.stored === undefined ? [] : [`column ${JSON.stringify(column.stored)}`]),
    ...(column.nullable ? ['nullable'] : []),
    ...(column.unique ? ['unique'] : []),
    ...(column.default === undefined ? [] : [`default ${JSON.stringify(column.default)}`]),
    ...(column.hidden ? ['hidden'] : []),
    ...(column.readonly ? ['readonly'] : []),
  ]
  return [name, formMark(column), ...words].join(' ')
}

function relationText(relation: Relation): string {
  const { key, kind, target, foreignKey, pivot, filledBy, feature } = relation
  const through = pivot === null ? '' : `, through ${pivot.table}`
  const filled = filledBy === null ? '' : ', filled by the signed-in user'
  const added = feature === undefined ? '' : `, of ${feature}`
  return `${key} ${kind} ${target} (${foreignKey}${through})${filled}${added}`
}
