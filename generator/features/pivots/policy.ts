import { suffixOf } from '../../blueprint/names/names.js'
import type { Entity, Relation } from '../../blueprint/types.js'
import type { Surroundings } from '../../plan/project.js'
import { nobody, signedIn } from '../../plan/views/fields/first-rules.js'

/** Returns the policy's methods for the many-to-many relations of its repository. */
export const pivotMethods = (entity: Entity, project: Surroundings): readonly string[] =>
  entity.relations
    .filter(({ pivot }) => pivot !== null)
    .map((relation) => methodsOf(entity, relation, project))

function methodsOf(entity: Entity, relation: Relation, project: Surroundings): string {
  const target = project.entity(relation.target)
  const suffix = suffixOf(relation.key)
  // The user comes first; users among users must not be called the same.
  const row = entity.variable === 'user' ? 'row' : entity.variable
  const related = ['user', row].includes(target.variable) ? 'related' : target.variable
  const isOfUsers = [entity.key, target.key].includes(project.auth?.key ?? '')
  const rule = firstRule(entity, row, isOfUsers)
  const each = `Asked for each: \`(user, ${row}, ${related}) => …\``
  return [
    `  /** Whether a user may attach ${target.plural}. ${each} */`,
    `  attach${suffix}: ${rule},`,
    `  /** Whether a user may detach them. ${each} */`,
    `  detach${suffix}: ${rule},`,
    `  /** Whether a user may replace them. Asked once: \`(user, ${row}, ids) => …\` */`,
    `  sync${suffix}: ${rule},`,
  ].join('\n')
}

/** Membership often decides rights: nobody attaches users, or attaches to them, at first. */
function firstRule(entity: Entity, row: string, isOfUsers: boolean): string {
  const { firstPolicy } = entity
  if (firstPolicy === undefined || isOfUsers) return nobody
  if (firstPolicy.opens === 'signed-in') return signedIn
  const [column, ...further] = firstPolicy.owner ?? []
  if (column === undefined || further.length > 0) return nobody
  return `(user, ${row}) => ${row}.${column} === user?.id`
}
