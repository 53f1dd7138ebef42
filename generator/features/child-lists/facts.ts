import type { Entity } from '../../blueprint/types.js'

/** Keys of the has-many relations that stand among the fields of a repository. */
export const listedChildren = ({ relations }: Entity): readonly string[] =>
  relations.filter(({ listed }) => listed === true).map(({ key }) => key)
