import type { Column, Entity } from '../../blueprint/types.js'
import type { Project } from '../project.js'
import { isRequired, sampleValue } from './sample.js'

export interface ReadmeView {
  readonly name: string
  /** As people write it. */
  readonly database: string
  readonly isSqlite: boolean
  /** Every table of it was there before. */
  readonly isExisting: boolean
  readonly hasAuth: boolean
  readonly hasHooks: boolean
  readonly hasOpenapi: boolean
  readonly hasMetrics: boolean
  readonly hasMatrix: boolean
  /** Variables that production needs, as a shell takes them; ends with a space unless empty. */
  readonly settings: string
  /** Where the GraphQL schema and its resolvers are; null: it is switched off. */
  readonly graphqlFolder: string | null
  readonly repositories: readonly RepositoryRow[]
  readonly requests: readonly string[]
}

interface RepositoryRow {
  readonly key: string
  readonly plural: string
  /** What `include` may name, or null. */
  readonly related: string | null
  /** Read without a token. */
  readonly isPublic: boolean
}

export function readmeView(project: Project): ReadmeView {
  const { name, isSqlite, entities, auth, graphql, blueprint } = project
  return {
    name,
    database: isSqlite ? 'SQLite' : 'PostgreSQL',
    isSqlite,
    isExisting: entities.every((entity) => entity.isExisting === true),
    hasAuth: auth !== null,
    graphqlFolder: graphql.settings.enabled ? graphql.settings.output.path : null,
    hasHooks: entities.some((entity) => entity.hasHooks),
    hasOpenapi: blueprint.openapi === true,
    hasMetrics: blueprint.metrics === true,
    hasMatrix: blueprint.authorizationTests === true,
    settings: settingsOf(project),
    repositories: entities.map(repositoryRow),
    requests: requestsOf(mostTelling(entities), project),
  }
}

function settingsOf({ isSqlite, auth }: Project): string {
  const database = isSqlite ? '' : 'DATABASE_URL=postgresql://… '
  const mail = 'FRONTEND_APP_URL=https://example.org MAIL_MAILER=log '
  return auth === null ? database : `${database}${mail}APP_KEY=$(openssl rand -hex 32) `
}

function repositoryRow({
  key,
  plural,
  isPublic,
  relations,
  morphs = [],
  computed,
  members,
}: Entity): RepositoryRow {
  const related = [...relations, ...morphs, ...computed, ...members].map(
    (entry) => `\`${entry.key}\``,
  )
  return { key, plural, isPublic, related: related.length === 0 ? null : related.join(', ') }
}

/** The repository with the most to ask for makes the best examples. */
function mostTelling(entities: readonly Entity[]): Entity | undefined {
  const weight = ({ relations, searchable, sort, match }: Entity) =>
    relations.length * 4 + searchable.length + sort.length + match.length
  return entities.toSorted((a, b) => weight(b) - weight(a))[0]
}

function requestsOf(entity: Entity | undefined, { auth }: Project): readonly string[] {
  if (entity === undefined) return []
  const path = `http://127.0.0.1:3000/api/svc/${entity.key}`
  const token = auth === null ? '' : '-H "Authorization: Bearer $TOKEN" '
  const body = entity.columns.filter((column) => isRequired(column) && !column.readonly)
  const json = Object.fromEntries(
    body.map((column) => [
      column.name,
      column.role === 'foreign' ? keyOf(column) : sampleValue(column),
    ]),
  )
  const text = JSON.stringify(json).replaceAll("'", "'\\''")
  return [
    `${token}'${path}${exampleQuery(entity)}'`,
    `${token}${path}/${entity.id === 'uuid' ? '<id>' : '1'}`.replace(/\S*<id>/, "'$&'"),
    `${token}--json '${text}' ${path}`,
  ]
}

const keyOf = ({ kind }: Column) => (kind === 'uuid' ? '<id>' : '1')

function exampleQuery({ sort, searchable, relations }: Entity): string {
  const parts = [
    ...sort.slice(0, 1).map((column) => `sort=-${column}`),
    ...(searchable.length === 0 ? [] : ['search=a']),
    ...relations.slice(0, 1).map(({ key }) => `include=${key}`),
    'perPage=5',
  ]
  return `?${parts.join('&')}`
}
