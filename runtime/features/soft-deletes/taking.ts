import { columnNamed } from '../../model/entity-columns.js'
import type { Entity } from '../../model/entity.js'
import { isLink, isMorph, linkOf, relatedOf, targetOf } from '../relations/entries.js'
import { findTrash } from './trash-of.js'

/** A repository whose records take those of another along, and the columns that point at it. */
export interface Taking {
  readonly parent: Entity
  readonly column: string
  /** The column of a morph that names the repository. */
  readonly type: string | null
  /** True if the column holds ids as text, and they are not. */
  readonly isText: boolean
}

const known = new WeakMap<Entity, readonly Taking[]>()

export function takingOf(entity: Entity): readonly Taking[] {
  const found = known.get(entity)
  if (found !== undefined) return found
  const made = [...byColumn(entity), ...byMorph(entity)].filter(isTaking(entity))
  known.set(entity, made)
  return made
}

const byColumn = (entity: Entity): readonly Taking[] =>
  [...(relatedOf(entity)?.targets ?? [])].flatMap(([column, target]) =>
    target === null ? [] : [{ parent: target().definition, column, type: null, isText: false }],
  )

const byMorph = (entity: Entity): readonly Taking[] =>
  [...(relatedOf(entity)?.entries.values() ?? [])].filter(isMorph).flatMap(({ links, relation }) =>
    [...links.values()].map(targetOf).map((parent) => ({
      parent,
      column: relation.foreignKey,
      type: relation.morphType,
      isText: columnNamed(entity, relation.foreignKey).storage !== parent.id.storage,
    })),
  )

/** True if the other one's `cascade` has a relation of just these columns. */
const isTaking =
  (entity: Entity) =>
  ({ parent, column, type }: Taking): boolean =>
    (findTrash(parent)?.cascade ?? []).some((key) => {
      const link = linkOf(parent, key)
      if (link === undefined || !isLink(link) || targetOf(link) !== entity) return false
      const { relation } = link
      if ('pivot' in relation || relation.kind === 'belongsTo') return false
      return relation.foreignKey === column && relation.morphType === type
    })
