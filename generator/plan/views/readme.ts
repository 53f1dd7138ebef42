import type { Entity, FieldKind } from '../../blueprint/types.js'
import { keyOf } from '../../kinds/kinds.js'
import type { Project } from '../project.js'
import { changeRows, ownFileRows, routeRows, sampleSettings } from '../texts.js'
import { isRequired, sampleValue } from './fields/sample.js'

export interface ReadmeView {
  readonly name: string
  /** As people write it. */
  readonly database: string
  readonly isSqlite: boolean
  /** The files of `runtime/` are in it. */
  readonly ownsRuntime: boolean
  /** package.json asks for the runtime as a tarball in `vendor/`. */
  readonly hasVendor: boolean
  /** Every table of it was there before. */
  readonly isExisting: boolean
  readonly hasAuth: boolean
  readonly hasHooks: boolean
  /** Variables that production needs, as a shell takes them; ends with a space unless empty. */
  readonly settings: string
  /** Repositories that are read without a token, or null. */
  readonly open: string | null
  readonly requests: readonly string[]
  /** Describes what the policies do as svc writes them. */
  readonly policies: readonly string[]
  /** The features' texts, as rows and lines. */
  readonly changes: readonly string[]
  readonly policyChanges: readonly string[]
  readonly routes: readonly string[]
  readonly ownFiles: readonly string[]
  readonly pageSizes: readonly string[]
  readonly operate: readonly string[]
  readonly review: readonly string[]
}

export function readmeView(project: Project): ReadmeView {
  const { name, isSqlite, entities, auth, texts } = project
  return {
    name,
    database: isSqlite ? 'SQLite' : 'PostgreSQL',
    isSqlite,
    ownsRuntime: project.runtime === null,
    hasVendor: project.runtime?.startsWith('file:') === true,
    isExisting: entities.every((entity) => entity.isExisting === true),
    hasAuth: auth !== null,
    hasHooks: entities.some((entity) => entity.hasHooks),
    settings: settingsOf(project),
    open: openRepositories(entities),
    requests: requestsOf(mostTelling(entities), project),
    policies: policiesOf(project),
    changes: changeRows(texts, false),
    policyChanges: changeRows(texts, true),
    routes: routeRows(texts),
    ownFiles: ownFileRows(texts),
    pageSizes: texts.flatMap(({ pageSize }) => pageSize ?? []),
    operate: texts.flatMap(({ operate = [] }) => operate),
    review: texts.flatMap(({ review = [] }) => review),
  }
}

const opened = {
  owner:
    'let the owner of a row read and change it. Where rows have no single owner, they deny everyone',
  'signed-in': 'allow everything to everyone who is signed in; users change only themselves',
  'public-read': 'allow everyone to read, and the owner of a row to change it',
} as const

function policiesOf({ entities, auth }: Project): readonly string[] {
  const [first] = entities.flatMap(({ firstPolicy }) => firstPolicy ?? [])
  if (first === undefined) {
    return [
      'Policies deny everyone until you open them. `newPolicies` in `manifest/index.ts` opens those that you did not edit.',
    ]
  }
  const what =
    first.opens === 'public-read' && auth === null ? 'allow everyone to read' : opened[first.opens]
  return [
    `Policies that you did not edit ${what}: \`newPolicies: '${first.opens}'\` in \`manifest/index.ts\` says so.`,
  ]
}

function settingsOf({ isSqlite, auth, texts }: Project): string {
  const own = sampleSettings(texts)
    .map((setting) => `${setting} `)
    .join('')
  const database = isSqlite ? own : `DATABASE_URL=postgresql://… ${own}`
  const mail = 'FRONTEND_APP_URL=https://example.org MAIL_MAILER=log '
  return auth === null ? database : `${database}${mail}APP_KEY=$(openssl rand -hex 32) `
}

function openRepositories(entities: readonly Entity[]): string | null {
  const keys = entities.filter(({ isPublic }) => isPublic).map(({ key }) => `\`${key}\``)
  return keys.length === 0 ? null : keys.join(', ')
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
      column.role === 'foreign' ? keyIn(column.kind) : sampleValue(column),
    ]),
  )
  const text = JSON.stringify(json).replaceAll("'", "'\\''")
  return [
    `${token}'${path}${exampleQuery(entity)}'`,
    `${token}${path}/${keyIn(entity.id)}`.replace(/\S*<id>/, "'$&'"),
    `${token}--json '${text}' ${path}`,
  ]
}

const keyIn = (kind: FieldKind) => (keyOf(kind).made === null ? '1' : '<id>')

function exampleQuery({ sort, searchable, relations }: Entity): string {
  const parts = [
    ...sort.slice(0, 1).map((column) => `sort=-${column}`),
    ...(searchable.length === 0 ? [] : ['search=a']),
    ...relations.slice(0, 1).map(({ key }) => `include=${key}`),
    'perPage=5',
  ]
  return `?${parts.join('&')}`
}
