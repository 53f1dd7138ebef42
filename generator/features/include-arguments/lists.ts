import type { Entity, Relation } from '../../blueprint/types.js'

const toMany = new Set(['hasMany', 'morphMany', 'belongsToMany', 'morphToMany'])

/** Relations to several records. */
export const listsOf = ({ relations }: Entity): readonly Relation[] =>
  relations.filter(({ kind }) => toMany.has(kind))

/** Returns true if anything can be included; a list may be further below. */
export const hasEntries = ({ relations, morphs = [] }: Entity): boolean =>
  relations.length + morphs.length > 0
