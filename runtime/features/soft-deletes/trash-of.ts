import type { Entity } from '../../model/entity.js'

/** Facts about a repository that keeps a trash. */
export interface Trash {
  /** The column by which records are in it. */
  readonly absence: string
  /** Relations whose records go along. */
  readonly cascade: readonly string[]
  /** After that many days `prune` deletes what is in it for good. */
  readonly keepDays?: number | undefined
}

export function trashOf(entity: Entity): Trash {
  const found = findTrash(entity)
  if (found === null) throw new TypeError(`${entity.key} keeps nothing in a trash`)
  return found
}

/** Null: what is deleted there is gone. */
export const findTrash = ({ extensions }: Entity): Trash | null =>
  (extensions.find((each) => 'absence' in each) as Trash | undefined) ?? null
