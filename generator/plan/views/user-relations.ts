import type { Column, Relation } from '../../blueprint/types.js'
import { literal, property } from '../literal.js'
import type { Project } from '../project.js'
import { storageOf } from './storage.js'

/** What `auth.user_with` names, as `LoadedRelation` of runtime/features/sign-in/users.ts. */
export function userRelations(project: Project) {
  return relationsOfUser(project).map((relation) => ({
    property: property(relation.key),
    text: relationText(relation, project),
  }))
}

/** The relations themselves, for the type of the signed-in user. */
export function relationsOfUser({ auth, blueprint }: Project): readonly Relation[] {
  const wanted = new Set(blueprint.userWith ?? [])
  return auth?.relations.filter(({ key }) => wanted.has(key)) ?? []
}

const isMany = ({ kind }: Relation) => /Many$/.test(kind)

/** The type of one in `CurrentUser`. */
export function relationRow(relation: Relation, project: Project): string {
  const { name, columns } = project.entity(relation.target)
  const secrets = columns.filter(isSecret).map((column) => literal(column.name))
  const row = secrets.length === 0 ? name : `Omit<${name}, ${secrets.join(' | ')}>`
  return isMany(relation) ? `readonly ${row.includes('<') ? `(${row})` : row}[]` : `${row} | null`
}

const isSecret = ({ kind }: Column) => kind === 'password'

function relationText(relation: Relation, project: Project): string {
  const { key, table } = project.auth ?? { key: '', table: '' }
  const target = project.entity(relation.target)
  const columns = target.columns
    .filter((column) => !isSecret(column))
    .map((column) => `${property(column.name)}: ${literal(storageOf(column))}`)
  const parts = [
    `table: ${literal(target.table)}`,
    `columns: { ${columns.join(', ')} }`,
    `many: ${isMany(relation)}`,
    ...way(relation),
    ...(relation.morphType === null
      ? []
      : [`type: [${literal(relation.morphType)}, ${literal(key)}]`]),
  ]
  return table === '' ? '{}' : `{ ${parts.join(', ')} }`
}

function way({ kind, foreignKey, pivot }: Relation): readonly string[] {
  if (kind === 'belongsTo') return [`owner: ${literal(foreignKey)}`]
  if (pivot === null) return [`foreignKey: ${literal(foreignKey)}`]
  const { table, relatedKey } = pivot
  const columns = [table, foreignKey, relatedKey].map(literal)
  const [tableText = '', foreignText = '', relatedText = ''] = columns
  return [
    `pivot: { table: ${tableText}, foreignKey: ${foreignText}, relatedKey: ${relatedText} }`,
  ]
}
