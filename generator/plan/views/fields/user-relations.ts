import type { Column, Relation } from '../../../blueprint/types.js'
import { storedAs } from '../../../kinds/kinds.js'
import { literal } from '../../../source/literal.js'
import type { Project } from '../../project.js'

/** The relations of `auth.user_with`: loaded with the signed-in user. */
export function relationsOfUser({ auth, blueprint }: Project): readonly Relation[] {
  const loaded = new Set(blueprint.userWith ?? [])
  return auth?.relations.filter(({ key }) => loaded.has(key)) ?? []
}

const isMany = ({ kind }: Relation) => /Many$/.test(kind)

/** The type of one in `CurrentUser`. */
export function relationRow(relation: Relation, project: Project): string {
  const { name, columns } = project.entity(relation.target)
  const secrets = columns.filter(isSecret).map((column) => literal(column.name))
  const row = secrets.length === 0 ? name : `Omit<${name}, ${secrets.join(' | ')}>`
  return isMany(relation) ? `readonly ${row.includes('<') ? `(${row})` : row}[]` : `${row} | null`
}

const isSecret = (column: Column) => storedAs(column).isSecret
