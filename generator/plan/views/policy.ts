import type { Entity, Relation } from '../../blueprint/types.js'
import type { Surroundings } from '../project.js'
import { firstPivotRule, firstRules } from './first-rules.js'

export interface PolicyView {
  readonly imports: readonly string[]
  /** What the file does as svc writes it. */
  readonly opening: string
  /** Sentences about what is open at first; none where nothing is. */
  readonly remarks: readonly string[]
  readonly show: string
  readonly store: string
  readonly update: string
  readonly delete: string
  readonly name: string
  readonly plural: string
  readonly hasUsers: boolean
  /** Its rows are the users. */
  readonly signsIn: boolean
  /** A condition for rows of one's own, as an example; null when nothing points at the user. */
  readonly own: string | null
  readonly manyToMany: readonly ManyToManyView[]
}

interface ManyToManyView {
  /** The relation as policy methods name it: `Users` in `attachUsers`. */
  readonly suffix: string
  readonly related: string
  /** Names for the arguments, in the examples. */
  readonly arguments: string
  readonly row: string
  readonly rule: string
}

export function policyView(entity: Entity, project: Surroundings): PolicyView {
  return {
    ...firstRules(entity, project),
    imports: [`${entity.name}Model`, 'PolicyFor'].toSorted(),
    name: entity.name,
    plural: entity.plural,
    hasUsers: project.auth !== null,
    signsIn: entity.key === project.auth?.key,
    own: ownCondition(entity, project),
    manyToMany: entity.relations
      .filter((relation) => relation.pivot !== null)
      .map((relation) => manyToManyView(entity, relation, project)),
  }
}

function ownCondition(entity: Entity, project: Surroundings): string | null {
  if (project.auth === null) return null
  if (entity.key === project.auth.key) return '{ id: user?.id }'
  const owner = entity.columns.find((column) => column.references?.entity === project.auth?.key)
  return owner === undefined ? null : `{ ${owner.name}: user?.id }`
}

function manyToManyView(entity: Entity, relation: Relation, project: Surroundings): ManyToManyView {
  const target = project.entity(relation.target)
  // The user comes first; users among users must not be called the same.
  const row = entity.variable === 'user' ? 'row' : entity.variable
  const related = ['user', row].includes(target.variable) ? 'related' : target.variable
  return {
    suffix: suffixOf(relation.key),
    related: target.plural,
    row,
    arguments: `user, ${row}, ${related}`,
    rule: firstPivotRule(entity, row, [entity.key, target.key].includes(project.auth?.key ?? '')),
  }
}

/** `blog_posts` → `BlogPosts`, as the runtime names the methods (`Studly` in runtime/features/pivots/pivot-types.ts). */
export const suffixOf = (key: string) =>
  key
    .split(/[-_]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
